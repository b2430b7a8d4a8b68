// The offset of the service's clock from ours, measured from the `Date` header of its answers. Market
// timestamps are by the service's clock, all other times by ours. Pure.

/** The measured difference of the two clocks. */
export interface MarketClock {
  /** The service's time minus ours. */
  offsetMs: number;
  /** A different measurement that waits for a second one like it. */
  candidateMs?: number | undefined;
}

/**
 * The header has whole seconds and the answer takes time to arrive, so a smaller difference counts as none.
 */
const resolutionMs = 3_000;
/** A larger offset is ignored: the service's timestamps can't follow such a clock. */
const longestOffsetMs = 24 * 3_600_000;
/** A timestamp up to this far after now does not count as future, because clocks differ slightly. */
export const futureToleranceMs = 30_000;
/** An earlier timestamp is wrong, because no market of ours is older. */
export const earliestStamp = Date.parse('2000-01-01T00:00:00Z');

/** The offset from one answer; undefined if it is unusable. Times are epoch milliseconds. */
export function readOffset(
  clock: { dateMs: number; receivedAtMs: number } | undefined,
): number | undefined {
  if (!clock) return undefined;
  // The header is cut to the second, so add half a second to make the error smallest.
  const offsetMs = clock.dateMs + 500 - clock.receivedAtMs;
  return Math.abs(offsetMs) <= longestOffsetMs ? offsetMs : undefined;
}

/**
 * Adds one measurement. The first counts at once; later, a different one must be measured twice in a row, so
 * that a single wrong header does not move every timestamp.
 * @returns the same object if nothing changes.
 */
export function takeOffset(
  known: MarketClock | undefined,
  measuredMs: number | undefined,
): MarketClock | undefined {
  if (measuredMs === undefined) return known;
  if (!known) return { offsetMs: wholeOffset(measuredMs) };
  if (isNear(measuredMs, known.offsetMs)) {
    return known.candidateMs === undefined ? known : { offsetMs: known.offsetMs };
  }
  const isConfirmed = known.candidateMs !== undefined && isNear(measuredMs, known.candidateMs);
  return isConfirmed
    ? { offsetMs: wholeOffset(measuredMs) }
    : { offsetMs: known.offsetMs, candidateMs: measuredMs };
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= resolutionMs;
}

function wholeOffset(measuredMs: number): number {
  return Math.abs(measuredMs) <= resolutionMs ? 0 : Math.round(measuredMs / 1_000) * 1_000;
}
