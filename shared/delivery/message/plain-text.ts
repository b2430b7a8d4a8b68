// Makes text from the market fit for people's channels: event and zone names are hostile input.

/** Line breaks, other controls, bidi overrides and isolates, and invisible marks that hide or flip text. */
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]+/g;

/** One line of plain, well-formed text: unwanted characters become one space, ends are trimmed. */
export function singleLine(text: string): string {
  return text.toWellFormed().replace(unwanted, ' ').replace(/ {2,}/g, ' ').trim();
}

/** Names are no longer than this in any message: longer ones are a mistake or an attack. */
const nameLimit = 200;

/** A name from the market as one line of bounded length, cut between graphemes. */
export function nameText(text: string, limit = nameLimit): string {
  return cutTo(singleLine(text), limit);
}

export interface Room {
  /** The most that may be used, in the channel's own unit. */
  limit: number;
  /** What the channel's syntax makes of the text; must act on each character by itself. @default nothing */
  escape?: (text: string) => string;
  /** How the channel counts. @default UTF-16 units */
  measure?: (text: string) => number;
}

const ellipsis = '…';
/** Made for the first text that does not fit: hardly any, and it takes long to load. */
let graphemes: Intl.Segmenter | undefined;

/**
 * The text, escaped, in at most `limit` units counted after escaping; cut between graphemes and marked
 * with an ellipsis where it does not fit.
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
