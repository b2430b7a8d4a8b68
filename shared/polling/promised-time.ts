// The promise of the service: an alert within two minutes of the market's refresh. This says for which snapshots it
// holds, and from when its time counts. Pure.
import { heldByBudget, type Look } from './look.ts';

/** Polls start once a minute, so no watch can be told with a shorter latency; a longer one has that much more time. */
const shortestLatencyMs = 60_000;

/**
 * The reasons for which a feed was polled late because pulls cost money, or because nothing was expected of it: the
 * turn of a short budget, a cap that was used up, a marketplace that takes no charged calls, an event that seemed
 * over or unknown. Faults of ours and of the marketplace are none of them, because a person waits for both.
 */
const waitsOutsideThePromise = new Set([
  'stretched_by_budget',
  heldByBudget,
  'paused',
  'pause',
  'over',
  'not_found',
]);

export interface SeenSnapshot {
  /** When the market had it, epoch milliseconds. */
  observedAt: number;
  /** The poll that brought it; undefined for snapshots of earlier releases. */
  look: Look | undefined;
  /** How late the watch allows its alerts to be. */
  latencySeconds: number;
}

/**
 * The time from which the two minutes count, epoch milliseconds: the refresh, later by what the watch allows beyond a
 * minute. A snapshot that the poll before it could not see yet was published late, and counts from that poll.
 * Undefined if the alert is not promised.
 */
export function promisedTime({
  observedAt,
  look,
  latencySeconds,
}: SeenSnapshot): number | undefined {
  if (!look || waitsOutsideThePromise.has(look.reason ?? '')) return undefined;
  const allowedMs = Math.max(0, latencySeconds * 1_000 - shortestLatencyMs);
  return Math.max(observedAt, look.before ?? observedAt) + allowedMs;
}
