// When a feed is polled next. Pure: time, history and what the budget allows come in, a time and its
// reason go out.
import { timing } from '#shared/timing.ts';
import { isSettledRhythm, paceOf, predictRefresh, type Rhythm } from './rhythm.ts';

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
/** A refresh is served a moment after its own timestamp. */
const publishingMs = 2_000;
/** From a run of dispatch to the poll itself: a feed is due so much earlier that the right run takes it. */
const dispatchSlackMs = 15_000;
/** Listings that nothing asks about are looked at this rarely: their filters' history goes on. */
export const outOfReachMs = 6 * 3_600_000;

/**
 * The next poll of an active feed. The wished latency is a promise: the next poll comes within it,
 * whatever the rhythm says. Three things alone may delay it: the budget, failures, and listings that no
 * rule can reach. The rhythm only moves a poll forward, to just after the refresh that it expects.
 */
export function decideNextPoll(input: CadenceInput): NextPoll {
  if (input.failures > 0) return backOff(input);
  const natural = input.isOutOfReach ? outOfReach(input) : withinWish(input);
  return stretch(input, natural);
}

/** A failed poll is retried before the next ordinary one: the wish has not been met yet. */
function backOff({ now, failures }: CadenceInput): NextPoll {
  const backoffMs = Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
  return { nextPollAt: now + backoffMs, reason: 'backoff' };
}

/** The stats poll of the same event makes them due again as soon as a rule comes within reach. */
function outOfReach({ now, wishedMs }: CadenceInput): NextPoll {
  return { nextPollAt: now + Math.max(wishedMs, outOfReachMs), reason: 'out_of_reach' };
}

/**
 * A market that was slow until now may become fast at any time, so no gap that was seen lets a feed
 * wait for longer than the wish. Where an empty poll costs something it is polled as often all the
 * same, as long as the budget allows; `stretch` spaces it once the budget does not.
 */
function withinWish(input: CadenceInput): NextPoll {
  const { now, wishedMs, rhythm, freeWhenQuiet } = input;
  const latest = latestPoll(now, wishedMs);
  const pace = paceOf(rhythm);
  if (!pace || rhythm.lastRefreshAt === undefined)
    return { nextPollAt: latest, reason: 'learning' };
  // A longer wait within the wish lets one pull buy more refreshes.
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

/** The latest time of the next poll, so that the run of dispatch that takes it comes within the wish. */
function latestPoll(now: number, wishedMs: number): number {
  const wholeRunsMs =
    wishedMs - (wishedMs > timing.dispatchEveryMs ? wishedMs % timing.dispatchEveryMs : 0);
  return now + wholeRunsMs - Math.min(dispatchSlackMs, Math.floor(wishedMs / 4));
}

/**
 * Whether a feed waits for longer than its own cadence could have asked for: its next poll was set from
 * a wrong timestamp, or by a release that waited for longer.
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

/** Near the cap a paid pull waits for its turn, and then for the refresh that makes it worth most. */
function stretch(input: CadenceInput, natural: NextPoll): NextPoll {
  const { spacingMs, lastPaidAt, rhythm } = input;
  if (spacingMs <= 0 || lastPaidAt === undefined) return natural;
  const turn = lastPaidAt + spacingMs;
  if (natural.nextPollAt >= turn) return natural;
  // The refresh nearest to its turn: always taking the next one would leave pulls unspent.
  const refresh = isSettledRhythm(rhythm)
    ? predictRefresh(rhythm, Math.max(input.now, turn - halfGap(rhythm)))
    : undefined;
  const nextPollAt = refresh === undefined ? turn : refresh + publishingMs;
  return { nextPollAt, reason: 'stretched_by_budget' };
}
