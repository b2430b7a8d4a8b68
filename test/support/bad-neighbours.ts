// Events with good watches of several owners, beside odd ones: damaged stored items, settings generated
// from the API's schemas, odd rows of the market. The good watches must get the same messages as without them.
import fc from 'fast-check';
import { expect } from 'vitest';
import { ProblemError } from '#functions/api/problem.ts';
import { createPresentState } from '#functions/api/watches/present-state.ts';
import { createReadTroubles } from '#functions/api/watches/read-troubles.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import { newWatchSchema } from '#shared/watchlist/watch.ts';
import { damageOwn, damageShared, type OwnDamage, ownDamage, sharedDamage } from './damages.ts';
import { oddLeaves } from './odd-leaves.ts';
import { createPipeline, type Pipeline, startMs } from './pipeline.ts';
import { arbitraryOf } from './schema-arbitrary.ts';
import type { TestTables } from './tables.ts';

/** Odd watches per event, each with its own owner; each is one case. */
export const oddOnesPerEvent = 10;

const oddOne = fc.record({
  damage: fc.option(ownDamage, { nil: undefined }),
  watch: arbitraryOf(newWatchSchema, oddLeaves),
});

const oddName = fc.constantFrom(...oddLeaves.texts);
const oddPrice = fc.constantFrom(null, 0, -5, 1e-9, 1e20, Number.MAX_VALUE);

export const badNeighbours = fc.record({
  oddOnes: fc.array(oddOne, { minLength: oddOnesPerEvent, maxLength: oddOnesPerEvent }),
  shared: fc.array(sharedDamage, { maxLength: 2 }),
  zones: fc.array(fc.record({ zone_name: oddName, get_in: oddPrice }), { maxLength: 5 }),
  levels: fc.array(fc.integer({ min: 20, max: 90 }), { minLength: 3, maxLength: 3 }),
  prices: fc.array(fc.constantFrom(null, 10, 40, 60, 100), { minLength: 2, maxLength: 3 }),
});
type BadNeighbours = typeof badNeighbours extends fc.Arbitrary<infer Value> ? Value : never;

const level = (dollars: number) => ({ type: 'level', metric: 'get_in', at_or_below: dollars });

/**
 * Runs one event with such neighbours and once without: the good watches get the same messages at the same
 * times, and the damaged ones can still be read.
 */
export async function expectUnharmed(tables: TestTables, event: number, bad: BadNeighbours) {
  const without = await run(tables, event * 2, { ...bad, zones: [] }, false);
  const beside = await run(tables, event * 2 + 1, bad, true);
  expect(beside).toEqual(without);
}

interface Person {
  ownerId: string;
  channelId: string;
}

/** @returns the messages of the good watches. */
async function run(
  tables: TestTables,
  event: number,
  bad: BadNeighbours,
  isDamaged: boolean,
): Promise<unknown[]> {
  const pipeline = await createPipeline(tables.stores, { event });
  const good: string[] = [];
  for (const [index, dollars] of bad.levels.entries()) {
    const person = await addPerson(tables, event * 100 + index);
    good.push((await watchAs(pipeline, person, { rules: [level(dollars)] })).watchId);
  }
  const damaged: (Person & { damage: OwnDamage; watchId: string })[] = [];
  for (const [index, { damage, watch }] of bad.oddOnes.entries()) {
    if (!damage && !isDamaged) continue;
    const person = await addPerson(tables, event * 100 + 50 + index);
    const wanted = damage ? { rules: [level(60 + index)] } : watch;
    const { watchId } = await watchAs(pipeline, person, wanted as object);
    if (damage) damaged.push({ ...person, damage, watchId });
  }
  await pipeline.minute(100);
  for (const [minute, price] of bad.prices.entries()) {
    if (isDamaged) await damageAt(tables, { event, minute, bad, damaged });
    pipeline.market.push(rowOf(pipeline, price, bad.zones));
    await pipeline.minute();
  }
  await pipeline.minute();
  if (isDamaged) {
    const lookAt = createLook(tables, pipeline);
    await Promise.all(damaged.map(({ watchId }) => lookAt(watchId)));
  }
  return good.map((watchId) => told(pipeline, watchId));
}

interface DamageTurn {
  event: number;
  minute: number;
  bad: BadNeighbours;
  damaged: readonly (Person & { damage: OwnDamage })[];
}

async function damageAt(tables: TestTables, { event, minute, bad, damaged }: DamageTurn) {
  for (const { ownerId, damage } of damaged) {
    if (damage.minute === minute) await damageOwn(tables, ownerId, damage);
  }
  for (const each of bad.shared) {
    if (each.minute === minute) await damageShared(tables, event, each);
  }
}

/** Reads a watch and its troubles, as its page does; an unreadable watch is left out. */
function createLook({ stores }: TestTables, { clock }: Pipeline) {
  const loadHistory = createLoadHistory(stores);
  const presentState = createPresentState({ stores, loadHistory });
  const readTroubles = createReadTroubles({ stores, presentState });
  return async function look(watchId: string): Promise<void> {
    const watch = await orMissing(stores.watches.find(watchId));
    if (watch) await readTroubles([watch], clock.now);
  };
}

/** The messages of a watch, with the times when its data was seen and due. */
function told({ sent }: Pipeline, watchId: string): unknown[] {
  return sent
    .filter(({ alert }) => alert.watchId === watchId)
    .map(({ alert, delivery }) => ({
      ...{ value: alert.value, level: alert.level, alreadyTrue: alert.alreadyTrue },
      ...{ seen: alert.observedAt - startMs, due: delivery.dueAt - startMs },
    }));
}

async function addPerson({ stores }: TestTables, number: number): Promise<Person> {
  const digits = String(number).padStart(32, '0');
  const [ownerId, channelId] = [`own_${digits}`, `ch_${digits}`];
  const createdAt = new Date(startMs).toISOString();
  await stores.access.createOwner({ ownerId, name: 'Ann', createdAt, timeZone: 'UTC' });
  await stores.channels.create({
    ...{ channelId, ownerId, status: 'active', isImmediate: false, staleAlerts: 'send' },
    target: { kind: 'email', address: 'ann@example.com' },
    ...{ watchesSilentUntil: {}, stopUrl: 'https://getin.example/l/token', createdAt },
  });
  return { ownerId, channelId };
}

/** If the API refuses a setting, by its schemas or later, a level rule replaces it. */
async function watchAs(pipeline: Pipeline, { ownerId, channelId }: Person, wanted: object) {
  const channels = [channelId];
  const rules = 'rules' in wanted && Array.isArray(wanted.rules) ? wanted.rules : [];
  const usual = () => pipeline.addWatch([level(50)], { channels }, ownerId);
  if (!newWatchSchema.safeParse({ event_id: 1, channels, rules }).success) return usual();
  return pipeline.addWatch(rules, { channels }, ownerId).catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 400) return usual();
    throw error;
  });
}

function rowOf({ clock }: Pipeline, price: number | null, zones: BadNeighbours['zones']) {
  const prices = { avg_price: price, median_price: price, get_in: price, get_in_qty2plus: price };
  return {
    timestamp: new Date(clock.now + 30_000).toISOString(),
    ...{ total_listings_all: 10, total_listings_active: price === null ? 0 : 5 },
    ...{ listing_fill_rate: 0.5, ...prices },
    zones: zones.map((zone) => ({
      ...{ avg_price: null, median_price: null, get_in_qty2plus: null },
      ...zone,
    })),
  };
}
