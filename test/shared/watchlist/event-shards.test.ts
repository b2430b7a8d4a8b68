import { describe, expect, it } from 'vitest';
import { isShard, nextShard, shardsAfter } from '#shared/watchlist/event-shards.ts';

describe('the shards of an event', () => {
  it.each([
    { placed: 0, next: 0, shards: 1 },
    { placed: 999, next: 0, shards: 1 },
    { placed: 1_000, next: 1, shards: 1 },
    { placed: 1_001, next: 1, shards: 2 },
    { placed: 2_500, next: 2, shards: 3 },
    { placed: 63_999, next: 63, shards: 64 },
    { placed: 64_000, next: 0, shards: 64 },
    { placed: 65_500, next: 1, shards: 64 },
  ])('are $shards after $placed triggers, and the next goes into $next', (row) => {
    expect({ next: nextShard(row.placed), shards: shardsAfter(row.placed) }).toEqual({
      next: row.next,
      shards: row.shards,
    });
  });

  it('are numbered from 0 to 63', () => {
    expect([0, 63].every(isShard)).toBe(true);
    expect([-1, 64, 1.5, '1', Number.NaN].some(isShard)).toBe(false);
  });
});
