// Decodes text from web pages to the original bytes: undoes URL encoding, HTML escapes and JSON escapes, also
// when one was applied on top of another.

/** A character of a text, escaped or not. */
const token =
  /%(?:25)*([0-9a-f]{2})|&(?:amp;)*(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|sol|quest|equals|percnt|num|period|lowbar|colon|comma));?|(\\+ud[89ab][0-9a-f]{2}\\+ud[c-f][0-9a-f]{2}|\\+u[0-9a-f]{4})|\\+([/"'])|\\+|[\s\S]/giu;

const named: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', quest: '?', equals: '=' },
  ...{ percnt: '%', num: '#', period: '.', lowbar: '_', colon: ':', comma: ',' },
};

export interface PlainBytes {
  /** The decoded UTF-8 bytes, one character each, in lower case; without backslashes, which escapes add. */
  bytes: string;
  /** For each byte, where its character and the backslashes before it begin in the text. */
  starts: number[];
  /** For each byte, where its character and the backslashes after it end. */
  ends: number[];
}

export function plainBytes(text: string): PlainBytes {
  const starts: number[] = [];
  const ends: number[] = [];
  let bytes = '';
  let skippedFrom: number | undefined;
  for (const match of text.matchAll(token)) {
    const { index } = match;
    const meant = byteOf(match) ?? bytesOf(characterOf(match));
    if (/^\\+$/.test(meant)) {
      skippedFrom ??= index;
      continue;
    }
    while (ends.length < starts.length) ends.push(index);
    for (let each = 0; each < meant.length; each += 1) starts.push(skippedFrom ?? index);
    bytes += meant;
    skippedFrom = undefined;
  }
  while (ends.length < starts.length) ends.push(text.length);
  return { bytes: bytes.toLowerCase(), starts, ends };
}

function byteOf([, percent]: RegExpExecArray): string | undefined {
  return percent === undefined ? undefined : String.fromCharCode(Number.parseInt(percent, 16));
}

function characterOf([whole, , decimal, hex, name, units, escaped]: RegExpExecArray): string {
  if (decimal !== undefined) return characterAt(Number(decimal)) ?? whole;
  if (hex !== undefined) return characterAt(Number.parseInt(hex, 16)) ?? whole;
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  if (units !== undefined) return textOf(units);
  return escaped ?? whole;
}

/** @param escapes one escape, or two for a character beyond the BMP. */
function textOf(escapes: string): string {
  const units = escapes.split(/\\+u/i).slice(1);
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
}

function characterAt(codePoint: number): string | undefined {
  return codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : undefined;
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
