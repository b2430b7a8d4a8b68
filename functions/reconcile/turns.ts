// Spreads the maintenance of a large fleet over many runs: each shard of the feeds has its turn, and a
// shard with more than a run takes is worked through over several turns.
import { shardCount } from '#shared/dynamo/shard.ts';
import { timing } from '#shared/timing.ts';

/** Each run of reconcile is the turn of one shard. */
const turnMs = timing.reconcileEveryMs;

/** The shard whose turn it is at a time, epoch milliseconds. */
export function shardOfTurn(now: number): number {
  return Math.floor(now / turnMs) % shardCount;
}

/** Of the shard's items, as many as one run takes; its next turn takes the next ones. */
export function lotOfTurn<Item>(items: readonly Item[], perRun: number, now: number): Item[] {
  const lot = turnsBefore(now) % lotsOf(items, perRun);
  return items.slice(lot * perRun, (lot + 1) * perRun);
}

/** How often all of the shard's items have been worked through before. */
export function passesBefore(items: readonly unknown[], perRun: number, now: number): number {
  return Math.floor(turnsBefore(now) / lotsOf(items, perRun));
}

function lotsOf(items: readonly unknown[], perRun: number): number {
  return Math.max(1, Math.ceil(items.length / perRun));
}

/** How many turns the shard of a time has had before. */
function turnsBefore(now: number): number {
  return Math.floor(now / turnMs / shardCount);
}

/**
 * Runs a step once in each turn: a schedule that fires more often than turns change would only repeat
 * the same reads. The memory is this process's own; a second run of a turn is harmless.
 * @returns the step; it answers undefined where this turn's work is done already.
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
