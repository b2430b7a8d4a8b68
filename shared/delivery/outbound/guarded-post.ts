// The one way out to people's URLs: checked, pinned to the checked address, short and bounded.
import { lookup as resolveName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { remembered } from '../../alerts/remembered.ts';
import {
  type Connection,
  createKeptConnections,
  type Origin,
  type ResolvedAddress,
} from './kept-connections.ts';
import {
  judgeUrl,
  mayConnectTo,
  type OutboundPolicy,
  type RefusalReason,
} from './outbound-address.ts';
import { AnswerReading, type PostAnswer } from './post-answer.ts';

export type { PostAnswer } from './post-answer.ts';

/** Thrown when the guard refuses the URL or what it resolves to; trying again is pointless. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`the address is refused: ${reason}`);
    this.reason = reason;
  }
}

/** Thrown when the one deadline is over; the receiver may have read everything. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

export type ResolveName = (hostname: string) => Promise<ResolvedAddress[]>;

/**
 * Posts a body to a person's URL. Redirects are not followed; the caller sees the 3xx. Each post
 * resolves the name and checks every address afresh; a connection that was kept is used again only
 * while the name has the very addresses that it was opened for.
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

interface Message {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A client of its own connections, each opened to an address that was checked. */
export function createGuardedPost({
  policy,
  resolve = (hostname) => resolveName(hostname, { all: true }),
  timeoutMs = 10_000,
}: GuardedPostOptions): GuardedPost {
  const resolveChecked = createCheckedResolve({ policy, resolve, timeoutMs });
  const takeConnection = createKeptConnections();
  // By its text alone, so once for all messages to it.
  const readUrl = remembered((url: string) => siteOf(judgeUrl(url, policy)));

  return async function postGuarded({ url, headers, body }) {
    const site = readUrl(url);
    if (typeof site === 'string') throw new RefusedAddressError(site);
    const until = performance.now() + timeoutMs;
    const { origin, isAddress, path } = site;
    const addresses = isAddress ? [] : await resolveChecked(origin.hostname);
    const connection = takeConnection(origin, addresses);
    return exchange({ path, headers, body }, connection, until);
  };
}

/**
 * One message and its answer on a connection, which is kept afterwards if it can be.
 * @param until when everything must be over, on the process's monotonic clock.
 */
function exchange(message: Message, connection: Connection, until: number): Promise<PostAnswer> {
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
        // The receiver closed a kept connection just as it was taken: nothing was read of this one.
        const isStale = isReused && !(error instanceof DeadlineError);
        if (isStale) exchange(message, connection.another(), until).then(settle, reject);
        else reject(error);
      },
    });
    const deadline = setTimeout(() => reading.stop(new DeadlineError()), until - performance.now());
    connection.post(message, reading);
  });
}

/**
 * Resolves once and refuses a name with any address that is not public; whoever asks for the same name
 * meanwhile gets the same answer, so that a name server that is slow or dead is waited for once.
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

/** @throws DeadlineError if the answer isn't there in time; it is let go of unread. */
function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((settle, reject) => {
    const deadline = setTimeout(() => reject(new DeadlineError()), timeoutMs);
    answer.then(settle, reject).finally(() => clearTimeout(deadline));
  });
}

/** Where a URL leads, as a connection and a request say it. */
interface Site {
  origin: Origin;
  /** Whether the host is an address, which the URL's judge has checked, and not a name to resolve. */
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

/** Why no answer came, in a word for the channel's owner. Each of these faults may pass (B43). */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'network_error';
  if (error instanceof DeadlineError) return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (tlsCodes.test(code)) return 'tls_certificate';
  return networkReasons[code] ?? (error.cause ? networkReason(error.cause) : 'network_error');
}
