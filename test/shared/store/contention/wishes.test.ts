import type { Stores } from '#shared/store/stores.ts';
import { describeMeetings, meeting } from './meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const key = { eventId: 7, kind: 'stats' } as const;
const wish = (watchId: string, latencySeconds: number) => ({
  ...key,
  ...{ watchId, latencySeconds, ownerId: 'own_1' },
});
const add =
  (watchId: string, latencySeconds: number, at = now) =>
  ({ wishes }: Stores) =>
    wishes.add(wish(watchId, latencySeconds), at);
const end =
  (watchId: string, latencySeconds: number) =>
  ({ wishes }: Stores) =>
    wishes.end(wish(watchId, latencySeconds));

const left = async ({ feeds, wishes }: Stores) => {
  const feed = await feeds.find(7, 'stats');
  const live = await wishes.of(key);
  return [feed?.status, feed?.latencySeconds, live.map(({ watchId }) => watchId)];
};
const spentLeft = async ({ wishes }: Stores) =>
  (await wishes.spentBy(7, 'wat_1')).map(({ micropulls }) => micropulls);

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
    left: async ({ wishes }) => (await wishes.of(key)).map(({ watchId }) => watchId),
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
    a: ({ wishes }) =>
      wishes.noteSpent({ ...key, watchId: 'wat_1', createdAt: now, micropulls: 5 }),
    b: ({ wishes }) =>
      wishes.noteSpent({ ...key, watchId: 'wat_1', createdAt: now, micropulls: 7 }),
    left: spentLeft,
    outcomes: [
      [undefined, undefined, [5]],
      [undefined, undefined, [7]],
    ],
  }),
});
