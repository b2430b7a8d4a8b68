// ETag and If-None-Match (RFC 9110, 8.8.3 and 13.1.2): a client that reads again sends the tag of the answer that
// it has, and gets 304 without a body if nothing has changed. The answer is still computed, and the request counts.
import { createHash } from 'node:crypto';

/** 16 bytes: two different answers get one mark by chance in 2^64 answers. */
const markLetters = 22;

/** The rest of a tag after a version; no version contains a dot. */
const markBegins = '.';

/**
 * The tag of an answer: its version, a mark of its bytes, or both as "VERSION.MARK". The bytes of one version can
 * differ: a watch is shown with the price now. If-Match compares the version alone.
 */
export function etagOf(of: {
  version: number | string | undefined;
  /** null or undefined for an answer that can't be revalidated. */
  content: string | null | undefined;
}): string | undefined {
  const { version, content } = of;
  const mark = content == null ? [] : [markOf(content)];
  const parts = [...(version === undefined ? [] : [version]), ...mark];
  return parts.length === 0 ? undefined : `"${parts.join(markBegins)}"`;
}

function markOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, markLetters);
}

/** Whether a tag, as a client sent it, names this version. A weak tag names none (RFC 9110, 8.8.3.2). */
export function namesVersion(tag: string, version: number | string): boolean {
  return tag === `"${version}"` || tag.startsWith(`"${version}${markBegins}`);
}

/** Whether If-None-Match has the tag, so that the client has this answer; weak tags count (RFC 9110, 13.1.2). */
export function hasCurrent(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  const sent = tagsIn(ifNoneMatch);
  return sent.includes('*') || sent.includes(etag);
}

/** The tag in If-None-Match that names a version, whatever its mark is. */
export function tagOfVersion(
  ifNoneMatch: string | undefined,
  version: number | string,
): string | undefined {
  return tagsIn(ifNoneMatch ?? '').find((tag) => namesVersion(tag, version));
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

/**
 * The headers of an answer that only its reader may store, and must ask about before each use.
 * @param needsKey whether another key is another reader.
 */
export function revalidatedHeaders(needsKey: boolean): Record<string, string> {
  const cacheControl = { 'cache-control': 'private, no-cache' };
  return needsKey ? { ...cacheControl, vary: 'Authorization, Cookie' } : cacheControl;
}
