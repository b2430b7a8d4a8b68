// Events with watches of several owners that are well, beside odd ones: damaged stored items, settings that
// the API's schemas make, odd rows of the market. The others must be told what they are told without them.
import { GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect } from 'vitest';
import { ProblemError } from '#functions/api/problem.ts';
import { newWatchSchema } from '#shared/watchlist/watch.ts';
import { oddLeaves } from './odd-leaves.ts';
import { createPipeline, type Pipeline, startMs } from './pipeline.ts';
import { arbitraryOf } from './schema-arbitrary.ts';
import type { TestTables } from './tables.ts';

/** Odd watches per event, each of an owner of its own: each is a case. */
export const oddOnesPerEvent = 10;

const oddValues = [null, '', 'PST', '\u0000', -1, 1e15, true, [], {}, [null], { odd: 1 }] as const;

/** Removes a value, or puts another in its place. */
const damage = fc.record({
  entity: fc.constantFrom('trigger', 'watch', 'channel', 'owner', 'alert', 'delivery', 'wish'),
  /** Which of the item's values, nested ones too. */
  place: fc.nat(1_000),
  value: fc.option(fc.constantFrom<unknown>(...oddValues), { nil: undefined }),
  /** Before or after the first alerts. */
  minute: fc.constantFrom(0, 1),
});
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

const oddOne = fc.record({
  damage: fc.option(damage, { nil: undefined }),
  watch: arbitraryOf(newWatchSchema, oddLeaves),
});

const oddName = fc.constantFrom(...oddLeaves.texts);
const oddPrice = fc.constantFrom(null, 0, -5, 1e-9, 1e20, Number.MAX_VALUE);

export const badNeighbours = fc.record({
  oddOnes: fc.array(oddOne, { minLength: oddOnesPerEvent, maxLength: oddOnesPerEvent }),
  zones: fc.array(fc.record({ zone_name: oddName, get_in: oddPrice }), { maxLength: 5 }),
  levels: fc.array(fc.integer({ min: 20, max: 90 }), { minLength: 3, maxLength: 3 }),
  prices: fc.array(fc.constantFrom(null, 10, 40, 60, 100), { minLength: 2, maxLength: 3 }),
});
type BadNeighbours = typeof badNeighbours extends fc.Arbitrary<infer Value> ? Value : never;

const level = (dollars: number) => ({ type: 'level', metric: 'get_in', at_or_below: dollars });

/** Runs one event with such neighbours and once without: the others are told the same, at the same times. */
export async function expectUnharmed(tables: TestTables, event: number, bad: BadNeighbours) {
  const without = await run(tables, event * 2, { ...bad, oddOnes: [], zones: [] });
  expect(await run(tables, event * 2 + 1, bad)).toEqual(without);
}

interface Person {
  ownerId: string;
  channelId: string;
}

async function run(tables: TestTables, event: number, bad: BadNeighbours): Promise<unknown[]> {
  const pipeline = await createPipeline(tables.stores, { event });
  const good: string[] = [];
  for (const [index, dollars] of bad.levels.entries()) {
    const person = await addPerson(tables, event * 100 + index);
    good.push((await watchAs(pipeline, person, { rules: [level(dollars)] })).watchId);
  }
  const damages: (Damage & Person)[] = [];
  for (const [index, { damage: each, watch }] of bad.oddOnes.entries()) {
    const person = await addPerson(tables, event * 100 + 50 + index);
    const wanted = each ? { rules: [level(60 + index)] } : watch;
    await watchAs(pipeline, person, wanted as object);
    if (each) damages.push({ ...each, ...person });
  }
  await pipeline.minute(100);
  for (const [minute, price] of bad.prices.entries()) {
    for (const each of damages) if (each.minute === minute) await harm(tables, each);
    pipeline.market.push(rowOf(pipeline, price, bad.zones));
    await pipeline.minute();
  }
  await pipeline.minute();
  for (const { ownerId } of damages) await tables.stores.watches.listAll(ownerId);
  return told(pipeline, good);
}

/** What each good watch was told, and when it was seen and was due. */
function told({ sent }: Pipeline, watchIds: readonly string[]): unknown[] {
  return watchIds.map((watchId) =>
    sent
      .filter(({ alert }) => alert.watchId === watchId)
      .map(({ alert, delivery }) => ({
        ...{ value: alert.value, level: alert.level, alreadyTrue: alert.alreadyTrue },
        ...{ seen: alert.observedAt - startMs, due: delivery.dueAt - startMs },
      })),
  );
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

/** A setting that the API refuses, by its schemas or later, gives way to a level. */
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

/** DynamoDB itself holds keys, also those of an index, to their types; without these an item is another. */
const typed = new Set([
  ...['pk', 'sk', 'ownerKey', 'ownerSort', 'triggerPartition', 'triggerLevel'],
  ...['unfinishedShard', 'nextAttemptAt', 'dueShard', 'nextPollAt'],
]);

async function harm(tables: TestTables, damage: Damage & Person): Promise<void> {
  const { client, names } = tables;
  const TableName = names.WATCHLIST_TABLE;
  const { Items = [] } = await client.send(
    new ScanCommand({
      TableName,
      FilterExpression: 'entity = :entity',
      ExpressionAttributeValues: { ':entity': damage.entity },
    }),
  );
  const owned = Items.find((item) => JSON.stringify(item).includes(damage.ownerId));
  if (!owned) return;
  const { pk, sk } = owned;
  const { Item = {} } = await client.send(new GetCommand({ TableName, Key: { pk, sk } }));
  const paths = pathsIn(Item).filter(([name = '']) => !typed.has(name));
  const path = paths[damage.place % paths.length];
  if (path) await change(tables, { pk, sk }, path, damage.value);
}

async function change(
  { client, names }: TestTables,
  Key: { pk: unknown; sk: unknown },
  path: readonly string[],
  value: unknown,
): Promise<void> {
  const named = Object.fromEntries(path.map((name, index) => [`#n${index}`, name]));
  const place = Object.keys(named).join('.');
  await client.send(
    new UpdateCommand({
      ...{ TableName: names.WATCHLIST_TABLE, Key, ExpressionAttributeNames: named },
      UpdateExpression: value === undefined ? `REMOVE ${place}` : `SET ${place} = :value`,
      ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
}

/** Every value of an item by its path, also the maps that others are in; lists are taken whole. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Set) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ]);
}
