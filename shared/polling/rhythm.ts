// A feed's rhythm: how often the market refreshes, learned from past refreshes. It only predicts; cadence.ts
// decides when to poll. Times are epoch milliseconds.

/** The stored rhythm of a feed. Times are epoch milliseconds. */
export interface Rhythm {
  /** The last gaps between refreshes, oldest first. */
  gapsMs: number[];
  lastRefreshAt?: number | undefined;
  /** The last poll that found no refresh after `lastRefreshAt`. */
  quietAt?: number | undefined;
}

export const unknownRhythm: Rhythm = { gapsMs: [] };

/** Gaps kept. After a change of pace, half as many new gaps give the new median. */
const gapsKept = 8;

/** Gaps needed before a rhythm may delay a poll; one or two long gaps prove nothing. */
const gapsOfRhythm = 4;

export interface Pace {
  /** The shortest kept gap. */
  earliestMs: number;
  /** The median gap. */
  usualMs: number;
}

/**
 * Adds the result of a poll. `refreshes` are the times of the refreshes since the last known one, in time
 * order. A stats walk has all of them (`complete`); a listings answer has only the newest, so earlier ones
 * may be missing.
 */
export function learnRefreshes(
  rhythm: Rhythm,
  refreshes: readonly number[],
  { polledAt, complete }: { polledAt: number; complete: boolean },
): Rhythm {
  const news = refreshes.filter((at) => at > (rhythm.lastRefreshAt ?? Number.NEGATIVE_INFINITY));
  const newest = news.at(-1);
  if (newest === undefined) return { ...rhythm, quietAt: polledAt };
  const gapsMs = complete ? gapsBetween(rhythm, news) : gapThatMayHide(rhythm, newest);
  return { gapsMs: [...rhythm.gapsMs, ...gapsMs].slice(-gapsKept), lastRefreshAt: newest };
}

function gapsBetween({ lastRefreshAt }: Rhythm, news: readonly number[]): number[] {
  const times = lastRefreshAt === undefined ? news : [lastRefreshAt, ...news];
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

/**
 * The time since the last refresh is a gap if the feed was seen quiet for at least half of it: a missed
 * refresh in the rest would be closer to both neighbours than any known gap. Otherwise it is only an upper
 * bound, which counts if it is below the known median.
 */
function gapThatMayHide(rhythm: Rhythm, newest: number): number[] {
  const { lastRefreshAt, quietAt } = rhythm;
  if (lastRefreshAt === undefined) return [];
  const gapMs = newest - lastRefreshAt;
  const quietMs = (quietAt ?? lastRefreshAt) - lastRefreshAt;
  const known = paceOf(rhythm);
  const isCertain = quietMs * 2 >= gapMs;
  return isCertain || known === undefined || gapMs < known.usualMs ? [gapMs] : [];
}

/** The refresh times computed from the gaps, oldest first; exact if no refresh was missed. */
export function refreshTimes({ gapsMs, lastRefreshAt }: Rhythm): number[] {
  if (lastRefreshAt === undefined) return [];
  const times = [lastRefreshAt];
  for (const gapMs of [...gapsMs].reverse()) times.unshift((times[0] ?? lastRefreshAt) - gapMs);
  return times;
}

/** Adds a refresh that was published late: it splits the gap that contains it. */
export function learnLateRefresh(rhythm: Rhythm, at: number): Rhythm {
  const times = refreshTimes(rhythm);
  const [oldest] = times;
  if (oldest === undefined || at <= oldest || times.includes(at)) return rhythm;
  if (at > (rhythm.lastRefreshAt ?? at)) return rhythm;
  const all = [...times, at].sort((a, b) => a - b);
  const gapsMs = all.slice(1).map((time, index) => time - (all[index] ?? time));
  return { ...rhythm, gapsMs: gapsMs.slice(-gapsKept) };
}

/** The pace of the rhythm; undefined before two refreshes were seen. */
export function paceOf({ gapsMs }: Rhythm): Pace | undefined {
  if (gapsMs.length === 0) return undefined;
  const sorted = [...gapsMs].sort((a, b) => a - b);
  const shortest = sorted[0] ?? 0;
  const usual = sorted[sorted.length >> 1] ?? shortest;
  return { earliestMs: shortest, usualMs: usual };
}

/** Of a rhythm that is not known yet. */
const assumedGapMs = 30 * 60_000;

/** The time between two refreshes, at least a minute; half an hour as long as it is not known. */
export function gapOf(rhythm: Rhythm): number {
  return Math.max(60_000, paceOf(rhythm)?.usualMs ?? assumedGapMs);
}

/** Whether enough refreshes were seen for a poll to wait for the next one. */
export function isSettledRhythm({ gapsMs }: Rhythm): boolean {
  return gapsMs.length >= gapsOfRhythm;
}

/** Whether a refresh is unlikely so soon: no kept gap was this short. */
export function isProbablyQuiet(rhythm: Rhythm, now: number): boolean {
  const pace = paceOf(rhythm);
  if (!pace || !isSettledRhythm(rhythm) || rhythm.lastRefreshAt === undefined) return false;
  return now < rhythm.lastRefreshAt + pace.earliestMs;
}

/** A predicted refresh; times are epoch milliseconds. */
export interface PredictedRefresh {
  at: number;
  /** The refresh has probably come by then; never later than a twentieth of the gap. */
  surelyAt: number;
}

/** The first predicted refresh at or after a time; undefined without a rhythm. */
export function predictRefresh(rhythm: Rhythm, from: number): PredictedRefresh | undefined {
  const { lastRefreshAt, gapsMs } = rhythm;
  const pace = paceOf(rhythm);
  if (!pace || lastRefreshAt === undefined) return undefined;
  const { meanMs, errorMs } = steadyGap(gapsMs, Math.max(1, pace.usualMs));
  const gaps = Math.max(1, Math.ceil((from - lastRefreshAt) / meanMs));
  const at = Math.round(lastRefreshAt + gaps * meanMs);
  const marginMs = Math.min(errorMs * Math.sqrt(gaps), meanMs / 20);
  return { at, surelyAt: Math.round(at + marginMs) };
}

/**
 * The mean of the gaps that are like the median, and how far they are apart. Many gaps ahead, the mean is nearer
 * than the median; a gap that is much longer hides a refresh that failed.
 */
function steadyGap(gapsMs: readonly number[], usualMs: number) {
  const like = gapsMs.filter((gapMs) => Math.abs(gapMs - usualMs) <= usualMs / 5);
  const meanMs = like.reduce((sum, gapMs) => sum + gapMs, 0) / Math.max(1, like.length) || usualMs;
  const squares = like.reduce((sum, gapMs) => sum + (gapMs - meanMs) ** 2, 0);
  return { meanMs, errorMs: Math.sqrt(squares / Math.max(1, like.length)) };
}
