// Decides when a feed is polled next. Pure: the time, the feed's history and the budget's spacing go in; a
// time and its reason come out.
import { timing } from '#shared/timing.ts';
import { paceOf, predictRefresh, type Rhythm } from './rhythm.ts';

/** The reason for the time of the next poll. */
export type CadenceReason =
  | 'wished_latency'
  | 'expected_refresh'
  | 'overdue_refresh'
  | 'learning'
  | 'stretched_by_budget'
  | 'out_of_reach'
  | 'backoff';

export interface NextPoll {
  nextPollAt: number;
  reason: CadenceReason;
  /** For a turn of the budget: why it is worth a pull then, in words. */
  why?: string | undefined;
}

export interface CadenceInput {
  /** Epoch milliseconds. */
  now: number;
  /** The watches' smallest latency: how late an alert may be. */
  wishedMs: number;
  rhythm: Rhythm;
  /** Failed polls in a row, including this one. */
  failures: number;
  /** When a pull of this feed is worth its price, epoch milliseconds; absent if the budget is not short. */
  turnAt?: number | undefined;
  /** No paid pull before this time, because a cap is used up. */
  notBefore?: number | undefined;
  /** Whether a poll that finds no news is free (billing assumptions). */
  freeWhenQuiet: boolean;
  /** For listings: by the last stats, no listing rule can be reached. */
  isOutOfReach?: boolean | undefined;
}

/** The wait after the first failure; it doubles with each further one. */
const firstBackoffMs = 30_000;
/** A failing feed is still retried twice an hour, so that it recovers by itself. */
const longestBackoffMs = 30 * 60_000;
/** A refresh becomes available this long after its own timestamp. */
const publishingMs = 2_000;
/**
 * The time between a run of dispatch and the poll. A feed is due this much earlier, so that the right run
 * takes it.
 */
const dispatchSlackMs = 15_000;
/** The interval of listings that no rule can reach; their polls continue the history of the filters. */
export const outOfReachMs = 6 * 3_600_000;

/**
 * The next poll of an active feed. It comes within the watches' latency, whatever the learned rhythm. Only
 * three things may delay it: the budget, failures, and listings that no rule can reach. The rhythm can only
 * bring a poll forward, to just after the expected refresh.
 */
export function decideNextPoll(input: CadenceInput): NextPoll {
  if (input.failures > 0) return backOff(input);
  const natural = input.isOutOfReach ? outOfReach(input) : withinWish(input);
  return stretch(input, natural);
}

/** A failed poll is retried before the next ordinary poll, because the latency is not met yet. */
function backOff({ now, failures }: CadenceInput): NextPoll {
  const backoffMs = Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
  return { nextPollAt: now + backoffMs, reason: 'backoff' };
}

/** The event's stats poll makes the listings due again as soon as a rule comes within reach. */
function outOfReach({ now, wishedMs }: CadenceInput): NextPoll {
  return { nextPollAt: now + Math.max(wishedMs, outOfReachMs), reason: 'out_of_reach' };
}

/**
 * A slow market may become fast at any time, so a feed never waits longer than the latency, whatever gaps
 * were seen. If empty polls cost pulls, the feed is polled at the latency too, and `stretch` gives it
 * turns when the budget requires it.
 */
function withinWish(input: CadenceInput): NextPoll {
  const { now, wishedMs, rhythm, freeWhenQuiet } = input;
  const latest = latestPoll(now, wishedMs);
  const pace = paceOf(rhythm);
  if (!pace || rhythm.lastRefreshAt === undefined)
    return { nextPollAt: latest, reason: 'learning' };
  // A longer wait within the latency brings more refreshes per pull.
  if (wishedMs >= pace.usualMs || !freeWhenQuiet) {
    return { nextPollAt: latest, reason: 'wished_latency' };
  }
  const expected = rhythm.lastRefreshAt + pace.usualMs + publishingMs;
  if (expected > now) return sooner(latest, { nextPollAt: expected, reason: 'expected_refresh' });
  const looking = now + Math.max(publishingMs, Math.floor(pace.usualMs / 10));
  return sooner(latest, { nextPollAt: looking, reason: 'overdue_refresh' });
}

function sooner(latest: number, wanted: NextPoll): NextPoll {
  return wanted.nextPollAt <= latest ? wanted : { nextPollAt: latest, reason: 'wished_latency' };
}

/** The latest time of the next poll: the dispatch run that takes it must come within the latency. */
function latestPoll(now: number, wishedMs: number): number {
  const wholeRunsMs =
    wishedMs - (wishedMs > timing.dispatchEveryMs ? wishedMs % timing.dispatchEveryMs : 0);
  return now + wholeRunsMs - Math.min(dispatchSlackMs, Math.floor(wishedMs / 4));
}

/**
 * Whether a feed waits longer than its cadence allows, because its next poll was computed from a wrong
 * timestamp or by a release with longer waits.
 */
export function isOverslept(
  feed: { nextPollAt?: number | undefined; isOutOfReach?: boolean | undefined },
  wishedMs: number,
  now: number,
): boolean {
  const longestMs = Math.max(wishedMs, longestBackoffMs, feed.isOutOfReach ? outOfReachMs : 0);
  return (feed.nextPollAt ?? now) > now + longestMs;
}

function halfGap(rhythm: Rhythm): number {
  return Math.floor((paceOf(rhythm)?.usualMs ?? 0) / 2);
}

/**
 * If the budget is short, a paid pull waits for its turn, and then for a refresh: between two refreshes it
 * would buy old data.
 */
function stretch(input: CadenceInput, natural: NextPoll): NextPoll {
  const { now, turnAt, rhythm, notBefore = now } = input;
  if (turnAt === undefined) return natural;
  const turn = Math.max(turnAt, notBefore);
  const isOverdue = rhythm.quietAt !== undefined || paceOf(rhythm) === undefined;
  if (natural.nextPollAt >= turn && isOverdue) return natural;
  const nextPollAt = behindRefresh(rhythm, turn, Math.max(now, notBefore));
  return { nextPollAt, reason: 'stretched_by_budget' };
}

/**
 * Right behind the refresh nearest to the turn: always taking the next one would leave pulls unspent. Without a
 * rhythm, the turn itself. A rhythm of few gaps may be wrong; then the poll is at most half a gap from its turn.
 */
function behindRefresh(rhythm: Rhythm, turn: number, earliest: number): number {
  const from = Math.max(earliest - freshFor(rhythm), turn - halfGap(rhythm));
  const refresh = predictRefresh(rhythm, from);
  return Math.max(earliest, refresh === undefined ? turn : refresh.surelyAt + publishingMs);
}

/** So long after a refresh its data is still new: a twentieth of the gap between refreshes. */
export function freshFor(rhythm: Rhythm): number {
  return Math.max(timing.dispatchEveryMs, Math.floor((paceOf(rhythm)?.usualMs ?? 0) / 20));
}
