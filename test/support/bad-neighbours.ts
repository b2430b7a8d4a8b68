// An event with watches of several owners that are well, beside odd ones: damaged stored items, settings that
// the API's schemas make, odd rows of the market. The good watches must be told what they are told without
// the odd ones, and each odd one must work or show why it does not.
import fc from 'fast-check';
import { expect } from 'vitest';
import { readStrictJson } from '#functions/api/conventions/strict-json.ts';
import { ProblemError } from '#functions/api/problem.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { newWatchSchema, type Watch } from '#shared/watchlist/watch.ts';
import { damageOwn, damageShared, ownDamage, sharedDamage } from './damages.ts';
import { addGoodWatches, type GoodWatch, goodSection, goodZone } from './good-watches.ts';
import { healEvent } from './heal.ts';
import { createNotSilent, type OddWatch } from './not-silent.ts';
import { oddLeaves } from './odd-leaves.ts';
import { createPipeline, type Pipeline, startMs } from './pipeline.ts';
import { arbitraryOf } from './schema-arbitrary.ts';
import { startTestTables, type TestTables } from './tables.ts';

/** Odd watches per event, each of an owner of its own: each is a case. */
export const oddOnesPerEvent = 20;
const event = 10_000;

const oddOne = fc.record({
  damage: fc.option(ownDamage, { nil: undefined }),
  watch: arbitraryOf(newWatchSchema, oddLeaves),
});

const oddName = fc.constantFrom(...oddLeaves.texts);
const oddPrice = fc.constantFrom(null, 0, -5, 1e-9, 1e20, Number.MAX_VALUE);
/** Few, because what the good watches are told without the odd ones is found once for each. */
const tapes = [
  [100, 40],
  [40, 100],
  [60, null, 10],
] as const;

export const badNeighbours = fc.record({
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

/**
 * Runs one event with such neighbours: the good watches are told the same as without them, no
 * later, and no odd one is silent without a reason that is shown.
 */
export async function expectUnharmed(bad: BadNeighbours): Promise<void> {
  const { prices, shared } = bad;
  const expected = alone.get(prices) ?? (await run({ ...bad, oddOnes: [], shared: [], zones: [] }));
  alone.set(prices, expected);
  const found = await run(bad);
  const isComparable = ({ looksBack }: Told) =>
    !looksBack || shared.every(({ item }) => item !== 'snapshot');
  const alerts = found.filter(isComparable).map((told) => told.alerts);
  const alertsAlone = expected.filter(isComparable).map((told) => told.alerts);
  expect(alerts.map(whatOf)).toEqual(alertsAlone.map(whatOf));
  expect(lateIn(alerts.flat(), alertsAlone.flat())).toEqual([]);
}

const whatOf = (alerts: readonly ToldAlert[]) => alerts.map(({ what }) => what);

/** Alerts that came later than alone. An odd watch of a smaller latency makes some come earlier. */
function lateIn(alerts: readonly ToldAlert[], alone: readonly ToldAlert[]): ToldAlert[] {
  return alerts.filter(({ seen, due }, index) => {
    const expected = alone[index];
    return expected === undefined || seen > expected.seen || due > expected.due;
  });
}

interface Person {
  ownerId: string;
  channelId: string;
}

/** @returns what the good watches were told. */
async function run(bad: BadNeighbours): Promise<Told[]> {
  const tables = await startTestTables();
  const faults: FaultReport[] = [];
  const listenAgain = listenForFaults((fault) => faults.push(fault));
  try {
    return await runOn(tables, bad, faults);
  } finally {
    listenAgain();
    await tables.stop();
  }
}

async function runOn(tables: TestTables, bad: BadNeighbours, faults: FaultReport[]) {
  const { stores } = tables;
  const pipeline: Pipeline = await createPipeline(stores, {
    event,
    fetch: { listings: () => listingsOf(tables, pipeline) },
  });
  const good = await addGoodWatches(stores, pipeline);
  const odd: OddWatch[] = [];
  for (const [index, { damage, watch }] of bad.oddOnes.entries()) {
    const person = await addPerson(tables, index);
    const wanted = damage ? { rules: [level(60 + index)] } : (watch as object);
    odd.push({ ...person, damage, watch: await watchAs(pipeline, person, wanted) });
  }
  pipeline.market.push(rowOf(pipeline, 100, bad.zones));
  await pipeline.minute();
  for (const [minute, price] of bad.prices.entries()) {
    await damageAt(tables, { minute, bad, odd });
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
  const silent = await Promise.all(odd.map(silenceOf));
  expect(silent.flat()).toEqual([]);
  return good.map(({ watchId, looksBack }) => ({
    looksBack,
    alerts: toldTo(pipeline, watchId),
  }));
}

const level = (dollars: number) => ({ type: 'level', metric: 'get_in', at_or_below: dollars });

interface DamageTurn {
  minute: number;
  bad: BadNeighbours;
  odd: readonly OddWatch[];
}

async function damageAt(tables: TestTables, { minute, bad, odd }: DamageTurn) {
  for (const each of odd) {
    const { ownerId, damage } = each;
    if (damage?.minute === minute) each.damaged = await damageOwn(tables, ownerId, damage);
  }
  for (const each of bad.shared) {
    if (each.minute === minute) await damageShared(tables, event, each);
  }
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

async function addPerson({ stores }: TestTables, number: number): Promise<Person> {
  const digits = String(number).padStart(32, '0');
  const [ownerId, channelId] = [`own_${digits}`, `ch_${digits}`];
  const createdAt = new Date(startMs).toISOString();
  await stores.access.createOwner({ ownerId, name: 'Bob', createdAt, timeZone: 'UTC' });
  await stores.channels.create({
    ...{ channelId, ownerId, status: 'active', isImmediate: false, staleAlerts: 'send' },
    target: { kind: 'email', address: 'bob@example.com' },
    ...{ watchesSilentUntil: {}, stopUrl: 'https://getin.example/l/token', createdAt },
  });
  return { ownerId, channelId };
}

/** A setting that the API refuses, in its JSON, by its schemas or later, gives way to a level. */
async function watchAs(
  pipeline: Pipeline,
  { ownerId, channelId }: Person,
  wanted: object,
): Promise<Watch> {
  const channels = [channelId];
  const rules = 'rules' in wanted && Array.isArray(wanted.rules) ? wanted.rules : [];
  const usual = () => pipeline.addWatch([level(50)], { channels }, ownerId);
  const body = readStrictJson(JSON.stringify({ event_id: 1, channels, rules }));
  if (!body.ok || !newWatchSchema.safeParse(body.value).success) return usual();
  return pipeline.addWatch(rules, { channels }, ownerId).catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 400) return usual();
    throw error;
  });
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
