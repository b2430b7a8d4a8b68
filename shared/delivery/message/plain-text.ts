// Makes text from the market safe for people's channels, because event and zone names are hostile input.

/** Line breaks, other controls, bidi overrides and isolates, and invisible marks that hide or flip text. */
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]+/g;

/** One line of plain, well-formed text: unwanted characters become one space, ends are trimmed. */
export function singleLine(text: string): string {
  return text.toWellFormed().replace(unwanted, ' ').replace(/ {2,}/g, ' ').trim();
}

/** The longest name in any message; a longer name is a mistake or an attack. */
const nameLimit = 200;

/** A name from the market as one line of bounded length, cut between graphemes. */
export function nameText(text: string, limit = nameLimit): string {
  return cutTo(singleLine(text), limit);
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
  let room = limit - measure(ellipsis);
  let kept = '';
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) {
    const escaped = escapeText(segment);
    room -= measure(escaped);
    if (room < 0) break;
    kept += escaped;
  }
  return `${kept.trimEnd()}${ellipsis}`;
}

/** At most `limit` UTF-16 units, cut between graphemes and marked with an ellipsis. */
export function cutTo(text: string, limit: number): string {
  return fitInto(text, { limit });
}

/** The size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
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
