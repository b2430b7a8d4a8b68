// What the tables hold of one watched event, as the product's own code wrote it: the model for all events of a fleet.

import { storeWatch } from '#test/support/many-watches.ts';
import { openPolling } from '#test/support/polling.ts';
import type { StoredItem } from '#test/support/simulated-dynamodb/attribute-values.ts';
import { noLatencies } from '#test/support/simulated-dynamodb/simulated-dynamodb.ts';
import { openSimulatedTables } from '#test/support/simulated-dynamodb/simulated-tables.ts';
import { SimulatedTime } from '#test/support/simulated-dynamodb/simulated-time.ts';

/** Stands for the event's number in every item; as long as the numbers of the fleet's events. */
export const modelEvent = 777_000_777;
const owner = { ownerId: `own_${'a'.repeat(32)}`, channelId: `ch_${'b'.repeat(32)}` };

export interface EventModel {
  /** Of the Watchlist table; the feed as after polls in which the price moved. */
  items: StoredItem[];
  /** A row of the ledger. */
  pull: StoredItem;
}

/** @param now epoch milliseconds */
export async function modelOfEvent(now: number): Promise<EventModel> {
  const polled = await pollEvent(now);
  const time = new SimulatedTime(now);
  const { stores, tables, setLatencies } = openSimulatedTables(time);
  setLatencies(noLatencies);
  await storeWatch(stores, { ...owner, n: modelEvent });
  const items = itemsOf(tables).map((item) => withoutIndexOfOwner(item));
  const feed = items.find((item) => item.sk?.S === 'FEED#stats');
  if (!feed) throw new Error('the model has no feed');
  for (const name of ['value', 'rhythm', 'recent', 'record', 'distance', 'dayCount', 'watches']) {
    const learned = polled.feed[name];
    if (learned) feed[name] = learned;
  }
  return { items: [...items, evaluationOf(feed)], pull: polled.pull };
}

/** A feed that has been polled at forty refreshes, and a row of the ledger. */
async function pollEvent(now: number): Promise<{ feed: StoredItem; pull: StoredItem }> {
  const { stores, tables, setLatencies } = openSimulatedTables(new SimulatedTime(now));
  setLatencies(noLatencies);
  const polling = openPolling(stores, 1);
  for (const n of Array.from({ length: 10 }, (_, index) => index)) {
    await polling.watch(1, 60, 'stats', `wat_${String(n).padStart(32, '0')}`);
  }
  for (let refresh = 0; refresh < 40; refresh += 1) {
    polling.refresh(1, 100 + ((refresh * 7) % 11));
    polling.clock.now += 29 * 60_000;
    await polling.minute();
  }
  const items = itemsOf(tables);
  const find = (prefix: string) => items.find((item) => item.sk?.S?.startsWith(prefix));
  const [feed, pull] = [find('FEED#'), find('PULL#')];
  if (!feed?.value || !pull) throw new Error('the polls stored no feed or no pull');
  return { feed, pull };
}

function itemsOf(tables: ReturnType<typeof openSimulatedTables>['tables']): StoredItem[] {
  return [...(tables.get('Watchlist')?.written() ?? [])].map((entry) => entry.item());
}

/** The list of an owner is no part of the model. */
function withoutIndexOfOwner({ ownerKey, ownerSort, ...item }: StoredItem): StoredItem {
  return item;
}

/** It has caught up with the feed. */
function evaluationOf({ pk = {}, lastSnapshotAt = {} }: StoredItem): StoredItem {
  return {
    ...{ pk, sk: { S: 'EVALUATION#stats' }, entity: { S: 'evaluation' }, kind: { S: 'stats' } },
    ...{
      eventId: { N: String(modelEvent) },
      nudges: { N: '40' },
      evaluatedThrough: lastSnapshotAt,
    },
  };
}
