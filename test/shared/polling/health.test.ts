// Whether a feed is well, stale or failing.
import { describe, expect, it } from 'vitest';
import type { Feed } from '#shared/polling/feed.ts';
import { judgeFeed } from '#shared/polling/health.ts';

const hourMs = 3_600_000;
const feed = (rhythm: Feed['rhythm'], lastPolledAt: number) =>
  ({ failures: 0, rhythm, lastPolledAt }) as Feed;

describe('a feed with a single refresh', () => {
  const rhythm = { gapsMs: [], lastRefreshAt: 1_000 * hourMs };

  it('is well for a day after it', () => {
    const now = 1_024 * hourMs;
    expect(judgeFeed(feed(rhythm, now), now)).toEqual({ kind: 'well' });
  });

  it('is stale after a day', () => {
    const now = 1_025 * hourMs;
    expect(judgeFeed(feed(rhythm, now), now)).toEqual({ kind: 'stale', quietMs: 25 * hourMs });
  });

  it('is well while it is not polled', () => {
    expect(judgeFeed(feed(rhythm, 1_001 * hourMs), 2_000 * hourMs)).toEqual({ kind: 'well' });
  });
});

describe('a feed whose refreshes are an hour apart', () => {
  it('is stale after six hours', () => {
    const rhythm = { gapsMs: [hourMs, hourMs], lastRefreshAt: 1_000 * hourMs };
    const now = 1_007 * hourMs;
    expect(judgeFeed(feed(rhythm, now), now)).toEqual({ kind: 'stale', quietMs: 7 * hourMs });
  });
});

describe('a feed that never had a refresh', () => {
  it('is well, as it is empty', () => {
    expect(judgeFeed(feed({ gapsMs: [] }, 9 * hourMs), 9 * hourMs)).toEqual({ kind: 'well' });
  });
});
