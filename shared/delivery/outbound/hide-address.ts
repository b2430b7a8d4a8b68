// Removes the receiver's URL, keys and tokens from the answer before the answer is stored: error pages repeat
// the request, and anybody with these secrets can post to the receiver.
import { plainBytes } from './plain-bytes.ts';

/** How much of an answer is read: far more than is stored. */
const readLimit = 16_000;
/** Shorter parts of a URL are not secret, and hiding them would hide ordinary words. */
const shortestPart = 4;
/** Pages cut long paths, so a part's start is hidden too if it has at least this length. */
const shortestStart = 8;
const placeholder = '[hidden]';

/**
 * The start of a text with secrets hidden: of a URL its path, path segments and query values, of any other
 * secret the whole; in upper or lower case, whole or cut, plain, URL-encoded, HTML-escaped or JSON-escaped.
 * Hosts stay.
 */
export function hideAddress(text: string, secrets: readonly string[]): string {
  // The usual answer, "ok" or nothing, is too short to repeat a part.
  if (text.length < shortestPart) return text;
  const read = text.slice(0, readLimit);
  const { bytes, starts, ends } = plainBytes(read);
  const hidden = new Uint8Array(read.length + 1);
  for (const part of new Set(secrets.flatMap(partsOf))) {
    for (const [from, to] of placesOf(part, bytes)) hidden.fill(1, starts[from], ends[to - 1]);
  }
  return withPlaceholders(read, hidden);
}

function withPlaceholders(text: string, hidden: Uint8Array): string {
  let shown = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!hidden[at]) shown += text[at];
    else if (!hidden[at - 1]) shown += placeholder;
  }
  return shown;
}

/**
 * The parts to hide, as plain bytes: of a URL the path with and without query, each end of the path, each
 * segment and value.
 */
function partsOf(secret: string): string[] {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  return (url ? partsOfUrl(url) : [secret])
    .map((part) => plainBytes(part).bytes)
    .filter((part) => part.length >= shortestPart);
}

function partsOfUrl({ pathname, search }: URL): string[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const ends = segments.map((_, from) => segments.slice(from).join('/'));
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const whole = [pathname + search, pathname, search.slice(1), ...ends.map((end) => end + search)];
  return [...whole, ...ends, ...segments, ...values];
}

/** The places in the bytes of a part, or of enough of its start: from, and up to. */
function* placesOf(part: string, bytes: string): Generator<[number, number]> {
  const start = part.slice(0, shortestStart);
  for (let from = bytes.indexOf(start); from >= 0; from = bytes.indexOf(start, from + 1)) {
    let length = start.length;
    while (length < part.length && part[length] === bytes[from + length]) length += 1;
    yield [from, from + length];
  }
}
