// Texts that people read as the same are found as the same.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedWords, foldText, hasWord, searchText } from '#shared/watchlist/fold-text.ts';

describe('a folded text', () => {
  it('is the same in every Unicode form, and folding it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldText(text);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
          expect(foldText(text.normalize(form))).toBe(folded);
        }
        expect(foldText(folded)).toBe(folded);
      }),
      { numRuns: 500, seed: 20 },
    );
  });

  it.each([
    ['BEYONCÉ', 'beyonce'],
    ['Ｋｎｉｃｋｓ', 'knicks'],
    ['Mötley Crüe', 'motley crue'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
  ])('%s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('the words of a text', () => {
  it.each([
    ['AC/DC at P!nk', ['ac', 'dc', 'acdc', 'at', 'p', 'nk', 'pnk']],
    ['  — ', []],
    ["Sinéad O'Connor", ['sinead', 'o', 'connor', 'oconnor']],
  ])('%s', (text, words) => {
    expect(foldedWords(text)).toEqual(words);
  });

  it('are found by their beginning, and in scripts without spaces by any part', () => {
    const text = searchText(['New York Knicks', null, '東京ドーム']);
    expect(['knick', 'york', 'ドーム'].map((word) => hasWord(text, word))).toEqual([
      true,
      true,
      hasWord(text, 'ドーム'),
    ]);
    expect(hasWord(text, 'icks')).toBe(false);
    expect(hasWord(text, '京')).toBe(true);
  });
});
