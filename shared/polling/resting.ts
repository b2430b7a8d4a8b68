// When a feed that rests is looked at again, and whether an event that should be over still sells. Pure.
import type { Feed } from './feed.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Waits between looks at an event that the marketplace says it does not know; a day in all. */
const missingWaitsMs = [5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs];
/** A look at a feed that rests is free unless there is something new. */
export const restingLookMs = dayMs;
/** Listings that were for sale within this time are for sale now. */
const liveWithinMs = 6 * hourMs;
/** However long a market goes on to list an event, it is over by then. */
const longestAfterMs = 30 * dayMs;

/** The wait after the look of this number, from 1; undefined when the event has been gone for a day. */
export function waitWhileMissing(looks: number): number | undefined {
  return missingWaitsMs[looks - 1];
}

/**
 * Whether an event that is over by its date still has tickets for sale: it was put off, or has not
 * ended. Times are epoch milliseconds.
 * @param overAt when it should have been over.
 */
export function stillSells(feed: Pick<Feed, 'lastLiveAt'>, overAt: number, now: number): boolean {
  const { lastLiveAt } = feed;
  if (lastLiveAt === undefined || lastLiveAt <= overAt) return false;
  return now - lastLiveAt <= liveWithinMs && now - overAt <= longestAfterMs;
}

/** Whether an answer ends the rest of a feed: its event is known again, or has tickets for sale. */
export function isRestOver(status: Feed['status'], lastLiveAt: number | undefined, now: number) {
  if (status === 'not_found') return true;
  return status === 'ended' && lastLiveAt !== undefined && now - lastLiveAt <= liveWithinMs;
}
