// The only way to call people's URLs: it checks the address, connects only to it, and limits time and size.
import { lookup as resolveName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { remembered } from '../../alerts/remembered.ts';
import type { HttpRequest } from '../channels/channel-kind.ts';
import {
  type Connection,
  createKeptConnections,
  type Origin,
  type PlacedRequest,
  type ResolvedAddress,
} from './kept-connections.ts';
import {
  judgeUrl,
  mayConnectTo,
  type OutboundPolicy,
  type RefusalReason,
} from './outbound-address.ts';
import { AnswerReading, type PostAnswer } from './post-answer.ts';

/** Thrown when the guard refuses the URL or an address that it resolves to; a retry is pointless. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`the address is refused: ${reason}`);
    this.reason = reason;
  }
}

/** Thrown when the deadline is over; the receiver may have read the whole message. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

export type ResolveName = (hostname: string) => Promise<ResolvedAddress[]>;

/**
 * Sends a body to a person's URL, by POST unless the request says otherwise. Redirects are not followed; the caller gets the 3xx. Each post resolves
 * the name and checks every address again. A kept connection is reused only while the name has the same
 * addresses as when the connection was opened.
 * @throws RefusedAddressError for an address that is not public; any other error is the network's.
 */
export type GuardedPost = (request: HttpRequest) => Promise<PostAnswer>;

export interface GuardedPostOptions {
  policy: OutboundPolicy;
  /** @default the system's resolver */
  resolve?: ResolveName;
  /** One deadline for the look-up, the connection, the answer and its body together. @default 10,000 */
  timeoutMs?: number;
}

/** Each client has its own connections, opened only to checked addresses. */
export function createGuardedPost({
  policy,
  resolve = (hostname) => resolveName(hostname, { all: true }),
  timeoutMs = 10_000,
}: GuardedPostOptions): GuardedPost {
  const resolveChecked = createCheckedResolve({ policy, resolve, timeoutMs });
  const takeConnection = createKeptConnections();
  // The check reads only the text, so cache its result by URL.
  const readUrl = remembered((url: string) => siteOf(judgeUrl(url, policy)));

  return async function postGuarded({ method = 'POST', url, headers, body }) {
    const site = readUrl(url);
    if (typeof site === 'string') throw new RefusedAddressError(site);
    const until = performance.now() + timeoutMs;
    const { origin, isAddress, path } = site;
    const addresses = isAddress ? [] : await resolveChecked(origin.hostname);
    const connection = takeConnection(origin, addresses);
    return exchange({ method, path, headers, body }, connection, until);
  };
}

/**
 * Sends one message, reads its answer, and keeps the connection if possible.
 * @param until the deadline, on the process's monotonic clock.
 */
function exchange(
  message: PlacedRequest,
  connection: Connection,
  until: number,
): Promise<PostAnswer> {
  return new Promise((settle, reject) => {
    const reading = new AnswerReading({
      onAnswer: (answer, isWhole) => {
        clearTimeout(deadline);
        if (isWhole) connection.keep();
        else connection.drop();
        settle(answer);
      },
      onFailure: (error) => {
        clearTimeout(deadline);
        const { isReused } = connection;
        connection.drop();
        // The receiver has probably closed a kept connection at the moment of reuse and read nothing: post again.
        const isStale = isReused && !(error instanceof DeadlineError);
        if (!isStale) return reject(error);
        const second = exchange(message, connection.another(), until);
        second.then((answer) => settle({ ...answer, isSecond: true }), reject);
      },
    });
    const deadline = setTimeout(() => reading.stop(new DeadlineError()), until - performance.now());
    // Kept connections write the messages of one batch in a row. Written one by one, each wakes a receiver
    // that has begun to wait, which took 40 of 90 microseconds in the delivery bench.
    const post = () => connection.post(message, reading);
    if (connection.isReused) setImmediate(post);
    else post();
  });
}

/**
 * Resolves a name and refuses it if any of its addresses is not public. Concurrent calls for one name share
 * one lookup, so a slow or dead name server delays them only once.
 */
function createCheckedResolve({
  policy,
  resolve,
  timeoutMs,
}: Required<GuardedPostOptions>): ResolveName {
  const underWay = new Map<string, Promise<ResolvedAddress[]>>();

  async function resolveChecked(hostname: string): Promise<ResolvedAddress[]> {
    const addresses = await resolve(hostname);
    const areAllAllowed = addresses.every(({ address }) => mayConnectTo(address, policy));
    if (addresses.length === 0 || !areAllAllowed) {
      throw new RefusedAddressError('address_not_public');
    }
    return addresses;
  }

  return (hostname) => {
    const asked = underWay.get(hostname);
    if (asked !== undefined) return asked;
    const asking = within(timeoutMs, resolveChecked(hostname)).finally(() =>
      underWay.delete(hostname),
    );
    underWay.set(hostname, asking);
    return asking;
  };
}

/** @throws DeadlineError if the answer is late; a late answer is ignored. */
function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((settle, reject) => {
    const deadline = setTimeout(() => reject(new DeadlineError()), timeoutMs);
    answer.then(settle, reject).finally(() => clearTimeout(deadline));
  });
}

/** The parts of a URL that a connection and a request need. */
interface Site {
  origin: Origin;
  /** Whether the host is an IP address, which `judgeUrl` has checked, and not a name to resolve. */
  isAddress: boolean;
  path: string;
}

function siteOf(judged: URL | RefusalReason): Site | RefusalReason {
  if (typeof judged === 'string') return judged;
  const { protocol, host, port, pathname, search } = judged;
  const isSecure = protocol === 'https:';
  const hostname = judged.hostname.replace(/^\[|\]$/g, '');
  return {
    origin: {
      isSecure,
      host,
      hostname,
      port: port === '' ? defaultPort(isSecure) : Number(port),
    },
    isAddress: isIP(hostname) !== 0,
    path: pathname + search,
  };
}

function defaultPort(isSecure: boolean): number {
  return isSecure ? 443 : 80;
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

/** Why no answer came, in a word for the channel's owner. Each of these faults may be temporary (B43). */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'network_error';
  if (error instanceof DeadlineError) return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (tlsCodes.test(code)) return 'tls_certificate';
  return networkReasons[code] ?? (error.cause ? networkReason(error.cause) : 'network_error');
}
