// What a feed remembers of an event's prices: first, lowest, last.
import { describe, expect, it } from 'vitest';
import { isPriceRecord, recordAfter } from '#shared/polling/price-record.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';

const seen = (observedAt: number, cents: number | null) =>
  ({ feedKind: 'stats', observedAt, metrics: { get_in: cents } }) as unknown as Snapshot;

describe('a price record', () => {
  it('has the first, the lowest and the last price with their times, over several answers', () => {
    const first = recordAfter(undefined, [seen(1, 900), seen(2, 700), seen(3, 800)]);
    expect(recordAfter(first, [seen(4, 700), seen(5, 750)])).toEqual({
      ...{ firstCents: 900, firstAt: 1, lowCents: 700, lowAt: 2, lastCents: 750, lastAt: 5 },
    });
  });

  it('does not count a missing or zero price, nor other data than stats', () => {
    const others = { feedKind: 'listings', observedAt: 9 } as unknown as Snapshot;
    expect(recordAfter(undefined, [seen(1, null), seen(2, 0), others])).toBeUndefined();
  });

  it('takes a late snapshot in its place in time', () => {
    const now = recordAfter(undefined, [seen(5, 900)]);
    expect(recordAfter(now, [seen(3, 1_000)])).toEqual({
      ...{ firstCents: 1_000, firstAt: 3, lowCents: 900, lowAt: 5, lastCents: 900, lastAt: 5 },
    });
  });

  it.each([undefined, null, 7, {}, { firstCents: 1 }, { firstCents: 'x' }])(
    'is not read from %j',
    (stored) => {
      expect(isPriceRecord(stored)).toBe(false);
    },
  );
});
