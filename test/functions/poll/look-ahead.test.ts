// What an event's triggers ask of the polling: the distance to the nearest plain level, in shares of the value.
import { expect, it } from 'vitest';
import { createLookAhead } from '#functions/poll/look-ahead.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { aTrigger } from '#test/support/triggers.ts';

const snapshot: MarketSnapshot = {
  ...{ feedKind: 'stats', eventId: 7, observedAt: 0, zones: {} },
  metrics: {
    ...{ get_in: 10_000, get_in_qty2plus: null, avg_price: null, median_price: null },
    ...{ total_listings_active: 5, listing_fill_rate: null },
  },
};

it.each([
  ['a level', 'stats/get_in', 0.2],
  ['a change', 'stats/get_in/drop_pct:previous', null],
  ['a level of a series that may have no value', 'stats/get_in/none_high', null],
  ['missing data', 'stats/get_in/missing', null],
])('%s: %s has the distance %j', async (_what, series, distance) => {
  const lookAhead = createLookAhead({
    shardsOf: async () => 1,
    seriesOf: async () => [series],
    nearest: async ({ direction, state }) => {
      const level = direction === 'down' ? 8_000 : 13_000;
      return state === 'armed' ? [aTrigger({ series, direction, level, state })] : [];
    },
    forEvent: () => {
      throw new Error('the stats feed reads no unsettled trigger');
    },
  });
  const { triggers, ...outlook } = await lookAhead(7, snapshot);
  expect(outlook).toEqual({ distance, reaches: new Map() });
  expect(triggers).toHaveLength(2);
});
