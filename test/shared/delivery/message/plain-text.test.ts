// Text from the market made fit for channels: cut between graphemes (B61), freed of what hides or flips it
// (B63).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutTo,
  escapeHtml,
  fitInto,
  nameText,
  type Room,
  singleLine,
  utf8Bytes,
  withoutAutoLinks,
} from '#shared/delivery/message/plain-text.ts';

const graphemesOf = (text: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );

it.each<[string, string, string]>([
  ['joiners', 'a', '\u200d'],
  ['tags without a flag', 'a', '\u{e0041}'],
  ['tags of a flag', '\u{1f3f4}', '\u{e0041}'],
  ['marks', 'a', '\u0301'],
  ['spaces', 'a', ' '],
])('a name with 300,000 %s is read in one pass', (_what, start, character) => {
  expect(singleLine(`${start}${character.repeat(300_000)}b`)).toMatch(/b$/);
});

describe('a cut (B61)', () => {
  it.each<[string, string, number, string]>([
    ['an emoji', 'ab😀cd', 4, 'ab…'],
    ['a family', 'ab👨‍👩‍👧‍👦cd', 6, 'ab…'],
    ['a flag', 'ab🇬🇧cd', 5, 'ab…'],
    ['a letter with a combining accent', 'abe\u0301cd', 4, 'ab…'],
    ['a ligature, which is one', 'abﷺcd', 4, 'abﷺ…'],
  ])('falls before %s that does not fit', (_what, text, limit, cut) => {
    expect(cutTo(text, limit)).toBe(cut);
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('😀', '👨‍👩‍👧‍👦', '🇬🇧', '🇬🇧🇬', 'e\u0301', '\r\n', '\u200d', 'ﷺ', '&', '<'),
  );
  const texts = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

  it.each<[string, Omit<Room, 'limit'>]>([
    ['units', {}],
    ['bytes', { measure: utf8Bytes }],
    ['bytes after escaping', { measure: utf8Bytes, escape: escapeHtml }],
  ])('keeps as many graphemes as have room, counted one by one in %s', (_what, room) => {
    const { measure = (kept: string) => kept.length, escape: escaped = (kept) => kept } = room;
    const cutOneByOne = (text: string, limit: number) => {
      const parts = graphemesOf(text).map(escaped);
      const sizes = parts.map((_, index) => measure(parts.slice(0, index + 1).join('')));
      if (measure(parts.join('')) <= limit) return parts.join('');
      const kept = sizes.filter((size) => size <= limit - measure('…')).length;
      return `${parts.slice(0, kept).join('').trimEnd()}…`;
    };
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 80 }), (text, limit) => {
        expect(fitInto(text, { ...room, limit })).toBe(cutOneByOne(text, limit));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves whole graphemes and well-formed JSON within the limit, for any text and limit', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 80 }), (text, limit) => {
        const cut = cutTo(text, limit);
        const whole = new Set(graphemesOf(text));
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(JSON.parse(JSON.stringify(cut))).toBe(cut);
        if (cut === text) return;
        const kept = cut.slice(0, -1);
        expect(text.startsWith(kept)).toBe(true);
        expect(graphemesOf(kept).every((each) => whole.has(each))).toBe(true);
      }),
    );
  });

  it.each([
    [2_999, 2_999],
    [3_000, 3_000],
    [3_001, 2_996],
  ])('counts after escaping: %i characters of ampersands become %i', (length, kept) => {
    const text = `${'&'.repeat(Math.floor(length / 5))}${'x'.repeat(length % 5)}`;
    const escapeText = (part: string) => part.replaceAll('&', '&amp;');
    expect(fitInto(text, { limit: 3_000, escape: escapeText })).toHaveLength(kept);
  });
});

describe('hidden and flipping characters (B63)', () => {
  it.each([
    ['Derby\u202E', 'Derby'],
    ['\u2066Arena', 'Arena'],
    ['Zone\u200B\uFEFF1', 'Zone1'],
    ['Tay\u200Blor Swift', 'Taylor Swift'],
    ['\u200B\u2060\u00AD\u180E\u034F\u3164\u200E\u200F', ''],
    [' \u200D \u200C', ''],
    ['Cup\r\nBcc: a@evil.example', 'Cup Bcc: a@evil.example'],
    ['Line\u2028separator', 'Line separator'],
    ['Cup\u{e0041}\u{e0042} Final', 'Cup Final'],
    ['\u0338Derby', 'Derby'],
    ['Cup\ufffe\uffff Final\u{1ffff}', 'Cup Final'],
  ])('are taken out of %j', (name, text) => {
    expect(singleLine(name)).toBe(text);
  });

  it.each([
    ...['\ufe0f', '\u200d\ufe0f\u200d', '\u2800 \u2800', '\u{e0041}\u{e007f}', '\u0301\u20e3'],
    ...['\u{1d159}', '\u{e0100}', ' \u00a0\u3000'],
  ])('are no name by themselves: %j', (name) => {
    expect([singleLine(name), nameText(name)]).toEqual(['', '']);
  });

  it('are at most eight marks on one letter', () => {
    expect(nameText(`K${'\u0335'.repeat(300)}nicks`)).toBe(`K${'\u0335'.repeat(8)}nicks`);
  });

  it('are not shown as an ellipsis alone, if a name is one endless emoji', () => {
    expect(nameText('👩\u200d'.repeat(300))).toBe('');
  });

  it.each(['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 2', 'ที่นี่', 'מַכַּבִּי'])(
    'belong to flags and letters: %s stays',
    (name) => {
      expect(nameText(name)).toBe(name);
    },
  );

  it('are none of the characters that are taken as they are, whatever stands beside them', () => {
    // After the Hebrew letter the whole text is looked at.
    const anyLatin = fc.string({
      unit: fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(anyLatin, (text) => {
        expect(`א ${singleLine(text)}`.trimEnd()).toBe(singleLine(`א ${text}`));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['מכבי תל אביב', 'الأهلي ضد الزمالك', 'AC/DC & *Friends*', 'é ﷺ 👨‍👩‍👧‍👦'])(
    'are not what makes a genuine name: %s stays byte for byte',
    (name) => {
      expect(nameText(name)).toBe(name);
    },
  );
});

describe('an app makes no link and no emoji of', () => {
  it.each([
    ['http://evil.example', 'http:⁠//evil.⁠example'],
    ['evil.example', 'evil.⁠example'],
    ['💩.la', '💩.⁠la'],
    ['cafe\u0301.com', 'cafe\u0301.⁠com'],
    ['93.184.216.34/win', '93.⁠184.⁠216.34/win'],
    ['ann@evil.example', 'ann@⁠evil.⁠example'],
    [':fire:', ':⁠fire:'],
    [':日本:', ':⁠日本:'],
  ])('%s', (text, split) => {
    expect(withoutAutoLinks(text)).toBe(split);
  });

  it.each(['$74.50', '▼ 4.5% from $1,234.50', '7:30 PM', 'St. Louis: Blues'])(
    'and leaves %s',
    (text) => {
      expect(withoutAutoLinks(text)).toBe(text);
    },
  );
});
