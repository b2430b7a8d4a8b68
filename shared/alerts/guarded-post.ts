// The one way out to people's URLs: checked, pinned to the checked address, short and bounded.
import { lookup as resolveName } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  judgeUrl,
  mayConnectTo,
  type OutboundPolicy,
  type RefusalReason,
} from './outbound-address.ts';

/** One deadline for name, connection, answer and body together. */
const timeoutMs = 10_000;
/** More of an answer than this is not read. */
const bodyLimitBytes = 64 * 1024;

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
  headers: IncomingMessage['headers'];
  /** The start of the body, as text. */
  excerpt: string;
}

export type ResolveName = (hostname: string) => Promise<{ address: string; family: number }[]>;

/**
 * Posts a body to a person's URL. Redirects are not followed; the caller sees the 3xx.
 * @throws RefusedAddressError for an address that is not public; any other error is the network's.
 */
export async function postGuarded(
  target: { url: string; headers: Record<string, string>; body: string },
  policy: OutboundPolicy,
  resolve: ResolveName = (hostname) => resolveName(hostname, { all: true }),
): Promise<PostAnswer> {
  const url = judgeUrl(target.url, policy);
  if (typeof url === 'string') throw new RefusedAddressError(url);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((settle, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...target.headers, 'content-length': String(Buffer.byteLength(target.body)) },
      lookup: pinnedLookup(policy, resolve),
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.on('response', settle);
    request.on('error', reject);
    request.end(target.body);
  });
  const status = answer.statusCode ?? 0;
  return { status, headers: answer.headers, excerpt: await readExcerpt(answer) };
}

/** Resolves once, refuses a name with any address that is not public, and connects to what it checked. */
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
        if (options.all) callback(null, [first]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}

/** The status line decides about success; a body that drips, breaks or never ends only costs its excerpt. */
async function readExcerpt(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= bodyLimitBytes) break;
    }
  } catch {
    // What arrived before the deadline or the break is the excerpt.
  }
  answer.destroy();
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyLimitBytes));
}
