// Text from the market made fit for channels: cut between graphemes (B61), freed of what hides or flips it
// (B63).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutTo, fitInto, nameText, singleLine } from '#shared/delivery/message/plain-text.ts';

const graphemesOf = (text: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );

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

  it('leaves whole graphemes and well-formed JSON within the limit, for any text and limit', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('😀', '👨‍👩‍👧‍👦', '🇬🇧', 'e\u0301', 'ﷺ', '&', '<'),
    );
    const texts = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
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
    ['Zone\u200B\uFEFF1', 'Zone 1'],
    ['Cup\r\nBcc: a@evil.example', 'Cup Bcc: a@evil.example'],
    ['Line\u2028separator', 'Line separator'],
  ])('are taken out of %j', (name, text) => {
    expect(singleLine(name)).toBe(text);
  });

  it.each(['מכבי תל אביב', 'الأهلي ضد الزمالك', 'AC/DC & *Friends*', 'é ﷺ 👨‍👩‍👧‍👦'])(
    'are not what makes a genuine name: %s stays byte for byte',
    (name) => {
      expect(nameText(name)).toBe(name);
    },
  );
});
