import type { Feed } from '#shared/polling/feed.ts';
import { describePollingMeetings, meeting, type PollingStores } from './meeting.ts';

const key = { eventId: 7, kind: 'stats' } as const;
const now = Date.parse('2026-03-01T12:00:00Z');
const lease = 300_000;
const lapsed = now + lease + 1;
const record = { nextReason: 'test', failures: 0, micropulls: 0, settles: true };

async function theFeed({ feeds }: PollingStores): Promise<Feed> {
  const found = await feeds.find(7, 'stats');
  if (!found) throw new Error('the feed is not there');
  return found;
}

const nothing = async () => {};
const wake =
  (latencySeconds: number, at = now) =>
  ({ feeds }: PollingStores) =>
    feeds.wake(key, latencySeconds, at);
const due = async (stores: PollingStores) => {
  await wake(60)(stores);
  return theFeed(stores);
};
/** Waits for a poll later on. */
const waiting = async (stores: PollingStores) => {
  await wake(60)(stores);
  await stores.feeds.reschedule(await theFeed(stores), now + 60_000);
  return theFeed(stores);
};
const claimed = async (stores: PollingStores) => {
  await stores.feeds.claim(await due(stores), 'x', now + lease);
  return theFeed(stores);
};
const calling = async (stores: PollingStores) => {
  await stores.feeds.beginCall(await claimed(stores), 'x', now);
  return theFeed(stores);
};
const retired = async (stores: PollingStores) => {
  const feed = await due(stores);
  await stores.feeds.retire(key, 'ended');
  return feed;
};

/** A dispatcher: it reads a due feed and claims it. */
const claim = (name: string, at: number) => async (stores: PollingStores) => {
  const feed = await theFeed(stores);
  if (feed.nextPollAt === undefined || feed.nextPollAt > at) return 'not due';
  return stores.feeds.claim(feed, name, at + lease);
};
const claimAsRead = (name: string) => (stores: PollingStores, feed: Feed) =>
  stores.feeds.claim(feed, name, now + lease);
const call = (name: string) => async (stores: PollingStores) =>
  stores.feeds.beginCall(await theFeed(stores), name, now + 1);
const finish = (name: string) => async (stores: PollingStores) =>
  (await stores.feeds.finishPoll(key, name, { ...record, nextPollAt: now + 60_000 })) !== undefined;
const hasten =
  (at = now) =>
  (stores: PollingStores) =>
    stores.feeds.hasten(key, at);
const reschedule = (at: number) => (stores: PollingStores, feed: Feed) =>
  stores.feeds.reschedule(feed, at);
const settleWish = (latencySeconds: number | undefined) => (stores: PollingStores, feed: Feed) =>
  stores.feeds.settleWish(feed, latencySeconds);
const retire = (stores: PollingStores) => stores.feeds.retire(key, 'not_found');

const left = async ({ feeds }: PollingStores) => {
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

describePollingMeetings('a feed', {
  'is made once, for the quicker wish': meeting({
    given: nothing,
    a: wake(60),
    b: wake(300, now + 5),
    left,
    outcomes: [
      [undefined, undefined, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
      [undefined, undefined, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'is claimed by one dispatcher': meeting({
    given: due,
    a: claim('a', now),
    b: claim('b', now),
    left,
    outcomes: [
      ['not due', true, { is: ['active', 60], next: 300000, claim: 'b', call: undefined }],
      [false, true, { is: ['active', 60], next: 300000, claim: 'b', call: undefined }],
      [true, 'not due', { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
    ],
  }),
  'is not claimed once it is retired': meeting({
    given: due,
    a: claim('a', now),
    b: retire,
    left,
    outcomes: [
      [
        'not due',
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        false,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        true,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
    ],
  }),
  'is not claimed at the time that it no longer has': meeting({
    given: due,
    a: claimAsRead('a'),
    b: reschedule(now + 60_000),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 60000, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
    ],
  }),
  'is due again for a wish that comes while it is not being polled': meeting({
    given: waiting,
    a: wake(60, now + 5),
    b: claim('b', now + 60_000),
    left,
    outcomes: [
      [undefined, false, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
      [undefined, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
    ],
  }),
  'stays claimed when a wish comes': meeting({
    given: claimed,
    a: wake(30, now + 5),
    b: finish('x'),
    left,
    outcomes: [
      [undefined, true, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
      [undefined, true, { is: ['active', 30], next: 60000, claim: undefined, call: undefined }],
    ],
  }),
  'calls once a claim': meeting({
    given: claimed,
    a: (stores, feed) => stores.feeds.beginCall(feed, 'x', now),
    b: (stores, feed) => stores.feeds.beginCall(feed, 'x', now + 1),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 300000, claim: 'x', call: 'x' }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'x', call: 'x' }],
    ],
  }),
  'calls for the claim that holds it': meeting({
    given: claimed,
    a: call('x'),
    b: claim('b', lapsed),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 600001, claim: 'b', call: undefined }],
      [true, true, { is: ['active', 60], next: 600001, claim: 'b', call: 'x' }],
    ],
  }),
  'replaces a lost call by one new call': meeting({
    given: async (stores) => {
      await stores.feeds.claim(await calling(stores), 'y', lapsed);
      return theFeed(stores);
    },
    a: (stores, feed) => stores.feeds.beginCall(feed, 'y', now + 1),
    b: (stores, feed) => stores.feeds.beginCall(feed, 'y', now + 2),
    left,
    outcomes: [
      [true, false, { is: ['active', 60], next: 300001, claim: 'y', call: 'y' }],
      [false, true, { is: ['active', 60], next: 300001, claim: 'y', call: 'y' }],
    ],
  }),
  'is given back by the claim that holds it': meeting({
    given: calling,
    a: finish('x'),
    b: claim('b', lapsed),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 600001, claim: 'b', call: 'x' }],
      [true, false, { is: ['active', 60], next: 60000, claim: undefined, call: undefined }],
      [true, true, { is: ['active', 60], next: 600001, claim: 'b', call: undefined }],
    ],
  }),
  'stays retired when its poll ends': meeting({
    given: calling,
    a: finish('x'),
    b: retire,
    left,
    outcomes: [
      [
        false,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        true,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
    ],
  }),
  'is hastened while it waits': meeting({
    given: waiting,
    a: hasten(),
    b: claim('b', now + 60_000),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
      [true, false, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
      [true, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
    ],
  }),
  'is hastened once': meeting({
    given: waiting,
    a: hasten(),
    b: hasten(now + 5),
    left,
    outcomes: [
      [true, false, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
      [true, true, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
    ],
  }),
  'is not hastened once it is retired': meeting({
    given: waiting,
    a: hasten(),
    b: retire,
    left,
    outcomes: [
      [
        false,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        true,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
    ],
  }),
  'is not rescheduled while it is being polled': meeting({
    given: due,
    a: claimAsRead('a'),
    b: async (stores) => stores.feeds.reschedule(await theFeed(stores), now + 60_000),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 60000, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
    ],
  }),
  'is rescheduled once': meeting({
    given: waiting,
    a: reschedule(now + 10),
    b: reschedule(now + 20),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 20, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 60], next: 10, claim: undefined, call: undefined }],
    ],
  }),
  'is not rescheduled once it is retired': meeting({
    given: waiting,
    a: reschedule(now + 10),
    b: retire,
    left,
    outcomes: [
      [
        false,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        true,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
    ],
  }),
  'does not sleep while a wish comes': meeting({
    given: due,
    a: settleWish(undefined),
    b: wake(30, now + 5),
    left,
    outcomes: [
      [false, undefined, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
      [true, undefined, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'wakes at the new wish alone when it fell asleep before': meeting({
    given: due,
    a: settleWish(undefined),
    b: wake(300, now + 5),
    left,
    outcomes: [
      [false, undefined, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
      [true, undefined, { is: ['active', 300], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'is not rescheduled while it rests': meeting({
    given: waiting,
    a: reschedule(now + 10),
    b: (stores) => stores.feeds.retire(key, 'ended', now + 60_000),
    left,
    outcomes: [
      [false, undefined, { is: ['ended', 60], next: 60000, claim: undefined, call: undefined }],
      [true, undefined, { is: ['ended', 60], next: 60000, claim: undefined, call: undefined }],
    ],
  }),
  'has its wishes settled once': meeting({
    given: due,
    a: settleWish(300),
    b: settleWish(900),
    left,
    outcomes: [
      [false, true, { is: ['active', 900], next: 0, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 300], next: 0, claim: undefined, call: undefined }],
    ],
  }),
  'wakes after it was retired': meeting({
    given: retired,
    a: wake(300, now + 5),
    b: claimAsRead('b'),
    left,
    outcomes: [
      [undefined, false, { is: ['active', 300], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'is not made by its retirement': meeting({
    given: nothing,
    a: retire,
    b: (stores) => stores.feeds.retire(key, 'ended'),
    left,
    outcomes: [[undefined, undefined, undefined]],
  }),
  'is not made by notes about it': meeting({
    given: nothing,
    a: (stores) => stores.feeds.setReach(key, true),
    b: (stores) => stores.feeds.note(key, { eventStartsAt: now }),
    left,
    outcomes: [[undefined, undefined, undefined]],
  }),
});
