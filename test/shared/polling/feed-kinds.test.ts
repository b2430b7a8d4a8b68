// The table of feed kinds: what its rows say, and that series find their kind by its prefix.
import { describe, expect, it } from 'vitest';
import {
  feedKindRows,
  feedKindSchema,
  feedKinds,
  forEachFeedKind,
  isFeedKind,
  kindsArmedBy,
} from '#shared/polling/feed-kinds.ts';
import { unwellText } from '#shared/polling/notice-texts.ts';
import { feedKindOf } from '#shared/rules/series.ts';

describe('the kinds of feeds', () => {
  it('are stats and listings', () => {
    expect(feedKinds).toEqual(['stats', 'listings']);
    expect(feedKindSchema.options).toEqual(['stats', 'listings']);
    expect(['listings', 'sales', undefined].map(isFeedKind)).toEqual([true, false, false]);
  });

  it.each(['bucket', 'schedule', 'usageTotal', 'seriesPrefix'] as const)(
    'share no %s',
    (property) => {
      const values = feedKinds.map((kind) => feedKindRows[kind][property]);
      expect(new Set(values).size).toBe(values.length);
    },
  );

  it('count their calls in the marketplace’s own buckets', () => {
    const buckets = forEachFeedKind((kind) => feedKindRows[kind].bucket);
    expect(buckets).toEqual({ stats: 'events_stats', listings: 'listings' });
  });

  it('arm the listings by stats, and nothing by listings', () => {
    expect(forEachFeedKind(kindsArmedBy)).toEqual({ stats: ['listings'], listings: [] });
  });
});

describe('the feed of a series', () => {
  it.each([
    ['stats/get_in', 'stats'],
    ['stats/present/zone=listings%2F', 'stats'],
    ['listings/count/all', 'listings'],
    ['listings', 'stats'],
    ['damaged', 'stats'],
  ])('of %s is %s', (series, kind) => {
    expect(feedKindOf(series)).toBe(kind);
  });
});

describe('the notice of a feed without fresh data', () => {
  const stale = { kind: 'stale', quietMs: 5 * 3_600_000 } as const;

  it.each([
    ['stats', 'The marketplace’s price data for this event has not changed for 5 hours'],
    ['listings', 'The marketplace’s listings for this event have not changed for 5 hours'],
  ] as const)('agrees with the noun of %s', (kind, beginning) => {
    const { text } = unwellText(kind, 'Knicks at Heat', stale);
    expect(text.replaceAll("'", '’').startsWith(beginning)).toBe(true);
  });
});
