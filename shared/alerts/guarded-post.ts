// The one way out to people's URLs: checked, pinned to the checked address, short and bounded.
import { lookup as resolveName } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
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

interface Target {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/** A client of its own connections, each opened to an address that was checked. */
export function createGuardedPost({
  policy,
  resolve = (hostname) => resolveName(hostname, { all: true }),
  timeoutMs = 10_000,
}: GuardedPostOptions): GuardedPost {
  const lookup = pinnedLookup(policy, resolve);
  const kept = { keepAlive: true, timeout: keepAliveMs };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  function open({ url, headers, body }: Target): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const options: RequestOptions = {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup,
      agent: isSecure ? agents.https : agents.http,
    };
    return isSecure ? httpsRequest(options) : httpRequest(options);
  }

  /** @param until when everything must be over, on the process's monotonic clock. */
  function exchange(target: Target, until: number): Promise<PostAnswer> {
    return new Promise((settle, reject) => {
      const request = open(target);
      let isAnswered = false;
      const deadline = setTimeout(
        () => request.destroy(new DeadlineError()),
        until - performance.now(),
      );
      request.on('close', () => clearTimeout(deadline));
      request.on('response', (answer) => {
        isAnswered = true;
        readAnswer(answer, settle);
      });
      request.on('error', (error) => {
        if (isAnswered) return;
        // The receiver closed a kept connection just as it was taken: nothing was read of this one.
        const isStale = request.reusedSocket && !(error instanceof DeadlineError);
        if (!isStale) return reject(error);
        exchange(target, until).then(settle, reject);
      });
      request.end(target.body);
    });
  }

  return async function postGuarded({ url: text, headers, body }) {
    const url = judgeUrl(text, policy);
    if (typeof url === 'string') throw new RefusedAddressError(url);
    return exchange({ url, headers, body }, performance.now() + timeoutMs);
  };
}

/** Thrown when the one deadline is over; the receiver may have read everything. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
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
function readAnswer(answer: IncomingMessage, settle: (answer: PostAnswer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = () => {
    const bytes = Buffer.concat(chunks).subarray(0, bodyLimitBytes);
    const excerpt = bytes.length === 0 ? '' : new TextDecoder().decode(bytes);
    settle({ status: answer.statusCode ?? 0, headers: answer.headers, excerpt });
  };
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bodyLimitBytes) answer.destroy();
  });
  // What arrived before the deadline or the break is the excerpt.
  answer.on('error', () => {});
  answer.on('close', finish);
}

const tlsCodes = /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

const networkReasons: Record<string, string> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_resolved',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  ETIMEDOUT: 'timeout',
};

/** Why no answer came, in a word that its owner understands. Every one of them may pass (B43). */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'network_error';
  if (error instanceof DeadlineError) return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (tlsCodes.test(code)) return 'tls_certificate';
  return networkReasons[code] ?? (error.cause ? networkReason(error.cause) : 'network_error');
}
