// An explanation of rules on single listings, whose snapshots come from another feed than the stats.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { type Api, createKey, startApi } from '#test/support/api.ts';
import { reasonsIn } from '#test/support/explained.ts';
import {
  createPipeline,
  eventId,
  ownerId,
  type Pipeline,
  startMs,
} from '#test/support/pipeline.ts';

let api: Api;
let pipeline: Pipeline;

beforeEach(async () => {
  api = await startApi();
  pipeline = await createPipeline(api.stores, { fetch: { listings: listingsNow } });
  const createdAt = new Date(startMs).toISOString();
  await api.stores.access.createOwner({ ownerId, name: 'Ann', createdAt });
});

afterEach(() => api.stop());

/** One listing at the newest price. */
async function listingsNow() {
  const feed = { eventId, kind: 'listings' } as const;
  const bases = (await api.stores.triggers.seriesOf(eventId)).map((key) => parseSeries(key).base);
  const filters = bases.flatMap((base) => (base.kind === 'listings' ? [base.filter] : []));
  const previous = await api.stores.snapshots.newest(feed);
  const price = pipeline.market.at(-1)?.get_in ?? null;
  const seat = { zone: 'Floor', section: '101', row: 'A', quantity: 2, active: true };
  const snapshot = snapshotFromListings({
    ...{ eventId, observedAt: pipeline.clock.now - 1_000, filters: [...new Set(filters)] },
    rows: price === null ? [] : [{ listing_id: Math.round(price), price, ...seat }],
    previous: previous?.feedKind === 'listings' ? previous : null,
  });
  const refreshes = [snapshot.observedAt];
  return { snapshots: [snapshot], refreshes, isComplete: false, pulls: 1, reason: 'test' };
}

it('agrees with the live system on each listing', async () => {
  const cheap = { type: 'listing', sections: ['101'], at_or_below: 80 };
  const few = { type: 'supply', metric: 'total_listings_active', at_or_below: 4 };
  const { watchId, rules } = await pipeline.addWatch([cheap, { ...cheap, all_of: [few] }]);
  for (const getIn of [100, 74, 74, 71, null, 99]) await pipeline.minute(getIn);
  api.clock.now = pipeline.clock.now;
  const key = await createKey(api, ownerId, 'read');
  const of = async (place: number) => {
    const query = `rule_id=${rules[place]?.ruleId}`;
    return (await api.call(`/v1/watches/${watchId}/explain?${query}`, { key })).body;
  };
  const body = await of(0);
  const alerted = reasonsIn(body).filter(([, reason]) => reason === 'alerted');
  expect(alerted).toEqual([
    [74, 'alerted'],
    [71, 'alerted'],
  ]);
  expect(pipeline.raised).toHaveLength(2);
  expect(reasonsIn(body)).toContainEqual([null, 'no_value']);
  expect(reasonsIn(await of(1))).toContainEqual([74, 'condition_not_met']);
  for (const { data } of [body, await of(1)]) {
    expect(data.map(({ reason }: { reason: string }) => reason)).not.toContain('unknown');
  }
});
