// Events on which several watches are damaged, or the market's rows are odd, beside watches that are well:
// what those are told must be what they are told without such neighbours.
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect } from 'vitest';
import { channelId, createPipeline, ownerId, startMs } from './pipeline.ts';
import type { TestTables } from './tables.ts';

/** Odd watches per event: each is a case. */
export const oddOnesPerEvent = 10;

const oddValues: readonly unknown[] = [
  null,
  '',
  'PST',
  '\u0000',
  -1,
  1e15,
  true,
  [],
  {},
  [null],
  { odd: 1 },
];
const damaged = ['trigger', 'watch', 'channel', 'owner', 'facts'] as const;

const damage = fc.record({
  what: fc.constantFrom(...damaged),
  /** Which of the item's values, nested ones too. */
  place: fc.nat(1_000),
  value: fc.constantFrom(...oddValues),
});
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

const oddName = fc.constantFrom(
  ...['constructor', '__proto__', 'toString', '', ' ', '\ud83d', '#', '/', '%', '\n', '\u202eabc'],
  ...['\u0000', 'x'.repeat(5_000)],
);
const oddPrice = fc.constantFrom(null, 0, -5, 1e-9, 1e20, Number.MAX_VALUE);

export const badNeighbours = fc.record({
  damages: fc.array(damage, { minLength: oddOnesPerEvent, maxLength: oddOnesPerEvent }),
  zones: fc.array(fc.record({ zone_name: oddName, get_in: oddPrice }), { maxLength: 5 }),
});
type BadNeighbours = typeof badNeighbours extends fc.Arbitrary<infer Value> ? Value : never;

const level = (dollars: number) => ({ type: 'level', metric: 'get_in', at_or_below: dollars });

/** Runs one event with such neighbours, and holds what the good watches were told to what they must be. */
export async function expectUnharmed(tables: TestTables, event: number, bad: BadNeighbours) {
  const pipeline = await createPipeline(tables.stores, { event });
  await tables.stores.access.createOwner({
    ...{ ownerId, name: 'Ann', createdAt: new Date(startMs).toISOString() },
    timeZone: 'UTC',
  });
  const good = [await pipeline.addWatch([level(70)]), await pipeline.addWatch([level(50)])];
  const oddOnes = bad.damages.map((each, index) => ({ ...each, index }));
  const targets: [string, string, Damage][] = [];
  for (const { index, ...each } of oddOnes) {
    const oddChannel = `ch_${String(event * 100 + index).padStart(32, '0')}`;
    const there = await tables.stores.channels.find(channelId);
    if (there) await tables.stores.channels.create({ ...there, channelId: oddChannel });
    const odd = await pipeline.addWatch([level(60 + index)], { channels: [oddChannel] });
    const triggerId = odd.rules[0]?.triggerIds[0] ?? '';
    targets.push([
      ...keyOf(each.what, { event, triggerId, oddChannel, watchId: odd.watchId }),
      each,
    ]);
  }
  await pipeline.minute(100);
  for (const [pk, sk, each] of targets) await harm(tables, { pk, sk }, each);
  for (const getIn of [65, 40]) {
    pipeline.market.push({
      ...{ timestamp: new Date(pipeline.clock.now + 30_000).toISOString() },
      ...{ total_listings_all: 10, total_listings_active: 5, listing_fill_rate: 0.5 },
      ...{ avg_price: getIn, median_price: getIn, get_in: getIn, get_in_qty2plus: getIn },
      zones: bad.zones.map((zone) => ({
        ...{ avg_price: null, median_price: null, get_in_qty2plus: null },
        ...zone,
      })),
    });
    await pipeline.minute();
  }
  const ids = new Set(good.map(({ watchId }) => watchId));
  const told = pipeline.sent
    .filter(({ alert }) => ids.has(alert.watchId))
    .map(({ alert, delivery }) => [
      alert.level,
      alert.observedAt - startMs,
      delivery.dueAt - startMs,
    ]);
  expect(told).toEqual([
    [7_000, 90_000, 120_000],
    [5_000, 150_000, 180_000],
  ]);
  // The owner's list can be read, with what is damaged in it.
  expect((await tables.stores.watches.listAll(ownerId)).length).toBeGreaterThanOrEqual(2);
  await restoreOwner(tables);
}

function keyOf(
  what: Damage['what'],
  ids: { event: number; triggerId: string; watchId: string; oddChannel: string },
): [pk: string, sk: string] {
  switch (what) {
    case 'trigger':
      return [`TRIGGER#${ids.triggerId}`, 'TRIGGER'];
    case 'watch':
      return [`WATCH#${ids.watchId}`, 'WATCH'];
    case 'channel':
      return [`CHANNEL#${ids.oddChannel}`, 'CHANNEL'];
    case 'owner':
      return [`OWNER#${ownerId}`, 'OWNER'];
    case 'facts':
      return [`EVENT#${ids.event}`, 'FACTS'];
  }
}

/** Attributes of an index have a type that DynamoDB itself holds them to. */
const typed = new Set(['pk', 'sk', 'ownerKey', 'ownerSort', 'triggerPartition', 'triggerLevel']);
const typedToo = new Set(['unfinishedShard', 'nextAttemptAt', 'dueShard', 'nextPollAt']);

async function harm(
  { client, names }: TestTables,
  key: { pk: string; sk: string },
  { place, value }: Damage,
): Promise<void> {
  const TableName = names.WATCHLIST_TABLE;
  const { Item = {} } = await client.send(new GetCommand({ TableName, Key: key }));
  const paths = pathsIn(Item).filter(([name = '']) => !typed.has(name) && !typedToo.has(name));
  const path = paths[place % paths.length];
  if (!path) return;
  const named = Object.fromEntries(path.map((name, index) => [`#n${index}`, name]));
  await client.send(
    new UpdateCommand({
      TableName,
      Key: key,
      UpdateExpression: `SET ${Object.keys(named).join('.')} = :value`,
      ExpressionAttributeNames: named,
      ExpressionAttributeValues: { ':value': value },
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

/** The next event begins with an owner that is well. */
async function restoreOwner({ client, names }: TestTables): Promise<void> {
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb');
  await client.send(
    new DeleteCommand({
      TableName: names.WATCHLIST_TABLE,
      Key: { pk: `OWNER#${ownerId}`, sk: 'OWNER' },
    }),
  );
}
