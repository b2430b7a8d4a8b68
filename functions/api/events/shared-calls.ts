// Divides the calls that all owners share in a window: one owner never gets all of them, and only the
// owner who used up a share is told to wait.
import type { WindowShareStore } from '#shared/dynamo/window-shares.ts';
import { problem } from '../problem.ts';

/** Calls that all owners share. */
export interface SharedCalls {
  /** Names the window's counter. */
  name: string;
  /** What the calls are, in the words of an error: "searches". */
  what: string;
  limit: number;
  windowSeconds: number;
}

/**
 * The calls that one owner may use while so many owners use the window. A place is left for one more
 * owner, so that the first one can't use all.
 */
export function shareOfWindow(limit: number, owners: number): number {
  return Math.max(1, Math.floor(limit / (owners + 1)));
}

/**
 * Counts one call to an owner, over all instances of the API.
 * @throws ProblemError 429 when the owner's own share is used up, 503 when all calls are; nothing is
 * counted then.
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
  // Each lost try has seen another call counted, of which there are `limit` at most.
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
