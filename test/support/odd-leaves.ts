// Texts and numbers that often break programs: names of zones and prototypes, unpaired
// surrogates, limits, times and time zones that only some code accepts.
import { hostileNames } from './alerts.ts';

const names = [
  ...['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length'],
  ...['null', 'undefined', 'true', 'NaN', '-0', '0', '1e9', '#', '/', '%', '%2F', '%zz', '..', '|'],
  ...['a=b;c', 'zone=x', 'stats/get_in', '~', ' ', '\u00a0', '\n', '\u0000', '\u007f', '\ufeff'],
  ...[
    'Lower Bowl',
    'GA',
    '101',
    'K',
    'é',
    'İ',
    'ß',
    'ﬁ',
    '\ud83d',
    '\udc00x',
    '𝕏',
    'x'.repeat(200),
  ],
  ...['*', '?', 'A-K', '101-118', 'CLUB*', '[a-z]', '(?<x>', '\\', '$&', '$1', '{reason}', '{{}}'],
  ...['knicks', 'a.b-c_d', '9', 'x'.repeat(40)],
];

const zones = [
  ...['UTC', 'GMT', 'Etc/GMT+12', 'Etc/GMT-14', 'America/New_York', 'Asia/Kathmandu', 'PST', 'EST'],
  ...[
    'EST5EDT',
    'CST',
    'IST',
    'Z',
    '+02:00',
    'utc',
    'america/new_york',
    'Europe/Kiev',
    'US/Eastern',
  ],
  ...['Pacific/Apia', 'Pacific/Chatham', 'Antarctica/Troll', 'Africa/Monrovia', 'Factory', 'HST'],
  ...['Asia/Riyadh87', 'SystemV/EST5', 'Australia/Lord_Howe', 'posix/UTC', 'ROC', 'W-SU', 'Cuba'],
];

const times = [
  ...['00:00', '24:00', '23:59', '02:30', '7:00', '07:00', '22:00', '99:99', '24:01', '12:60'],
  ...['2026-03-01T12:10:00Z', '2026-03-08T02:30:00-05:00', '9999-12-31T23:59:59Z', '2026-06-01'],
  ...[
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2024-02-29T24:00:00Z',
    '1969-12-31T23:59:59Z',
  ],
  ...['2026-03-01T12:02:30.5+14:00', '2026-03-01T12:00:60Z', '+275760-09-13T00:00:00Z'],
];

const addresses = [
  ...['ann@example.com', 'a+b@example.co.uk', "o'brien@example.com", 'x@xn--bcher-kva.example'],
  ...[
    '"quoted"@example.com',
    'a@b',
    'ann@example.com, bob@example.com',
    `${'x'.repeat(64)}@example.com`,
  ],
  ...['https://hooks.example.com/a', 'https://example.com:8443/ä?x=%00#f', 'http://example.com'],
  ...['https://hooks.slack.com/services/T/B/X', 'https://user:pw@example.com/'],
  ...[
    'https://discord.com/api/webhooks/123456789012345678/abcdef',
    'https://[::1]/',
    'https://0x7f.1/',
  ],
  ...['https://prod-1.westus.logic.azure.com/workflows/abc/triggers/manual/paths/invoke'],
  ...[
    'https://constructor/',
    'https://example.com./',
    'HTTPS://EXAMPLE.COM',
    'javascript:alert(1)',
  ],
];

/** Keys and ids of channels that have no URL, and near misses. */
const keys = [
  ...[
    'tk_A1',
    'tk_',
    `xoxb-${'1'.repeat(12)}`,
    'xoxp-1',
    'C0123456789',
    '#general',
    'a'.repeat(30),
  ],
  ...['https://ntfy.example', 'https://ntfy.example/topic'],
];

/** The possible values of each leaf of a generated setting. */
export const oddLeaves = {
  texts: [
    ...names,
    ...zones,
    ...times,
    ...addresses,
    ...keys,
    ...hostileNames,
    '80',
    '79.99',
    '0.01',
    '1e3',
  ],
  numbers: [
    ...[0, -0, 1, 2, 3, 5, 10, 15, 20, 50, 60, 99.99, 100, 300, 720, 730, 1_000, 43_200, 86_400],
    ...[0.01, 0.1 + 0.2, 0.5, 1e-7, 1e-100, 1e7, 1e9, 1e15, 1e100, -1, -1e9, 100_000, 1_000_000],
    ...[9_999_999.99, 10_000_000, 2 ** 31, 2 ** 53 - 1, 2 ** 53, Number.MAX_VALUE, 5e-324],
  ],
} as const;
