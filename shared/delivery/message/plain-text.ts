// Makes text from the market safe for people's channels, because event and zone names are hostile input.

/** Line breaks and other controls: they separate words. */
const breaks =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * What has no width of its own and hides or flips text: bidi marks, overrides and isolates, zero-width spaces
 * and joins, soft hyphens, fillers, variation of nothing; and noncharacters, which make XML invalid. The
 * zero-width joiner and non-joiner stay where they join, because emoji and several scripts need them.
 */
const invisible =
  /\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0001}-\u{e001f}\p{Noncharacter_Code_Point}]/gu;

/**
 * A joiner that stands at an end or beside a space joins nothing. A run of them is looked at from its first alone, so
 * that a long one costs no more.
 */
const looseJoiners = /(?<=^|\s)[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?=\s|$)/g;

/**
 * A flag with its region, which tag characters spell, or tag characters elsewhere, which are invisible text. Each run
 * is found once, so that a long one costs no more.
 */
const tagged = /(\u{1f3f4}[\u{e0020}-\u{e007e}]*\u{e007f}?)|[\u{e0020}-\u{e007f}]+/gu;

/** No script has more marks on one letter; a pile of them covers the lines around it. */
const pileOfMarks = /([\p{Mn}\p{Me}]{8})[\p{Mn}\p{Me}]+/gu;

/** A mark without a letter would change the character that stands before the text. */
const firstMarks = /^[\p{Mn}\p{Me}\s]+/u;

/** Neither a space nor a mark nor a character without a picture; U+2800 and U+1D159 have an empty one. */
const visible = /[^\s\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Words of letters, digits and signs of the Latin scripts, with one space between them: most names. */
const ordinary = /^[!-~\u00a1-\u00ac\u00ae-\u024f]+(?: [!-~\u00a1-\u00ac\u00ae-\u024f]+)*$/;

/**
 * One line of plain, well-formed text: breaks become one space, hidden characters go, ends are trimmed. Empty if
 * nothing in it can be seen.
 */
export function singleLine(text: string): string {
  if (ordinary.test(text)) return text;
  const line = text
    .toWellFormed()
    .replace(breaks, ' ')
    .replace(invisible, '')
    .replace(tagged, flagAlone)
    .replace(looseJoiners, '')
    .replace(pileOfMarks, '$1')
    .replace(/\s{2,}/g, ' ')
    .replace(firstMarks, '')
    .trim();
  return visible.test(line) ? line : '';
}

/** Keeps a flag and removes the tag characters that belong to none. */
function flagAlone(_found: string, flag = ''): string {
  return flag;
}

/** The longest name in any message; a longer name is a mistake or an attack. */
const nameLimit = 200;

/** A name from the market as one line of bounded length, cut between graphemes; empty if that leaves nothing. */
export function nameText(text: string, limit = nameLimit): string {
  const cut = cutTo(singleLine(text), limit);
  return cut === ellipsis ? '' : cut;
}

export interface Room {
  /** The upper limit, in the channel's own unit. */
  limit: number;
  /** Escapes for the channel's syntax; must escape each character by itself. @default no escaping */
  escape?: (text: string) => string;
  /** Measures a text as the channel does. @default UTF-16 units */
  measure?: (text: string) => number;
}

const ellipsis = '…';
/** Made when the first text does not fit: this is rare, and the segmenter loads slowly. */
let graphemes: Intl.Segmenter | undefined;

/**
 * Escapes the text and limits it to `limit` units, counted after escaping; a longer text is cut between
 * graphemes and ends with an ellipsis.
 */
export function fitInto(
  text: string,
  { limit, escape: escapeText = asIs, measure = units }: Room,
): string {
  const whole = escapeText(text);
  if (measure(whole) <= limit) return whole;
  const room = limit - measure(ellipsis);
  const end = longestCut(text, (kept) => measure(escapeText(kept)) <= room);
  return `${escapeText(text.slice(0, end)).trimEnd()}${ellipsis}`;
}

/**
 * The end of the longest part from the start that fits, between graphemes. It halves what is left to search: to find
 * every grapheme takes many times longer than to measure some parts.
 */
function longestCut(text: string, fits: (kept: string) => boolean): number {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const segments = graphemes.segment(text);
  let [end, tooLong] = [0, text.length];
  for (;;) {
    const middle = segments.containing(Math.floor((end + tooLong) / 2));
    // None is there in an empty text.
    if (!middle) return end;
    const next = middle.index > end ? middle.index : end + middle.segment.length;
    if (next >= tooLong) return end;
    if (fits(text.slice(0, next))) end = next;
    else tooLong = next;
  }
}

/** The first lines, or other parts of a message, that fit into `room` together. */
export function linesThatFit<Line = string>(
  lines: readonly Line[],
  room: number,
  sizeOf: (lines: readonly Line[]) => number,
): Line[] {
  const tooMany = lines.findIndex((_, index) => sizeOf(lines.slice(0, index + 1)) > room);
  return lines.slice(0, tooMany === -1 ? lines.length : tooMany);
}

/** At most `limit` UTF-16 units, cut between graphemes and marked with an ellipsis. */
export function cutTo(text: string, limit: number): string {
  return fitInto(text, { limit });
}

/** The size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Takes no room, and apps do not read over it. */
const wordJoiner = '\u2060';

/**
 * Splits what an app would turn into a link or an emoji although the text has no markup: an address with or
 * without a scheme, also of numbers or of emoji, a mail address, a code such as :fire:. Nobody sees the word
 * joiner that splits it.
 */
export function withoutAutoLinks(text: string): string {
  return text.replace(
    /:(?=\/\/|[^\s:]+:)|(?<=\S)\.(?=[\p{L}\p{N}-]*\p{L}|\d{1,3}\.\d)|(?<=[\p{L}\p{N}_-])@(?=[\p{L}\p{N}-]*\p{L})/gu,
    `$&${wordJoiner}`,
  );
}

/** Text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function asIs(text: string): string {
  return text;
}

function units(text: string): number {
  return text.length;
}
