// When a feed is polled next. Pure: time, history and what the budget allows come in, a time and its
// reason go out.
import { paceOf, predictRefresh, type Rhythm } from './rhythm.ts';

/** Why the next poll is when it is. */
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
}

export interface CadenceInput {
  /** Epoch milliseconds. */
  now: number;
  /** How late the watchers let an alert be. */
  wishedMs: number;
  rhythm: Rhythm;
  /** Polls that failed in a row, this one included. */
  failures: number;
  /** When the feed last cost a pull, epoch milliseconds. */
  lastPaidAt?: number | undefined;
  /** The least time between two paid pulls that the budget allows this feed; 0 for no limit. */
  spacingMs: number;
  /** Whether a poll that finds nothing costs nothing (billing assumptions). */
  freeWhenQuiet: boolean;
  /** Of listings: no listing rule can be reached by what the stats last showed. */
  isOutOfReach?: boolean | undefined;
}

/** The first wait after a failure; it doubles with each further one. */
const firstBackoffMs = 30_000;
/** A feed that keeps failing is still tried twice an hour, so that it recovers by itself. */
const longestBackoffMs = 30 * 60_000;
/** While the rhythm is not known, a refresh is found this late at the most. */
const longestLearningMs = 15 * 60_000;
/** A refresh is served a moment after its own timestamp. */
const publishingMs = 2_000;
/** Listings that nothing asks about are looked at this rarely: their filters' history goes on. */
export const outOfReachMs = 6 * 3_600_000;

/**
 * The next poll of an active feed. Whatever is not known to be quiet is polled within the wished
 * latency; within it, just after the refresh that is expected, so that a pull buys fresh news.
 */
export function decideNextPoll(input: CadenceInput): NextPoll {
  if (input.failures > 0) return backOff(input);
  const natural = input.isOutOfReach ? outOfReach(input) : withinWish(input);
  return stretch(input, natural);
}

function backOff({ now, failures, wishedMs }: CadenceInput): NextPoll {
  const backoffMs = Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
  return { nextPollAt: now + Math.max(wishedMs, backoffMs), reason: 'backoff' };
}

function outOfReach({ now, wishedMs }: CadenceInput): NextPoll {
  return { nextPollAt: now + Math.max(wishedMs, outOfReachMs), reason: 'out_of_reach' };
}

/**
 * No refresh comes before `quietUntil`, so a poll a wished latency later is never too late, and one
 * that late buys the most for its pull. Where the market is slower than the wish, waiting longer
 * buys nothing more: the poll goes right behind the refresh.
 */
function withinWish({ now, wishedMs, rhythm, freeWhenQuiet }: CadenceInput): NextPoll {
  const pace = paceOf(rhythm);
  if (!pace || rhythm.lastRefreshAt === undefined) return learn({ now, wishedMs, rhythm });
  const quietUntil = Math.max(now, rhythm.lastRefreshAt + pace.earliestMs);
  const latest = quietUntil + wishedMs;
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

/**
 * Without a rhythm: the longer it has been quiet, the longer it may stay so. Half as long again finds
 * a rhythm of any length in a few polls; two refreshes make one.
 */
function learn({ now, wishedMs, rhythm }: Pick<CadenceInput, 'now' | 'wishedMs' | 'rhythm'>) {
  const quietMs = rhythm.lastRefreshAt === undefined ? 0 : now - rhythm.lastRefreshAt;
  const patienceMs = Math.min(Math.floor(quietMs / 2), longestLearningMs);
  const nextPollAt = now + Math.max(wishedMs, patienceMs);
  return { nextPollAt, reason: 'learning' as const };
}

function halfGap(rhythm: Rhythm): number {
  return Math.floor((paceOf(rhythm)?.usualMs ?? 0) / 2);
}

/** Near the cap a paid pull waits for its turn, and then for the refresh that makes it worth most. */
function stretch(input: CadenceInput, natural: NextPoll): NextPoll {
  const { spacingMs, lastPaidAt, rhythm } = input;
  if (spacingMs <= 0 || lastPaidAt === undefined) return natural;
  const turn = lastPaidAt + spacingMs;
  if (natural.nextPollAt >= turn) return natural;
  // The refresh nearest to its turn: always taking the next one would leave pulls unspent.
  const refresh = predictRefresh(rhythm, Math.max(input.now, turn - halfGap(rhythm)));
  const nextPollAt = refresh === undefined ? turn : refresh + publishingMs;
  return { nextPollAt, reason: 'stretched_by_budget' };
}
