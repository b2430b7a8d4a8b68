// The size of a webhook's body: never over 20 KB, and what it leaves out can be found.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { noticeMessage } from '#shared/delivery/message/message-kinds.ts';
import { readUntoldMark, untoldMark } from '#shared/delivery/message/untold-alerts.ts';
import { webhookBody } from '#shared/delivery/message/webhook-body.ts';
import {
  type WebhookPayload,
  webhookPayloadSchema,
} from '#shared/delivery/message/webhook-payload.ts';
import { aListingAlert, anAlert, firedAt, hostileNames } from '#test/support/alerts.ts';
import { outgoingOf } from '#test/support/messages.ts';

type Several = Extract<WebhookPayload, { type: 'alerts.fired' }>['data'];

const idOf = (index: number) => `alt_${String(index).padStart(32, '0')}_1`;
const manyOf = (count: number, changes: Partial<Alert> = {}) =>
  Array.from({ length: count }, (_, index) => anAlert({ ...changes, alertId: idOf(index) }));

function bodyOf(alerts: Alert[], version: 1 | 2 = 2) {
  const text = webhookBody(outgoingOf({ alerts }), version);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  const read: unknown = JSON.parse(text);
  const payload = webhookPayloadSchema.parse(read);
  expect(payload).toEqual(read);
  return { text, payload };
}

function severalOf(alerts: Alert[], version: 1 | 2 = 2): Several {
  const { payload } = bodyOf(alerts, version);
  if (payload.type !== 'alerts.fired') throw new Error(payload.type);
  return payload.data;
}

const toldIn = ({ alerts, recovered = [] }: Several) =>
  [...alerts, ...recovered].map(({ id }) => id);

describe('a body of 45 alerts', () => {
  const data = severalOf(manyOf(45));

  it('tells a third at least, and names each of the others', () => {
    const told = data.alerts.length;
    expect(told).toBeGreaterThanOrEqual(15);
    expect(data.more).toBe(45 - told);
    expect(data.more_ids).toEqual(
      Array.from({ length: 45 - told }, (_, index) => idOf(told + index)),
    );
    expect(data.alerts.some((alert) => 'truncated' in alert)).toBe(false);
  });

  it('has an address that names the delivery and exactly the others', () => {
    const url = new URL(data.more_url ?? '');
    expect(url.origin + url.pathname).toBe('https://getin.example/v1/alerts');
    expect(url.searchParams.get('delivery_id')).toBe('dlv_1');
    const all = manyOf(45).map(({ alertId }) => alertId);
    expect(readUntoldMark(url.searchParams.get('untold') ?? '', all)).toEqual(data.more_ids);
  });
});

it('a body of 500 alerts names a hundred more, and its address lists all others', () => {
  const data = severalOf(manyOf(500));
  expect(data.alerts.length + data.more).toBe(500);
  expect(data.more_ids).toHaveLength(121);
  const mark = new URL(data.more_url ?? '').searchParams.get('untold') ?? '';
  const all = manyOf(500).map(({ alertId }) => alertId);
  expect(readUntoldMark(mark, all)).toEqual(all.slice(data.alerts.length));
});

it('a body that tells all says nothing of others', () => {
  const data = severalOf(manyOf(3));
  expect(data.more).toBe(0);
  expect(Object.keys(data)).toEqual(['alerts', 'held_for', 'more']);
});

it('alerts with names of 300 characters are shortened before alerts are left out', () => {
  const name = '票'.repeat(300);
  const data = severalOf(manyOf(45, { eventName: name, venueName: name, sentence: name }));
  expect(data.alerts.length).toBeGreaterThanOrEqual(6);
  expect(data.alerts.every(({ truncated }) => truncated)).toBe(true);
  expect(data.alerts[0]).toMatchObject({ id: idOf(0), now: 74, event_date: '2026-03-07' });
});

describe.each([1, 2] as const)('one alert that is too large, in version %d', (version) => {
  const zones = Array.from({ length: 20 }, () => encodeURIComponent('票'.repeat(200)));
  const huge = anAlert({
    ...aListingAlert(20),
    series: `listings/new_cheapest/zones=${zones.join(',')}`,
    listings: aListingAlert(20).listings.map((listing) => ({
      ...listing,
      row: '\u0007'.repeat(500),
    })),
  });

  it('is shortened and says so; its ids, numbers and times stay', () => {
    const { payload } = bodyOf([huge], version);
    if (payload.type !== 'alert.fired') throw new Error(payload.type);
    const { alert } = payload.data;
    expect(alert).toMatchObject({
      truncated: true,
      id: huge.alertId,
      watch_id: huge.watchId,
      fired_at: '2026-03-01T12:02:00.000Z',
      watch_url: `https://getin.example/l/token/${huge.alertId}`,
    });
    expect(alert.listings).toHaveLength(20);
  });
});

it('a notice that is too large is shortened and says so', () => {
  const notice = {
    headline: 'A notice',
    paragraphs: Array.from({ length: 40 }, () => '"'.repeat(900)),
  };
  const about = { ...outgoingOf({}), message: noticeMessage(notice, undefined) };
  const text = webhookBody(about, 2);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  expect(webhookPayloadSchema.parse(JSON.parse(text))).toMatchObject({
    data: { headline: 'A notice', truncated: true },
  });
});

it('without a stop address there is no list, and the ids are there', () => {
  const outgoing = outgoingOf({ alerts: manyOf(45) });
  const message = { ...outgoing.message, stopUrl: undefined };
  const { data } = JSON.parse(webhookBody({ ...outgoing, message }, 2)) as { data: Several };
  expect(data.more).toBeGreaterThan(0);
  expect([data.more_url, data.more_ids?.length]).toEqual([null, data.more]);
});

const hostileText = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 3_000 }),
);
const hostileAlert = fc
  .record({
    eventName: hostileText,
    venueName: fc.option(hostileText, { nil: undefined }),
    venueCity: fc.option(hostileText, { nil: undefined }),
    sentence: hostileText,
    role: fc.constantFrom('main', 'further', 'no_data', 'recovery'),
    zone: hostileText,
    listings: fc.nat(20),
  })
  .map(({ zone, listings, ...texts }) => ({
    ...texts,
    series: `stats/get_in/zone=${encodeURIComponent(zone.toWellFormed())}`,
    listings: aListingAlert(listings).listings.map((listing) => ({ ...listing, zone, row: zone })),
  }));

describe('whatever the names, and however many the alerts', () => {
  it('a body is within its size, and tells or names every alert once', () => {
    const counts = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 30, max: 60 }));
    fc.assert(
      fc.property(
        fc.array(hostileAlert, { minLength: 1, maxLength: 4 }),
        counts,
        fc.constantFrom(1 as const, 2 as const),
        (some, count, version) => {
          const alerts = Array.from({ length: count }, (_, index) =>
            anAlert({
              ...some[index % some.length],
              alertId: idOf(index),
              firedAt: firedAt - index,
            }),
          );
          if (count === 1) {
            bodyOf(alerts, version);
            return;
          }
          const data = severalOf(alerts, version);
          const all = alerts.map(({ alertId }) => alertId);
          const told = toldIn(data);
          const { searchParams } = new URL(data.more_url ?? 'https://none.example/');
          const mark = searchParams.get('untold');
          const rest = mark === null ? [] : readUntoldMark(mark, all);
          expect(told.length).toBeGreaterThan(0);
          expect(told.length + data.more).toBe(count);
          expect([...told, ...(rest ?? [])].sort()).toEqual(all);
          expect(data.more_ids ?? []).toEqual(rest?.slice(0, data.more_ids?.length ?? 0));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a mark of alerts', () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[a-z0-9_]{1,12}$/), {
    minLength: 1,
    maxLength: 500,
  });

  it('gives back the marked ids, whatever the order of the delivery’s', () => {
    fc.assert(
      fc.property(ids, fc.func(fc.boolean()), (all, isMarked) => {
        const marked = all.filter(isMarked);
        expect(readUntoldMark(untoldMark(marked, all), all.toReversed())).toEqual(marked.sort());
      }),
      { numRuns: 50 },
    );
  });

  it.each(['', '3', '3-', '3-AAA', '2-Aw', '4-Dw', '3-A!', '3-B', 'x-Bw', '-Bw'])(
    '%j is none of three alerts',
    (mark) => {
      expect(readUntoldMark(mark, ['a', 'b', 'c'])).toBeUndefined();
    },
  );

  it('is short and readable', () => {
    expect(untoldMark(['a', 'c'], ['c', 'b', 'a'])).toBe('3-BQ');
  });
});
