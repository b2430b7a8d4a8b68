// An event with watches of several owners that are well, beside odd ones: damaged stored items, settings that
// the API's schemas make, odd rows of the market. The good watches must be told what they are told without
// the odd ones, and each odd one must work or show why it does not.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { type Api, startApi } from './api.ts';
import { damageShared, type SharedDamage, sharedDamage } from './damages.ts';
import { addGoodWatches, type GoodWatch, goodSection, goodZone } from './good-watches.ts';
import { healEvent } from './heal.ts';
import { createNotSilent } from './not-silent.ts';
import { oddLeaves } from './odd-leaves.ts';
import { addNeighbour, type Neighbour, oddOne } from './odd-neighbours.ts';
import type { Taken } from './odd-owner.ts';
import { createPipeline, type Pipeline, startMs } from './pipeline.ts';
import type { TestTables } from './tables.ts';

/** Odd watches per event, each of an owner of its own: each is a case. */
export const oddOnesPerEvent = 20;
const event = 10_000;

const oddName = fc.constantFrom(...oddLeaves.texts);
const oddPrice = fc.constantFrom(null, 0, -5, 1e-9, 1e20, Number.MAX_VALUE);
/** Few, because what the good watches are told without the odd ones is found once for each. */
const tapes = [
  [100, 40],
  [40, 100],
  [60, null, 10],
] as const;

const badNeighbours = fc.record({
  oddOnes: fc.array(oddOne, { minLength: oddOnesPerEvent, maxLength: oddOnesPerEvent }),
  shared: fc.array(sharedDamage, { maxLength: 2 }),
  zones: fc.array(fc.record({ zone_name: oddName, get_in: oddPrice }), { maxLength: 5 }),
  prices: fc.constantFrom(...tapes),
});
type BadNeighbours = typeof badNeighbours extends fc.Arbitrary<infer Value> ? Value : never;

interface ToldAlert {
  /** What was told, by which channel. */
  what: unknown;
  /** When it was seen and was due, ms since the start. */
  seen: number;
  due: number;
}

type Told = Pick<GoodWatch, 'looksBack'> & { alerts: ToldAlert[] };

/** What the good watches are told without odd ones, by the prices. */
const alone = new Map<BadNeighbours['prices'], Told[]>();

/** Fixed, so that a failure of CI can be repeated; look for more with other seeds. */
const seed = 1;

/** Runs some events, each with other bad neighbours; the API must accept some of their settings. */
export async function expectAllUnharmed(events: number): Promise<void> {
  let accepted = 0;
  const property = fc.asyncProperty(badNeighbours, async (bad) => {
    accepted += (await expectUnharmed(bad)).accepted;
  });
  await fc.assert(property, { numRuns: events, seed, endOnFailure: true });
  expect(accepted).toBeGreaterThan(events * oddOnesPerEvent);
}

/** Runs one event on which one value of what all watches share is damaged. */
export async function expectUnharmedBy(damage: SharedDamage): Promise<void> {
  const prices = tapes[damage.place % tapes.length] ?? tapes[0];
  await expectUnharmed({ oddOnes: [], shared: [damage], zones: [], prices });
}

/**
 * Runs one event with such neighbours: the good watches are told the same as without them, no
 * later, and no odd one is silent without a reason that is shown.
 * @returns how many settings of the odd ones the API accepted and refused.
 */
async function expectUnharmed(bad: BadNeighbours): Promise<Taken> {
  const { prices, shared } = bad;
  const none = { ...bad, oddOnes: [], shared: [], zones: [] };
  const expected = alone.get(prices) ?? (await run(none)).told;
  alone.set(prices, expected);
  const { told: found, taken } = await run(bad);
  const isComparable = ({ looksBack }: Told) =>
    !looksBack || shared.every(({ item }) => item !== 'snapshot');
  const alerts = found.filter(isComparable).map((told) => told.alerts);
  const alertsAlone = expected.filter(isComparable).map((told) => told.alerts);
  expect(alerts.map(whatOf)).toEqual(alertsAlone.map(whatOf));
  expect(lateIn(alerts.flat(), alertsAlone.flat())).toEqual([]);
  return taken;
}

const whatOf = (alerts: readonly ToldAlert[]) => alerts.map(({ what }) => what);

/** Alerts that came later than alone. An odd watch of a smaller latency makes some come earlier. */
function lateIn(alerts: readonly ToldAlert[], alone: readonly ToldAlert[]): ToldAlert[] {
  return alerts.filter(({ seen, due }, index) => {
    const expected = alone[index];
    return expected === undefined || seen > expected.seen || due > expected.due;
  });
}

/** @returns what the good watches were told, and how many settings the API accepted and refused. */
async function run(bad: BadNeighbours) {
  const api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
  const faults: FaultReport[] = [];
  const listenAgain = listenForFaults((fault) => faults.push(fault));
  try {
    return await runOn(api, bad, faults);
  } finally {
    listenAgain();
    await api.stop();
  }
}

async function runOn(api: Api, bad: BadNeighbours, faults: FaultReport[]) {
  const { stores } = api;
  const taken: Taken = { accepted: 0, refused: 0 };
  const pipeline: Pipeline = await createPipeline(stores, {
    event,
    fetch: { listings: () => listingsOf(api, pipeline) },
  });
  const good = await addGoodWatches(stores, pipeline);
  const neighbours: Neighbour[] = [];
  for (const [index, odd] of bad.oddOnes.entries()) {
    neighbours.push(await addNeighbour({ api, pipeline, event, taken }, index, odd));
  }
  pipeline.market.push(rowOf(pipeline, 100, bad.zones));
  await pipeline.minute();
  for (const [minute, price] of bad.prices.entries()) {
    for (const { disturb } of neighbours) await disturb(minute);
    for (const each of bad.shared) {
      if (each.minute === minute) await damageShared(api, event, each);
    }
    pipeline.market.push(rowOf(pipeline, price, bad.zones));
    await pipeline.minute();
  }
  await pipeline.minute();
  await healEvent(stores, pipeline, event);
  const since = pipeline.clock.now;
  faults.length = 0;
  for (const price of [100, 40]) {
    pipeline.market.push(rowOf(pipeline, price, bad.zones));
    await pipeline.minute();
  }
  await pipeline.minute();
  const silenceOf = createNotSilent(stores, pipeline, { since, price: 4_000, faults });
  const odd = neighbours.flatMap(({ watch }) => watch ?? []);
  const silent = await Promise.all(odd.map(silenceOf));
  expect(silent.flat()).toEqual([]);
  const told = good.map(
    ({ watchId, looksBack }): Told => ({ looksBack, alerts: toldTo(pipeline, watchId) }),
  );
  return { told, taken };
}

/** What a watch was told, and when it was seen, was due and was sent. */
function toldTo({ sent }: Pipeline, watchId: string): ToldAlert[] {
  return sent
    .filter(({ alert }) => alert.watchId === watchId)
    .map(({ alert, delivery }) => ({
      what: {
        ...{ value: alert.value, level: alert.level, alreadyTrue: alert.alreadyTrue },
        by: delivery.channelKind,
      },
      ...{ seen: alert.observedAt - startMs, due: delivery.dueAt - startMs },
    }));
}

function rowOf({ clock }: Pipeline, price: number | null, zones: BadNeighbours['zones']) {
  const prices = { avg_price: price, median_price: price, get_in: price, get_in_qty2plus: price };
  const odd = zones.map((zone) => ({
    ...{ avg_price: null, median_price: null, get_in_qty2plus: null },
    ...zone,
  }));
  return {
    timestamp: new Date(clock.now + 30_000).toISOString(),
    ...{ total_listings_all: 10, total_listings_active: activeAt(price) },
    ...{ listing_fill_rate: 0.5, ...prices },
    zones: [...odd, { zone_name: goodZone, ...prices }],
  };
}

function activeAt(price: number | null): number {
  if (price === null) return 0;
  return price <= 40 ? 2 : 5;
}

/** One listing at the newest price, which is none while the market is empty. */
async function listingsOf({ stores }: TestTables, { clock, market }: Pipeline) {
  const feed = { eventId: event, kind: 'listings' } as const;
  const bases = (await stores.triggers.seriesOf(event)).map((key) => parseSeries(key).base);
  const filters = bases.flatMap((base) => (base.kind === 'listings' ? [base.filter] : []));
  const previous = await stores.snapshots.newest(feed);
  const price = market.at(-1)?.get_in ?? null;
  const seat = { zone: goodZone, section: goodSection, row: 'A', quantity: 2, active: true };
  const snapshot = snapshotFromListings({
    ...{ eventId: event, observedAt: clock.now - 1_000, filters: [...new Set(filters)] },
    rows: price === null ? [] : [{ listing_id: Math.round(price), price, ...seat }],
    previous: previous?.feedKind === 'listings' ? previous : null,
  });
  const refreshes = [snapshot.observedAt];
  return { snapshots: [snapshot], refreshes, isComplete: false, pulls: 1, reason: 'test' };
}
