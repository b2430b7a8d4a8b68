// URLs that lead where no webhook may: each is refused by its text, or by what it resolves to.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judgeUrl,
  mayConnectTo,
  type OutboundPolicy,
  type RefusalReason,
} from '#shared/delivery/outbound/outbound-address.ts';

const cloud: OutboundPolicy = { loopback: 'refused' };
const local: OutboundPolicy = { loopback: 'allowed' };

const hostile: [url: string, reason: RefusalReason][] = [
  ['', 'not_a_url'],
  ['not a url', 'not_a_url'],
  ['//example.com/hook', 'not_a_url'],
  ['https://', 'not_a_url'],
  ['https://[::1', 'not_a_url'],
  ['https://[fe80::1%25eth0]/', 'not_a_url'],
  ['https://1.2.3.4.5/', 'not_a_url'],
  ['https://256.1.1.1/', 'not_a_url'],
  ['http://example.com/hook', 'not_https'],
  ['ftp://example.com/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['gopher://example.com/', 'not_https'],
  ['javascript:alert(1)', 'not_https'],
  ['data:text/plain,x', 'not_https'],
  ['http://169.254.169.254/latest/meta-data/', 'not_https'],
  ['http://127.0.0.1:9001/2018-06-01/runtime/invocation/next', 'not_https'],
  ['https://user:p%40ss@example.com/hook', 'has_credentials'],
  ['https://host@evil.example/', 'has_credentials'],
  ['https://hooks.slack.com@evil.example/services/x', 'has_credentials'],
  ['https://:secret@example.com/', 'has_credentials'],
  ['https://example.com:22/', 'port_not_allowed'],
  ['https://example.com:80/', 'port_not_allowed'],
  ['https://example.com:9001/', 'port_not_allowed'],
  ['https://example.com:6379/', 'port_not_allowed'],
  ['https://example.com:65535/', 'port_not_allowed'],
  ['https://127.0.0.1/', 'address_not_public'],
  ['https://127.1/', 'address_not_public'],
  ['https://127.255.255.254/', 'address_not_public'],
  ['https://2130706433/', 'address_not_public'],
  ['https://0x7f000001/', 'address_not_public'],
  ['https://0x7f.1/', 'address_not_public'],
  ['https://0177.0.0.1/', 'address_not_public'],
  ['https://017700000001/', 'address_not_public'],
  ['https://127.0.0.1./', 'address_not_public'],
  ['https://①②⑦.⓪.⓪.①/', 'address_not_public'],
  ['https://１２７.0.0.1/', 'address_not_public'],
  ['https://%31%32%37.0.0.1/', 'address_not_public'],
  ['https://0/', 'address_not_public'],
  ['https://0.0.0.0/', 'address_not_public'],
  ['https://10.0.0.1/', 'address_not_public'],
  ['https://172.16.0.1/', 'address_not_public'],
  ['https://172.31.255.255/', 'address_not_public'],
  ['https://192.168.1.1/', 'address_not_public'],
  ['https://100.64.0.1/', 'address_not_public'],
  ['https://169.254.169.254/latest/meta-data/', 'address_not_public'],
  ['https://169.254.170.2/v2/credentials', 'address_not_public'],
  ['https://2852039166/', 'address_not_public'],
  ['https://0xa9fea9fe/', 'address_not_public'],
  ['https://168.63.129.16/', 'address_not_public'],
  ['https://192.0.0.8/', 'address_not_public'],
  ['https://192.0.2.1/', 'address_not_public'],
  ['https://198.51.100.1/', 'address_not_public'],
  ['https://203.0.113.10/', 'address_not_public'],
  ['https://198.18.0.1/', 'address_not_public'],
  ['https://192.88.99.1/', 'address_not_public'],
  ['https://224.0.0.1/', 'address_not_public'],
  ['https://240.0.0.1/', 'address_not_public'],
  ['https://255.255.255.255/', 'address_not_public'],
  ['https://[::]/', 'address_not_public'],
  ['https://[::1]/', 'address_not_public'],
  ['https://[::ffff:10.0.0.1]/', 'address_not_public'],
  ['https://[::ffff:a9fe:a9fe]/', 'address_not_public'],
  ['https://[::10.0.0.1]/', 'address_not_public'],
  ['https://[::ffff:0:127.0.0.1]/', 'address_not_public'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'address_not_public'],
  ['https://[64:ff9b:1::a00:1]/', 'address_not_public'],
  ['https://[2002:a9fe:a9fe::1]/', 'address_not_public'],
  ['https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', 'address_not_public'],
  ['https://[fc00::1]/', 'address_not_public'],
  ['https://[fd00:ec2::254]/', 'address_not_public'],
  ['https://[fe80::1]/', 'address_not_public'],
  ['https://[fec0::1]/', 'address_not_public'],
  ['https://[ff02::1]/', 'address_not_public'],
  ['https://[100::1]/', 'address_not_public'],
  ['https://[2001:db8::1]/', 'address_not_public'],
  ['https://[3fff::1]/', 'address_not_public'],
  ['https://[5f00::1]/', 'address_not_public'],
  ['https://[4000::1]/', 'address_not_public'],
  ['https://localhost/', 'address_not_public'],
  ['https://localhost./', 'address_not_public'],
  ['https://LOCALHOST/', 'address_not_public'],
  ['https://app.localhost/', 'address_not_public'],
  ['https://printer.local/', 'address_not_public'],
  ['https://metadata.google.internal/', 'address_not_public'],
  ['https://router.lan./', 'address_not_public'],
  ['https://intranet/', 'address_not_public'],
  ['https:\\\\evil', 'address_not_public'],
];

describe('a hostile URL', () => {
  it('comes in at least sixty forms', () => {
    expect(new Set(hostile.map(([url]) => url)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(hostile)('%s is refused: %s', (url, reason) => {
    expect(judgeUrl(url, cloud)).toBe(reason);
  });

  it.each(
    hostile.filter(([, reason]) => reason === 'has_credentials' || reason === 'port_not_allowed'),
  )('%s is refused in a local run too', (url, reason) => {
    expect(judgeUrl(url, local)).toBe(reason);
  });
});

describe('an address in any spelling', () => {
  const part = fc.nat(255);
  /** Each of the forms that a URL parser takes for one IPv4 address. */
  const spellings: ((parts: number[]) => string)[] = [
    (parts) => parts.join('.'),
    (parts) => parts.map((each) => `0x${each.toString(16)}`).join('.'),
    (parts) => parts.map((each) => `0${each.toString(8)}`).join('.'),
    (parts) => String(parts.reduce((sum, each) => sum * 256 + each, 0)),
    (parts) => `[::ffff:${parts.join('.')}]`,
    (parts) => `${parts.join('.')}.`,
  ];

  it('passes in a URL exactly when it may be connected to', () => {
    fc.assert(
      fc.property(
        fc.tuple(part, part, part, part),
        fc.constantFrom(...spellings),
        (parts, spell) => {
          const judged = judgeUrl(`https://${spell(parts)}/`, cloud);
          expect(judged instanceof URL).toBe(mayConnectTo(parts.join('.'), cloud));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a harmless URL', () => {
  it.each([
    'https://example.com/hook?x=1',
    'https://example.com:8443/hook',
    'https://EXAMPLE.com./hook',
    'https://bücher.example/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://[::ffff:8.8.8.8]/hook',
  ])('%s passes', (url) => {
    expect(judgeUrl(url, cloud)).toBeInstanceOf(URL);
  });

  it.each(['http://127.0.0.1:4711/hook', 'http://localhost:4711/', 'http://[::1]:4711/'])(
    '%s passes in a local run alone',
    (url) => {
      expect(judgeUrl(url, local)).toBeInstanceOf(URL);
      expect(judgeUrl(url, cloud)).toBe('not_https');
    },
  );
});

describe('a resolved address', () => {
  it.each(['10.0.0.1', '::1', '::ffff:a00:1', '64:ff9b::1', '169.254.169.254', 'fe80::1', 'junk'])(
    '%s is not connected to',
    (address) => {
      expect(mayConnectTo(address, cloud)).toBe(false);
    },
  );

  it('may be loopback in a local run, but nothing else that is private', () => {
    expect(mayConnectTo('127.0.0.1', local)).toBe(true);
    expect(mayConnectTo('10.0.0.1', local)).toBe(false);
    expect(mayConnectTo('169.254.169.254', local)).toBe(false);
  });
});
