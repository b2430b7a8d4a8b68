// The steps that the tests of a feed's store combine: how to bring a feed into a state, and the writers that meet there.
import type { Feed } from '#shared/polling/feed.ts';
import type { PollingStores } from './meeting.ts';

export const key = { eventId: 7, kind: 'stats' } as const;
export const now = Date.parse('2026-03-01T12:00:00Z');
const lease = 300_000;
export const lapsed = now + lease + 1;
const record = { nextReason: 'test', failures: 0, micropulls: 0, settles: true };

export async function theFeed({ feeds }: PollingStores): Promise<Feed> {
  const found = await feeds.find(7, 'stats');
  if (!found) throw new Error('the feed is not there');
  return found;
}

export const nothing = async () => {};
export const wake =
  (latencySeconds: number, at = now) =>
  ({ feeds }: PollingStores) =>
    feeds.wake(key, latencySeconds, at);
/** Wakes the feed as it was read before, as the creation of a watch does. */
export const wakeAsRead =
  (latencySeconds: number, at = now) =>
  ({ feeds }: PollingStores, feed: Feed) =>
    feeds.wake(key, latencySeconds, at, feed);
export const due = async (stores: PollingStores) => {
  await wake(60)(stores);
  return theFeed(stores);
};
const aTurn = (nextPollAt: number) => ({ nextPollAt, reason: 'wished_latency' }) as const;
/** Reschedules the poll. */
export const waiting = async (stores: PollingStores) => {
  await wake(60)(stores);
  await stores.feeds.reschedule(await theFeed(stores), aTurn(now + 60_000));
  return theFeed(stores);
};
export const claimed = async (stores: PollingStores) => {
  await stores.feeds.claim(await due(stores), 'x', now + lease);
  return theFeed(stores);
};
export const calling = async (stores: PollingStores) => {
  await stores.feeds.beginCall(await claimed(stores), 'x', now);
  return theFeed(stores);
};
export const retired = async (stores: PollingStores) => {
  const feed = await due(stores);
  await stores.feeds.retire(key, 'ended');
  return feed;
};

/** A dispatcher: it reads a due feed and claims it. */
export const claim = (name: string, at: number) => async (stores: PollingStores) => {
  const feed = await theFeed(stores);
  if (feed.nextPollAt === undefined || feed.nextPollAt > at) return 'not due';
  return stores.feeds.claim(feed, name, at + lease);
};
export const claimAsRead = (name: string) => (stores: PollingStores, feed: Feed) =>
  stores.feeds.claim(feed, name, now + lease);
export const call = (name: string) => async (stores: PollingStores) =>
  stores.feeds.beginCall(await theFeed(stores), name, now + 1);
export const finish = (name: string) => async (stores: PollingStores) =>
  (await stores.feeds.finishPoll(key, name, { ...record, nextPollAt: now + 60_000 })) !== undefined;
export const pollSooner =
  (at = now) =>
  (stores: PollingStores) =>
    stores.feeds.pollSooner(key, at);
export const reschedule = (at: number) => (stores: PollingStores, feed: Feed) =>
  stores.feeds.reschedule(feed, aTurn(at));
export const setLatency =
  (latencySeconds: number | undefined) => (stores: PollingStores, feed: Feed) =>
    stores.feeds.setLatency(feed, latencySeconds);
export const retire = (stores: PollingStores) => stores.feeds.retire(key, 'not_found');

export const left = async ({ feeds }: PollingStores) => {
  const feed = await feeds.find(7, 'stats');
  return (
    feed && {
      is: [feed.status, feed.latencySeconds],
      next: feed.nextPollAt === undefined ? 'never' : feed.nextPollAt - now,
      claim: feed.claim,
      call: feed.call?.claim,
    }
  );
};
