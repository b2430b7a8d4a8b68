// No way in which a page repeats the path that was asked for leaves a part of it in what is stored.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '#shared/delivery/message/plain-text.ts';
import { hideAddress } from '#shared/delivery/outbound/hide-address.ts';

const url = 'https://hooks.example.com/in/T0AB/s3cr%C3%A9t-token?key=p%26ssw0rd&x=1';

describe('a page that repeats the address', () => {
  it.each([
    ['Cannot POST /in/T0AB/s3cr%C3%A9t-token', 'Cannot POST [hidden]'],
    ['No /in/T0AB/s3crét-token?key=p&ssw0rd here', 'No [hidden] here'],
    ['<p>/in/t0ab/S3CR&eacute;', '<p>[hidden]&eacute;'],
    ['{"path":"\\/in\\/T0AB\\/s3cr\\u00e9t-token"}', '{"path":"[hidden]"}'],
    ['%2Fin%2FT0AB%2Fs3cr%25C3%25A9t-token', '[hidden]'],
    ['&#x2F;in&#47;T0AB&sol;s3cr&amp;#233;t-token.', '[hidden].'],
    ['workspace T0AB unknown', 'workspace [hidden] unknown'],
    ['token=S3CR%c3%a9T-TOKEN', 'token=[hidden]'],
    ['bad key p&amp;ssw0rd', 'bad key [hidden]'],
    ['cut: /in/T0AB/s3c…', 'cut: [hidden]…'],
  ])('%j is stored as %j', (page, stored) => {
    expect(hideAddress(page, [url])).toBe(stored);
  });

  it.each(['no_service', '{"code": 10015, "ok": true}', 'https://hooks.example.com is closed', ''])(
    '%j, which has nothing of it, is stored as it is',
    (page) => {
      expect(hideAddress(page, [url])).toBe(page);
    },
  );
});

const isPlain = (text: string) => /^[\w~-]{4,}$/.test(text);
const part = fc
  .string({ unit: 'grapheme', minLength: 4, maxLength: 40 })
  .filter((text) => text.trim() === text && !/^\.+$/.test(text) && text.isWellFormed());
const address = fc
  .record({ segments: fc.array(part, { minLength: 1, maxLength: 4 }), value: part })
  .map(({ segments, value }) => {
    const path = segments.map(encodeURIComponent).join('/');
    return new URL(`https://example.com/${path}?key=${encodeURIComponent(value)}`);
  });
const jsonText = (text: string) => JSON.stringify(text).slice(1, -1);
/** JSON as Python writes it: every UTF-16 unit beyond ASCII escaped. */
const asciiText = (text: string) =>
  text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const spelling = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => decodeURIComponent(text),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => encodeURIComponent(decodeURIComponent(text)).toLowerCase(),
  (text) => escapeHtml(text),
  (text) => escapeHtml(decodeURIComponent(text)),
  (text) => jsonText(decodeURIComponent(text)),
  (text) => asciiText(jsonText(decodeURIComponent(text))),
  (text) => jsonText(text).replaceAll('/', '\\/'),
);

it('an address that cannot be read hides nothing', () => {
  expect(hideAddress('as it was', ['', url])).toBe('as it was');
});

it.each([
  ['invalid token bot-17-abcdef', 'invalid token [hidden]'],
  ['cut: BOT-17-ab…', 'cut: [hidden]…'],
  ['{"token":"bot-17\\u002dabcdef"}', '{"token":"[hidden]"}'],
])('a key that is no URL is hidden: %j is stored as %j', (page, stored) => {
  expect(hideAddress(page, ['bot-17-abcdef'])).toBe(stored);
});

it('a backslash in an address is no way to show what follows it', () => {
  const stored = hideAddress(String.raw`<a\\\u00a0secret>`, [
    'https://example.com/?key=a%5C%C2%A0secret',
  ]);
  expect(stored).toBe('<[hidden]>');
});

describe('whatever the address and the page', () => {
  it('nothing is left of what was repeated', () => {
    fc.assert(
      fc.property(address, spelling, fc.boolean(), ({ pathname, search, href }, spell, isPart) => {
        const [, first = ''] = pathname.split('/');
        const repeated = spell(isPart ? first : pathname + search);
        expect(hideAddress(`<${repeated}>`, [href])).toBe('<[hidden]>');
      }),
    );
  });

  it('a plain word of the address is nowhere in what is stored', () => {
    fc.assert(
      fc.property(address, fc.string(), fc.string(), ({ pathname, href }, before, after) => {
        const stored = hideAddress(`${before}${pathname}${after}`, [href]);
        const words = pathname.split('/').filter(isPlain);
        expect(words.filter((word) => stored.replaceAll('[hidden]', '').includes(word))).toEqual(
          [],
        );
      }),
    );
  });
});
