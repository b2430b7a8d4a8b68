import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const key = { eventId: 7, kind: 'stats' } as const;
const wish = (watchId: string, latencySeconds: number) => ({
  ...key,
  ...{ watchId, latencySeconds, ownerId: 'own_1' },
});
const add =
  (watchId: string, latencySeconds: number, at = now) =>
  ({ subscriptions }: Stores) =>
    subscriptions.add(wish(watchId, latencySeconds), at);
const end =
  (watchId: string, latencySeconds: number) =>
  ({ subscriptions }: Stores) =>
    subscriptions.end(wish(watchId, latencySeconds));
const noteSpent =
  (micropulls: number) =>
  ({ subscriptions }: Stores) =>
    subscriptions.noteSpent({ ...key, watchId: 'wat_1', createdAt: now, micropulls });
/** A poll that costs the feed's subscriptions this much. */
const share = (micropulls: number) => async (stores: Stores) => {
  const feed = await stores.feeds.find(7, 'stats');
  if (!feed || !(await stores.feeds.claim(feed, 'x', now + 300_000))) return;
  const record = { nextReason: 'test', failures: 0, settles: true, nextPollAt: now + 60_000 };
  await stores.feeds.finishPoll(key, 'x', { ...record, micropulls });
};

const left = async ({ feeds, subscriptions }: Stores) => {
  const feed = await feeds.find(7, 'stats');
  const live = await subscriptions.of(key);
  return [feed?.status, feed?.latencySeconds, live.map(({ watchId }) => watchId)];
};
const spentLeft = async ({ subscriptions }: Stores) =>
  (await subscriptions.spentBy(7, 'wat_1')).map(({ micropulls }) => micropulls);

describeMeetings('a wish', {
  'keeps its feed awake when another ends': meeting({
    interruptions: 2,
    given: add('wat_1', 60),
    a: end('wat_1', 60),
    b: add('wat_2', 300),
    left,
    outcomes: [[undefined, undefined, ['active', 300, ['wat_2']]]],
  }),
  'of the same watch is one': meeting({
    interruptions: 1,
    given: async () => {},
    a: add('wat_1', 60),
    b: add('wat_1', 60, now + 5),
    left: async ({ subscriptions }) => (await subscriptions.of(key)).map(({ watchId }) => watchId),
    outcomes: [[undefined, undefined, ['wat_1']]],
  }),
  'that ends twice is counted once': meeting({
    interruptions: 2,
    given: add('wat_1', 60),
    a: end('wat_1', 60),
    b: end('wat_1', 60),
    left: spentLeft,
    outcomes: [[undefined, undefined, [0]]],
  }),
  'is told its cost once': meeting({
    given: async () => {},
    a: noteSpent(5),
    b: noteSpent(7),
    left: spentLeft,
    outcomes: [
      [undefined, undefined, [5]],
      [undefined, undefined, [7]],
    ],
  }),
  'begins when its watch first wanted the feed': meeting({
    interruptions: 1,
    given: add('wat_1', 60),
    a: add('wat_1', 60, now + 5),
    b: add('wat_1', 60, now + 9),
    left: async ({ subscriptions }) =>
      (await subscriptions.of(key)).map(({ createdAt }) => createdAt - now),
    outcomes: [[undefined, undefined, [0]]],
  }),
  'keeps the cost that was noted when it ended first': meeting({
    interruptions: 2,
    given: add('wat_1', 60),
    a: end('wat_1', 60),
    b: async (stores) => {
      await share(5)(stores);
      await end('wat_1', 60)(stores);
      return spentLeft(stores);
    },
    left: spentLeft,
    outcomes: [
      [undefined, [0], [0]],
      [undefined, [5], [5]],
    ],
  }),
  'keeps the first cost that it was told': meeting({
    given: noteSpent(5),
    a: noteSpent(7),
    b: noteSpent(9),
    left: spentLeft,
    outcomes: [[undefined, undefined, [5]]],
  }),
});
