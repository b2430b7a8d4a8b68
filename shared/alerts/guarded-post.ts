// The one way out to people's URLs: checked, pinned to the checked address, short and bounded.
import { lookup as resolveName } from 'node:dns/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import {
  judgeUrl,
  mayConnectTo,
  type OutboundPolicy,
  type RefusalReason,
} from './outbound-address.ts';

/** More of an answer than this is not read. */
const bodyLimitBytes = 64 * 1024;
/** Shorter than receivers keep idle connections, so that a reused one is still open (B88). */
const keepAliveMs = 4_000;

/** Thrown when the guard refuses the URL or what it resolves to; trying again is pointless. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`the address is refused: ${reason}`);
    this.reason = reason;
  }
}

export interface PostAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The start of the body, as text; always well-formed. */
  excerpt: string;
}

export type ResolveName = (hostname: string) => Promise<{ address: string; family: number }[]>;

/**
 * Posts a body to a person's URL. Redirects are not followed; the caller sees the 3xx. The answer's
 * coding (gzip) is not undone, so that nothing can grow in memory.
 * @throws RefusedAddressError for an address that is not public; any other error is the network's.
 */
export type GuardedPost = (target: {
  url: string;
  headers: Record<string, string>;
  body: string;
}) => Promise<PostAnswer>;

export interface GuardedPostOptions {
  policy: OutboundPolicy;
  /** @default the system's resolver */
  resolve?: ResolveName;
  /** One deadline for name, connection, answer and body together. @default 10,000 */
  timeoutMs?: number;
}

/** A client of its own connections, each opened to an address that was checked. */
export function createGuardedPost({
  policy,
  resolve = (hostname) => resolveName(hostname, { all: true }),
  timeoutMs = 10_000,
}: GuardedPostOptions): GuardedPost {
  const dispatcher = new Agent({
    connect: { lookup: pinnedLookup(policy, resolve), timeout: timeoutMs },
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  return async function postGuarded({ url: text, headers, body }) {
    const url = judgeUrl(text, policy);
    if (typeof url === 'string') throw new RefusedAddressError(url);
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      excerpt: await readExcerpt(answer.body),
    };
  };
}

/**
 * Resolves once, refuses a name with any address that is not public, and hands out only what it
 * checked: the connection cannot go anywhere else.
 */
function pinnedLookup(policy: OutboundPolicy, resolve: ResolveName): LookupFunction {
  return function lookupChecked(hostname, options, callback) {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const areAllAllowed = addresses.every(({ address }) => mayConnectTo(address, policy));
        if (!first || !areAllAllowed) {
          callback(new RefusedAddressError('address_not_public'), '', 0);
          return;
        }
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}

/** The status line decides about success; a body that drips, breaks or never ends only costs its excerpt. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= bodyLimitBytes) break;
    }
  } catch {
    // What arrived before the deadline or the break is the excerpt.
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyLimitBytes));
}

const tlsCodes = /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

const networkReasons: Record<string, string> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_resolved',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

/** Why no answer came, in a word that its owner understands. Every one of them may pass (B43). */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'network_error';
  if (error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (tlsCodes.test(code)) return 'tls_certificate';
  return networkReasons[code] ?? (error.cause ? networkReason(error.cause) : 'network_error');
}
