// The shards of an event: an event with thousands of triggers has several, so that as many evaluators work on it at the
// same time. A shard is filled with the triggers that are made one after the other, and then the next one is begun. A
// trigger stays in its shard, so nothing moves when an event gets another shard.

/** Triggers of one shard. An evaluator raises so many alerts in some ten seconds. */
export const triggersPerShard = 1_000;
/** Beyond them, the shards are filled again from the first on. */
export const mostShards = 64;

/** The shard of the next triggers, after so many of the event have been placed; 0 is the first. */
export function nextShard(placed: number): number {
  return Math.floor(placed / triggersPerShard) % mostShards;
}

/** The number of shards that may have triggers, after so many have been placed; 1 or more. */
export function shardsAfter(placed: number): number {
  return Math.min(mostShards, Math.max(1, Math.ceil(placed / triggersPerShard)));
}

/** Whether a stored number can be a shard. */
export function isShard(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < mostShards;
}
