// How far the service's clock is ahead of ours, measured from the `Date` header of its answers. Timestamps
// of the market are by the service's clock, and everything here is by ours. Pure.

/** The difference of the two clocks, as far as it was measured. */
export interface MarketClock {
  /** The service's time minus ours. */
  offsetMs: number;
  /** A measurement that differs from `offsetMs` and waits for a second one like it. */
  candidateMs?: number | undefined;
}

/** The header has whole seconds, and an answer is under way for a moment: what is smaller is no offset. */
const resolutionMs = 3_000;
/** A clock that is further off is no clock that its own timestamps could follow. */
const longestOffsetMs = 24 * 3_600_000;
/** A timestamp this far after the present is not of the future: clocks differ by a moment. */
export const futureToleranceMs = 30_000;
/** No market of ours is older; an earlier timestamp is a wrong one. */
export const earliestStamp = Date.parse('2000-01-01T00:00:00Z');

/** What one answer says, undefined where it says nothing usable. Times are epoch milliseconds. */
export function readOffset(
  clock: { dateMs: number; receivedAtMs: number } | undefined,
): number | undefined {
  if (!clock) return undefined;
  // The header is cut to the second: in the middle of it the error is smallest.
  const offsetMs = clock.dateMs + 500 - clock.receivedAtMs;
  return Math.abs(offsetMs) <= longestOffsetMs ? offsetMs : undefined;
}

/**
 * Takes one measurement in. The first counts at once; later, one that differs must be measured twice in a
 * row, so that no single wrong header moves every timestamp.
 * @returns the same object when nothing changes.
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
