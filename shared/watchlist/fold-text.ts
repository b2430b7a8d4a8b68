// Texts as words that compare equal in every Unicode form, with or without accents, in any case.

/** Letters that Unicode does not decompose into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i' },
};
const unplain = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

const plain = /^[ -~]*$/;

/** A text in one form: no accents, lower case, compatibility letters replaced. */
export function foldText(text: string): string {
  // A catalog has hundreds of thousands of texts, nearly all of them plain.
  if (plain.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  return bare.toLowerCase().replaceAll(unplain, (letter) => plainLetters[letter] ?? letter);
}

/** A run of letters, digits and their accents. */
const run = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text as they are written. */
export function wordsOf(text: string): string[] {
  return text.match(run) ?? [];
}

/**
 * The words of a text, folded. A name with punctuation inside is also one word without it, so that
 * "AC/DC" has the words ac, dc and acdc.
 */
export function foldedWords(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .flatMap((token) => {
      const parts = wordsOf(token);
      return parts.length > 1 ? [...parts, parts.join('')] : parts;
    });
}

/** Scripts that write no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Texts in a form in which `hasWord` finds words. */
export function searchText(texts: readonly (string | null | undefined)[]): string {
  return ` ${texts.flatMap((text) => (text ? foldedWords(text) : [])).join(' ')}`;
}

/** Whether a folded word is the beginning of a word of the text; in scripts without spaces, a part of it. */
export function hasWord(text: string, word: string): boolean {
  return text.includes(unspaced.test(word) ? word : ` ${word}`);
}
