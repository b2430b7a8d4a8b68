// Decides when a feed that rests is polled again, and whether an event past its date still has tickets. Pure.
import type { Feed } from './feed.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The waits between polls of an event that the marketplace does not know; a day in all. */
const missingWaitsMs = [5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs];
/** The interval of a resting feed. Such a poll is free unless there is news. */
export const restingLookMs = dayMs;
/** Listings seen within this time count as for sale now. */
const liveWithinMs = 6 * hourMs;
/** This long after its date an event counts as over, even if the market still lists it. */
const longestAfterMs = 30 * dayMs;

/** The wait after the poll of this number, from 1; undefined once the event was unknown for a day. */
export function waitWhileMissing(looks: number): number | undefined {
  return missingWaitsMs[looks - 1];
}

/**
 * Whether an event past its date still has tickets for sale: it was postponed, or has not ended. Times are
 * epoch milliseconds.
 * @param overAt when the event should have ended.
 */
export function stillSells(feed: Pick<Feed, 'lastLiveAt'>, overAt: number, now: number): boolean {
  const { lastLiveAt } = feed;
  if (lastLiveAt === undefined || lastLiveAt <= overAt) return false;
  return now - lastLiveAt <= liveWithinMs && now - overAt <= longestAfterMs;
}

/** Whether an answer makes a resting feed active: its event is known again, or has tickets for sale. */
export function isRestOver(status: Feed['status'], lastLiveAt: number | undefined, now: number) {
  if (status === 'not_found') return true;
  return status === 'ended' && lastLiveAt !== undefined && now - lastLiveAt <= liveWithinMs;
}
