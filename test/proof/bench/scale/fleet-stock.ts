// The Watchlist table of a large deployment: each event's items and each row of the ledger are made when they are read.
import { shardKey, shardOf } from '#shared/dynamo/shard.ts';
import { type CountedPull, countRow, emptyDay } from '#shared/polling/ledger-day.ts';
import { callIdOf } from '#shared/polling/pull.ts';
import { bytesOf, type StoredItem } from '#test/support/simulated-dynamodb/attribute-values.ts';
import type { Stock } from '#test/support/simulated-dynamodb/simulated-table.ts';
import { keyOf } from '#test/support/simulated-dynamodb/simulated-table.ts';
import type {
  Entry,
  SortValue,
  StockedPartition,
} from '#test/support/simulated-dynamodb/sorted-entries.ts';
import { type EventModel, modelEvent } from './one-event.ts';

export interface FleetSize {
  feeds: number;
  /** In the billing period, from its start to now. */
  pulls: number;
  /** Epoch milliseconds. */
  periodStart: number;
  now: number;
}

const firstEvent = 100_000_000;
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** One call in a hundred has an answer that was lost. */
const unsettledEvery = 100;
/** Feeds have their turns over this time. */
const turnsMs = 3 * 3_600_000;

/** Text with the places of what differs from event to event. */
interface Model {
  parts: string[];
  bytes: number;
  sort: string;
}

/** @returns the table's items before the run */
export function stockOf(size: FleetSize, { items, pull }: EventModel): Stock {
  const models = new Map(items.map((item) => [placeOf(item), modelOf(item)]));
  const feedModel = models.get('EVENT# FEED#stats');
  if (!feedModel) throw new Error('the model has no feed');
  const shards = shardsOf(size.feeds);
  const eventOf = new Map<number, number>();
  for (const ids of shards.values())
    ids.forEach((id, place) => void eventOf.set(id, place / ids.length));
  const dueAt = (id: number) => Math.floor(size.now + minuteMs + (eventOf.get(id) ?? 0) * turnsMs);
  const fill = (model: Model, id: number, sort: SortValue, key: string): Entry => {
    const text = () => model.parts.join(String(id)).replace('"@due"', `"${dueAt(id)}"`);
    return { sort, key, bytes: model.bytes, text, item: () => JSON.parse(text()) as StoredItem };
  };
  const ledger = ledgerStock(size, modelOf(pull));
  const isEvent = (id: number) => id >= firstEvent && id < firstEvent + size.feeds;

  return {
    find(pk, sk) {
      if (pk.startsWith('LEDGER#')) return ledger.find(pk, sk);
      const id = idIn(`${pk} ${sk}`);
      if (id === undefined || !isEvent(id)) return undefined;
      const model = models.get(`${pk} ${sk}`.replaceAll(String(id), ''));
      return model && fill(model, id, sk, keyOf(pk, sk));
    },
    partition(index, value) {
      if (index === undefined && value.startsWith('LEDGER#')) return ledger.day(value);
      if (index === 'due') {
        const ids = shards.get(value);
        return (
          ids && {
            count: ids.length,
            entryAt: (at) => {
              const id = ids[at] ?? 0;
              return fill(feedModel, id, dueAt(id), keyOf(`EVENT#${id}`, 'FEED#stats'));
            },
          }
        );
      }
      const id = idIn(value);
      if (index !== undefined || id === undefined || !isEvent(id)) return undefined;
      return eventPartition(value, id);
    },
  };

  function eventPartition(pk: string, id: number): StockedPartition {
    const rows = [...models]
      .filter(([place]) => place.startsWith(`${pk.replace(String(id), '')} `))
      .map(([, model]) => {
        const sk = model.sort.replaceAll(String(modelEvent), String(id));
        return fill(model, id, sk, keyOf(pk, sk));
      })
      .sort((a, b) => (a.sort < b.sort ? -1 : 1));
    return { count: rows.length, entryAt: (at) => rows[at] as Entry };
  }
}

/** The ids of each shard of the due index, in the order of their turns. */
function shardsOf(feeds: number): Map<string, number[]> {
  const shards = new Map<string, number[]>();
  for (let id = firstEvent; id < firstEvent + feeds; id += 1) {
    const name = shardKey('stats', shardOf(String(id)));
    const ids = shards.get(name) ?? [];
    shards.set(name, ids);
    ids.push(id);
  }
  return shards;
}

/** The number of the event in a key: nine digits, by themselves or behind zeros. */
function idIn(place: string): number | undefined {
  const found = /(?:^|[^1-9])([1-9]\d{8})\d?(?!\d)/.exec(place)?.[1];
  return found === undefined ? undefined : Number(found);
}

function placeOf({ pk, sk }: StoredItem): string {
  return `${pk?.S} ${sk?.S}`.replaceAll(String(modelEvent), '');
}

function modelOf(item: StoredItem): Model {
  const due = item.sk?.S?.startsWith('FEED#') ? { nextPollAt: { N: '@due' } } : {};
  const text = JSON.stringify({ ...item, ...due });
  return { parts: text.split(String(modelEvent)), bytes: bytesOf(item), sort: item.sk?.S ?? '' };
}

/** The rows of a day and how many they are: evenly over the day and over the events, in the order of their keys. */
function rowsOfDay({ feeds, pulls, periodStart, now }: FleetSize, day: string) {
  const midnight = Date.parse(day);
  const from = Math.max(midnight, periodStart);
  const to = Math.min(midnight + dayMs, now);
  const perMs = pulls / (now - periodStart);
  const count = Math.max(0, Math.floor((to - from) * perMs));
  const rowAt = (at: number): CountedPull => {
    const eventId = firstEvent + Math.floor((at * feeds) / count);
    // As long as the claims of the product, and no other day has it.
    const claim = `${day}-0000-7000-8000-${String(at).padStart(10, '0')}`;
    return {
      ...{ day, callId: callIdOf({ kind: 'stats', eventId, claim }), eventId, kind: 'stats' },
      ...{ pulls: 1, pulledAt: from + Math.floor(((at * 7_919) % count) / perMs) },
      state: at % unsettledEvery === 0 ? 'unsettled' : 'settled',
    };
  };
  return { from, count, rowAt };
}

/** What reconcile has added up of a closed day. */
export function sumOfDay(size: FleetSize, day: string) {
  const { from, count, rowAt } = rowsOfDay(size, day);
  const sums = emptyDay(day, from);
  const byEvent = new Map<number, number>();
  for (let at = 0; at < count; at += 1) {
    const row = rowAt(at);
    countRow(sums, row);
    byEvent.set(row.eventId, (byEvent.get(row.eventId) ?? 0) + row.pulls);
  }
  return { sums, byEvent };
}

function ledgerStock(size: FleetSize, model: Model) {
  const pattern = JSON.parse(model.parts.join(String(modelEvent))) as StoredItem;
  const rowsOf = (pk: string) => rowsOfDay(size, pk.slice('LEDGER#'.length));

  function entryAt(pk: string, row: CountedPull): Entry {
    const { day, callId, eventId, pulledAt, pulls, state } = row;
    const sk = `PULL#${callId}`;
    const item = (): StoredItem => ({
      ...pattern,
      ...{ pk: { S: pk }, sk: { S: sk }, day: { S: day }, callId: { S: callId } },
      ...{ eventId: { N: String(eventId) }, pulledAt: { N: String(pulledAt) } },
      ...{ pulls: { N: String(pulls) }, state: { S: state } },
    });
    const text = () => JSON.stringify(item());
    return { sort: sk, key: keyOf(pk, sk), bytes: model.bytes + 30, text, item };
  }

  return {
    day(pk: string): StockedPartition {
      const { count, rowAt } = rowsOf(pk);
      return { count, entryAt: (at) => entryAt(pk, rowAt(at)) };
    },
    find(pk: string, sk: string): Entry | undefined {
      const { count, rowAt } = rowsOf(pk);
      const at = Number(sk.split('-').at(-1));
      if (!sk.startsWith('PULL#') || !(at < count)) return undefined;
      const entry = entryAt(pk, rowAt(at));
      return entry.sort === sk ? entry : undefined;
    },
  };
}
