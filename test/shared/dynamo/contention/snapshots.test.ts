import type { Stores } from '#shared/dynamo/stores.ts';
import type { FilterSummary, ListingsSnapshot } from '#shared/rules/listings-snapshot.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const feed = { eventId: 7, kind: 'listings' } as const;
const nothing = async () => {};

const ofFilter = (count: number): FilterSummary => ({
  ...{ count, cheapestCents: null, newCheapestCents: null, matches: [] },
});
const aSnapshot = (filters: Record<string, number>): ListingsSnapshot => ({
  ...{ feedKind: 'listings', eventId: 7, observedAt: now },
  filters: Object.fromEntries(
    Object.entries(filters).map(([filter, count]) => [filter, ofFilter(count)]),
  ),
});
const create = (filters: Record<string, number>) => (stores: Stores) =>
  stores.snapshots.create(aSnapshot(filters), now);
const amend = (filters: Record<string, number>) => (stores: Stores) =>
  stores.snapshots.amend(aSnapshot(filters));
const remove = ({ snapshots }: Stores) => snapshots.removeAfter(feed, now - 1);
const left = async ({ snapshots }: Stores) => {
  const [found] = await snapshots.between(feed, 0, now);
  if (found?.feedKind !== 'listings') return undefined;
  return Object.entries(found.filters)
    .map(([filter, { count }]) => `${filter} ${count}`)
    .sort();
};

describeMeetings('a snapshot', {
  'stays as it was stored first': meeting({
    given: nothing,
    a: create({ x: 1 }),
    b: create({ x: 2 }),
    left,
    outcomes: [
      [false, true, ['x 2']],
      [true, false, ['x 1']],
    ],
  }),
  'takes the filters of two first amendments': meeting({
    given: create({ x: 1 }),
    a: amend({ x: 5, a: 2 }),
    b: amend({ x: 6, b: 3 }),
    left,
    outcomes: [[undefined, undefined, ['a 2', 'b 3', 'x 1']]],
  }),
  'takes the filters of two later amendments': meeting({
    given: async (stores) => {
      await create({ x: 1 })(stores);
      await amend({ y: 1 })(stores);
    },
    a: amend({ a: 2 }),
    b: amend({ b: 3 }),
    left,
    outcomes: [[undefined, undefined, ['a 2', 'b 3', 'x 1', 'y 1']]],
  }),
  'stays removed when it is amended': meeting({
    given: create({ x: 1 }),
    a: amend({ a: 2 }),
    b: remove,
    left,
    outcomes: [[undefined, 1, undefined]],
  }),
});
