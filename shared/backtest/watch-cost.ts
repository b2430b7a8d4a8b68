// What watching would have cost: a pull tells everything since the last one, so several refreshes within the
// wished latency cost one pull.

/**
 * The fewest pulls that tell each snapshot within the latency.
 * @param times of the snapshots, in time order; epoch milliseconds.
 */
export function pullsFor(times: readonly number[], latencyMs: number): number {
  let pulls = 0;
  let toldThrough = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time <= toldThrough) continue;
    pulls += 1;
    toldThrough = time + latencyMs;
  }
  return pulls;
}
