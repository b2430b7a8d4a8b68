// Divides the calls per window among all owners: one owner never gets all of them, and only an
// owner who used up a share has to wait.
import type { WindowShareStore } from '#shared/dynamo/window-shares.ts';
import { problem } from '../problem.ts';

/** A limited number of calls that all owners share. */
export interface SharedCalls {
  /** Name of the window's counter. */
  name: string;
  /** The plural noun for the error text: "searches". */
  what: string;
  limit: number;
  windowSeconds: number;
}

/**
 * The calls that one owner may use when this many owners use the window. One owner's place stays free,
 * so that the first owner can't use everything.
 */
export function shareOfWindow(limit: number, owners: number): number {
  return Math.max(1, Math.floor(limit / (owners + 1)));
}

/**
 * Counts one call for an owner, over all instances of the API.
 * @throws ProblemError 429 when the owner's own share is used up, 503 when all calls are; then nothing
 * is counted.
 */
export async function takeSharedCall(
  windowShares: WindowShareStore,
  calls: SharedCalls,
  ownerId: string,
  now: number,
): Promise<void> {
  const { name, limit, windowSeconds } = calls;
  const seconds = now / 1_000;
  const startsAt = Math.floor(seconds / windowSeconds) * windowSeconds;
  const waitSeconds = Math.ceil(startsAt + windowSeconds - seconds);
  // Each failed try means that another call was counted, and there are at most `limit` of those.
  for (let attempt = 0; attempt <= limit; attempt += 1) {
    const use = await windowShares.read(name, startsAt);
    const used = Object.hasOwn(use.byOwner, ownerId) ? (use.byOwner[ownerId] ?? 0) : 0;
    const owners = new Set([...Object.keys(use.byOwner), ownerId]).size;
    const share = shareOfWindow(limit, owners);
    if (used >= share) throw ownShareUsed(calls, Math.max(used, share), waitSeconds);
    if (use.total >= limit) break;
    if (await windowShares.add(use, ownerId)) return;
  }
  throw allUsed(calls, waitSeconds);
}

function ownShareUsed({ what, limit, windowSeconds }: SharedCalls, share: number, wait: number) {
  return problem(
    'rate-limited',
    `Your share of the ${what} is used up: ${share} of the ${limit} that all owners together can make in ${windowSeconds} s; try again in ${wait} s`,
    { headers: { 'retry-after': String(wait) } },
  );
}

function allUsed({ what, limit, windowSeconds }: SharedCalls, wait: number) {
  return problem(
    'marketplace-unavailable',
    `All ${what} of this window are used up: ${limit} in ${windowSeconds} s for all owners together; try again in ${wait} s`,
    { headers: { 'retry-after': String(wait) } },
  );
}
