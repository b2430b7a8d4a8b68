// One event with many watches, each with a channel of its own: one watch as the product's own code wrote it, and copies
// of its items.

import type { Stores } from '#shared/dynamo/stores.ts';
import { settledPartition } from '#shared/dynamo/trigger-item.ts';
import { nextShard } from '#shared/watchlist/event-shards.ts';
import { statsAt } from '#test/support/api.ts';
import { storeWatch } from '#test/support/many-watches.ts';
import { storePolled } from '#test/support/polled-event.ts';
import type { StoredItem } from '#test/support/simulated-dynamodb/attribute-values.ts';
import { noLatencies } from '#test/support/simulated-dynamodb/simulated-dynamodb.ts';
import type { openSimulatedTables } from '#test/support/simulated-dynamodb/simulated-tables.ts';

type Tables = ReturnType<typeof openSimulatedTables>;

const digits = (n: number) => String(n).padStart(32, '0');
/** Stands for the number of a watch in its items. */
const model = 7_777_777;
/** The kinds of items of which each watch has its own. */
const copied = new Set(['WATCH', 'TRIGGER', 'CHANNEL']);

/** Stores the event `eventId` with `count` armed level triggers on its get-in. @param now epoch milliseconds */
export async function stockHotEvent(tables: Tables, count: number, now: number): Promise<number> {
  tables.setLatencies(noLatencies);
  await storeChannel(tables.stores, now);
  const ids = { ownerId: `own_${digits(model)}`, channelId: `ch_${digits(model)}` };
  await storeWatch(tables.stores, { ...ids, n: model });
  const table = tables.tables.get('Watchlist');
  if (!table) throw new Error('there is no table of watches');
  const models = [...table.written()].map((entry) => entry.item());
  for (const item of models.filter(({ sk }) => copied.has(sk?.S ?? ''))) {
    const parts = JSON.stringify(item).split(new RegExp(`${digits(model)}|${digits(model * 10)}`));
    for (let n = 1; n < count; n += 1) {
      const copy = JSON.parse(parts.join(digits(n))) as StoredItem;
      table.put(inShard(copy, nextShard(n)));
    }
  }
  await tables.stores.triggers.place(model, count);
  return model;
}

/** As the product places the watches that are made one after the other. */
function inShard(item: StoredItem, shard: number): StoredItem {
  if (shard === 0) return item;
  const place = { shard: { N: String(shard) } };
  if (item.sk?.S === 'WATCH') return { ...item, ...place };
  if (item.sk?.S !== 'TRIGGER') return item;
  const series = item.trigger?.M?.series?.S ?? '';
  const where = { eventId: model, series, direction: 'down', state: 'armed', shard } as const;
  const trigger = { M: { ...item.trigger?.M, ...place } };
  return { ...item, trigger, triggerPartition: { S: settledPartition(where) } };
}

/** The refresh that reaches every trigger. */
export async function refresh({ stores }: Tables, eventId: number, at: number): Promise<void> {
  await storePolled(stores, [{ ...statsAt(at, 10, { Court: 12 }), eventId }]);
}

async function storeChannel(stores: Stores, now: number): Promise<void> {
  await stores.channels.create({
    ...{ channelId: `ch_${digits(model)}`, ownerId: `own_${digits(model)}` },
    target: { kind: 'email', address: 'ann@example.com' },
    status: 'active',
    isImmediate: false,
    staleAlerts: 'send',
    watchesSilentUntil: {},
    stopUrl: 'https://getin.example/l/token',
    createdAt: new Date(now).toISOString(),
  });
}
