// A feed's rhythm: how often the market refreshes, learned from the refreshes that were seen. It
// predicts; when to poll is the cadence's business. Times are epoch milliseconds.

/** What is remembered of a feed's refreshes. Times are epoch milliseconds. */
export interface Rhythm {
  /** The last gaps between refreshes, oldest first. */
  gapsMs: number[];
  lastRefreshAt?: number | undefined;
  /** The last poll that found nothing after `lastRefreshAt`: until then, no refresh has come. */
  quietAt?: number | undefined;
}

export const unknownRhythm: Rhythm = { gapsMs: [] };

/** Gaps remembered: a market that changes its pace is known again after half as many. */
const gapsKept = 8;

/** Gaps before a rhythm may delay a poll: one long gap, or two, is no rhythm. */
const gapsOfRhythm = 4;

export interface Pace {
  /** No refresh has come sooner after the one before, in what is remembered. */
  earliestMs: number;
  /** The median gap. */
  usualMs: number;
}

/**
 * Takes in what a poll saw. `refreshes` are the times of the refreshes since the last one known, in
 * time order; a stats walk knows them all (`complete`), a listings answer only the newest, so that
 * others may hide before it.
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
 * The time since the last refresh is a gap if the feed was seen quiet for at least half of it: a
 * refresh that hid in the rest would be nearer to both its neighbours than any gap known. Otherwise
 * it is only an upper bound, which counts when it is below what was thought so far.
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

/** The refreshes that the gaps tell of, oldest first; exact where every refresh was told. */
export function refreshTimes({ gapsMs, lastRefreshAt }: Rhythm): number[] {
  if (lastRefreshAt === undefined) return [];
  const times = [lastRefreshAt];
  for (const gapMs of [...gapsMs].reverse()) times.unshift((times[0] ?? lastRefreshAt) - gapMs);
  return times;
}

/** Takes in a refresh that was told late: it cuts the gap that it lies in. */
export function learnLateRefresh(rhythm: Rhythm, at: number): Rhythm {
  const times = refreshTimes(rhythm);
  const [oldest] = times;
  if (oldest === undefined || at <= oldest || times.includes(at)) return rhythm;
  if (at > (rhythm.lastRefreshAt ?? at)) return rhythm;
  const all = [...times, at].sort((a, b) => a - b);
  const gapsMs = all.slice(1).map((time, index) => time - (all[index] ?? time));
  return { ...rhythm, gapsMs: gapsMs.slice(-gapsKept) };
}

/** What the rhythm says, undefined before two refreshes were seen. */
export function paceOf({ gapsMs }: Rhythm): Pace | undefined {
  if (gapsMs.length === 0) return undefined;
  const sorted = [...gapsMs].sort((a, b) => a - b);
  const shortest = sorted[0] ?? 0;
  const usual = sorted[sorted.length >> 1] ?? shortest;
  return { earliestMs: shortest, usualMs: usual };
}

/** Whether enough refreshes were seen for a poll to wait for the next one. */
export function isSettledRhythm({ gapsMs }: Rhythm): boolean {
  return gapsMs.length >= gapsOfRhythm;
}

/** Whether a refresh is unlikely yet: none has ever come so soon after the one before. */
export function isProbablyQuiet(rhythm: Rhythm, now: number): boolean {
  const pace = paceOf(rhythm);
  if (!pace || !isSettledRhythm(rhythm) || rhythm.lastRefreshAt === undefined) return false;
  return now < rhythm.lastRefreshAt + pace.earliestMs;
}

/** The first predicted refresh at or after a time, undefined while there is no rhythm. */
export function predictRefresh(rhythm: Rhythm, from: number): number | undefined {
  const pace = paceOf(rhythm);
  if (!pace || rhythm.lastRefreshAt === undefined) return undefined;
  const gaps = Math.ceil((from - rhythm.lastRefreshAt) / Math.max(1, pace.usualMs));
  return rhythm.lastRefreshAt + Math.max(1, gaps) * pace.usualMs;
}
