import { displacementOf } from '#shared/dynamo/index-places.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const feed = { eventId: 1, kind: 'stats' } as const;

const found = ({ tableWalk }: Stores) => tableWalk.find();
const moveTo = (sk: string) => (stores: Stores, walk: Awaited<ReturnType<typeof found>>) =>
  stores.tableWalk.move(walk, { startedAt: now, after: { pk: 'EVENT#1', sk } });
const placeLeft = async ({ tableWalk }: Stores) => (await tableWalk.find()).after?.sk;

describeMeetings('the walk over the table', {
  'is moved by one of two runs': meeting({
    given: found,
    a: moveTo('A'),
    b: moveTo('B'),
    left: placeLeft,
    outcomes: [
      [true, false, 'A'],
      [false, true, 'B'],
    ],
  }),
  'is moved on by one of two runs': meeting({
    given: async (stores) => {
      await moveTo('A')(stores, await found(stores));
      return found(stores);
    },
    a: moveTo('B'),
    b: moveTo('C'),
    left: placeLeft,
    outcomes: [
      [true, false, 'B'],
      [false, true, 'C'],
    ],
  }),
  'does not bring back a feed that is put to sleep meanwhile': meeting({
    given: async (stores) => {
      await stores.feeds.wake(feed, 60, now);
      const [item] = (await stores.tableWalk.page(undefined)).items;
      const stored = await stores.feeds.find(1, 'stats');
      if (!item || !stored) throw new Error('there is no feed');
      const { dueShard, ...raw } = item;
      const lost = displacementOf(raw, now);
      if (!lost) throw new Error('the feed is in its place');
      return { raw, stored, displaced: { ...lost, seen: { ...lost.seen, dueShard } } };
    },
    a: ({ tableWalk }, { raw, displaced }) => tableWalk.putBack(raw, displaced),
    b: ({ feeds }, { stored }) => feeds.setLatency(stored, undefined),
    left: async ({ tableWalk }) => {
      const [item] = (await tableWalk.page(undefined)).items;
      return [item?.status, item?.dueShard];
    },
    outcomes: [
      [true, true, ['idle', undefined]],
      [false, true, ['idle', undefined]],
    ],
  }),
});
