// The product stores the market's times by our clock: minus the offset that it measured from the `Date`
// header, in whole seconds. The header has no fractions of a second, so the measured offset may differ by some
// seconds from the true one.

const secondMs = 1_000;
/** On a busy machine an answer may take this long. */
const mostSecondsOff = 10;

/**
 * The time under which a refresh is stored, epoch milliseconds.
 * @param stamp the refresh's time by the marketplace's clock.
 * @param stored all times under which refreshes of its event are stored.
 * @returns undefined when it is not stored.
 */
export function storedTimeOf(
  stamp: number,
  { stored, marketAheadMs }: { stored: ReadonlySet<number>; marketAheadMs: number },
): number | undefined {
  const meant = stamp - marketAheadMs;
  for (let seconds = 0; seconds <= mostSecondsOff; seconds += 1) {
    const near = [meant + seconds * secondMs, meant - seconds * secondMs];
    const found = near.find((at) => stored.has(at));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Everything of one event, with the times under which it is stored; a refresh that is not stored, by our clock. */
export function inOurTime<Seen extends { observedAt: number }>(
  seen: readonly Seen[],
  from: { stored: ReadonlySet<number>; marketAheadMs: number },
): Seen[] {
  return seen.map((one) => ({
    ...one,
    observedAt: storedTimeOf(one.observedAt, from) ?? one.observedAt - from.marketAheadMs,
  }));
}
