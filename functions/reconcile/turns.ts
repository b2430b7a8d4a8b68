// Spreads the maintenance of a large fleet over many runs: each shard of the feeds has its turn, and
// a shard that is too large for one run takes several turns.
import { shardCount } from '#shared/dynamo/shard.ts';
import { timing } from '#shared/timing.ts';

/** Each run of reconcile handles one shard. */
const turnMs = timing.reconcileEveryMs;

/** The shard whose turn it is at a time, epoch milliseconds. */
export function shardOfTurn(now: number): number {
  return Math.floor(now / turnMs) % shardCount;
}

/** As many of the shard's items as one run takes; its next turn takes the next ones. */
export function lotOfTurn<Item>(items: readonly Item[], perRun: number, now: number): Item[] {
  const lot = turnsBefore(now) % lotsOf(items, perRun);
  return items.slice(lot * perRun, (lot + 1) * perRun);
}

/** How many full passes over the shard's items came before. */
export function passesBefore(items: readonly unknown[], perRun: number, now: number): number {
  return Math.floor(turnsBefore(now) / lotsOf(items, perRun));
}

function lotsOf(items: readonly unknown[], perRun: number): number {
  return Math.max(1, Math.ceil(items.length / perRun));
}

/** How many turns the current shard had before. */
function turnsBefore(now: number): number {
  return Math.floor(now / turnMs / shardCount);
}

/**
 * Runs a step once per turn: a schedule that fires more often than turns change would only repeat
 * the same reads. The memory is local to the process; a second run of a turn is harmless.
 * @returns the step; it returns undefined if this turn's work is already done.
 */
export function oncePerTurn<Items, Answer>(
  step: (items: Items, now: number) => Promise<Answer>,
): (items: Items, now: number) => Promise<Answer | undefined> {
  let doneTurn: number | undefined;
  return async (items, now) => {
    const turn = Math.floor(now / turnMs);
    if (turn === doneTurn) return undefined;
    const answer = await step(items, now);
    doneTurn = turn;
    return answer;
  };
}
