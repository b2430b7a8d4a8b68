// Spreads the maintenance of a large fleet over many runs: each shard of the feeds has its turn, and a
// shard with more than a run takes is worked through over several turns.
import { shardCount } from '#shared/dynamo/shard.ts';

/** One shard has its turn in each span of this length. */
const turnMs = 5 * 60_000;

/** The shard whose turn it is at a time, epoch milliseconds. */
export function shardOfTurn(now: number): number {
  return Math.floor(now / turnMs) % shardCount;
}

/** Of the shard's items, as many as one run takes; its next turn takes the next ones. */
export function lotOfTurn<Item>(items: readonly Item[], perRun: number, now: number): Item[] {
  const lots = Math.ceil(items.length / perRun);
  const turnsBefore = Math.floor(now / turnMs / shardCount);
  const lot = lots === 0 ? 0 : turnsBefore % lots;
  return items.slice(lot * perRun, (lot + 1) * perRun);
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
