// The part of a large fleet that one run reads: whole shards, evenly spread over shards and turns.
import { expect, it } from 'vitest';
import { readFleetPart } from '#shared/dynamo/fleet-part.ts';
import type { Feed } from '#shared/polling/feed.ts';

/** A fleet with this many feeds in each of its 16 shards; remembers the shards that were read. */
function aFleet(perShard: number) {
  const read: number[] = [];
  const feeds = {
    scheduled: async (kind: string, shard: number) => {
      if (kind !== 'stats') return [];
      read.push(shard);
      return Array.from({ length: perShard }, (_, n) => ({ eventId: n * 16 + shard }) as Feed);
    },
  };
  return { feeds, read };
}

it('is the whole fleet where that is not too large', async () => {
  const { feeds, read } = aFleet(3);
  const part = await readFleetPart(feeds, { first: 5, most: 48 });
  expect([part.feeds.length, part.share]).toEqual([48, 1]);
  expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, shard) => shard));
});

it('is at most so many feeds of a large fleet, and begins with the turn’s shard', async () => {
  const { feeds, read } = aFleet(625);
  const part = await readFleetPart(feeds, { first: 5, most: 2_500 });
  expect([part.feeds.length, part.share, read[0]]).toEqual([2_500, 0.25, 5]);
});

it('is one shard where that alone is too large', async () => {
  const { feeds } = aFleet(625);
  const part = await readFleetPart(feeds, { first: 5, most: 100 });
  expect([part.feeds.length, part.share]).toEqual([625, 1 / 16]);
});

it.each([1_250, 2_500, 5_000])(
  'reads each shard equally often, at most %d feeds a turn',
  async (most) => {
    const { feeds, read } = aFleet(625);
    for (let first = 0; first < 16; first += 1) await readFleetPart(feeds, { first, most });
    const counts = [...Map.groupBy(read, (shard) => shard).values()].map((each) => each.length);
    expect(counts).toEqual(Array.from({ length: 16 }, () => most / 625));
  },
);
