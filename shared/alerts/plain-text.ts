// Makes text from the market fit for people's channels: event and zone names are hostile input.

/** Line breaks, other controls, bidi overrides and isolates, and invisible marks that hide or flip text. */
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]+/g;

/** One line of plain text: unwanted characters become one space, ends are trimmed. */
export function singleLine(text: string): string {
  return text.replace(unwanted, ' ').replace(/ {2,}/g, ' ').trim();
}

/** At most `limit` UTF-16 units, cut between graphemes and marked with an ellipsis. */
export function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (kept.length + segment.length > limit - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
