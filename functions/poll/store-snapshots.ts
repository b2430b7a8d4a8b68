// Stores the snapshots of one answer. One that can't be stored, or one zone of it, is left out and told;
// the rest is stored. A transient failure fails the whole poll, which is retried.

import type { SnapshotStore } from '#shared/dynamo/snapshots.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { FeedFaultKind } from '#shared/polling/feed.ts';
import type { Snapshot } from '#shared/rules/reading.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Fetched } from './fetch.ts';

export interface StoredSnapshots {
  created: number;
  /** Times of late snapshots that were not stored before, oldest first. */
  lateAt: number[];
  faults: Partial<Record<FeedFaultKind, string>>;
}

export type StoreSnapshots = (fetched: Fetched, now: number) => Promise<StoredSnapshots>;

type Snapshots = Pick<SnapshotStore, 'create' | 'createAll' | 'amend' | 'replace'>;

/** Tries of one snapshot with fewer zones: enough to find three faulty ones among thousands. */
const mostTries = 64;

/** @returns a function that stores everything of an answer that can be stored. */
export function createStoreSnapshots(snapshots: Snapshots): StoreSnapshots {
  return async function storeSnapshots({ snapshots: news, late = [] }, now) {
    const stored: StoredSnapshots = { created: 0, lateAt: [], faults: {} };
    stored.created = await storeAll(news, stored, now);
    for (const snapshot of late) {
      if ((await storeAll([snapshot], stored, now)) === 0) continue;
      stored.created += 1;
      stored.lateAt.push(snapshot.observedAt);
    }
    const [only] = news;
    // The same refresh again, with a filter that is new: the stored snapshot learns it.
    if (stored.created === 0 && only?.feedKind === 'listings') await snapshots.amend(only);
    return stored;
  };

  /** All at once; one after the other only when one of them has failed. */
  async function storeAll(
    rows: readonly Snapshot[],
    stored: StoredSnapshots,
    now: number,
  ): Promise<number> {
    try {
      return await snapshots.createAll(rows, now);
    } catch (error) {
      if (isTransient(error)) throw error;
    }
    let created = 0;
    for (const row of rows) {
      if (await storeOne(row, stored, now)) created += 1;
    }
    // What was stored before the failure is new as well, and can't be told from what was there.
    return Math.max(created, rows.length > 1 ? 1 : created);
  }

  async function storeOne(row: Snapshot, stored: StoredSnapshots, now: number): Promise<boolean> {
    try {
      return await snapshots.create(row, now);
    } catch (error) {
      if (isTransient(error)) throw error;
      const at = new Date(row.observedAt).toISOString();
      if (row.feedKind === 'stats' && (await storeWithFewerZones(row, stored, now))) return true;
      stored.faults.row = `The snapshot of ${at} could not be stored and was left out.`;
      return false;
    }
  }

  async function storeWithFewerZones(
    snapshot: MarketSnapshot,
    stored: StoredSnapshots,
    now: number,
  ): Promise<boolean> {
    const zones = Object.entries(snapshot.zones);
    const base = { ...snapshot, zones: {} };
    if (zones.length === 0 || !(await isStored(() => snapshots.create(base, now)))) return false;
    const kept = await largestStorable(zones, (some) =>
      isStored(() => snapshots.replace({ ...snapshot, zones: Object.fromEntries(some) }, now)),
    );
    const left = zones.filter(([name]) => !kept.some(([each]) => each === name));
    const names = left
      .slice(0, 3)
      .map(([name]) => JSON.stringify(name.slice(0, 40).toWellFormed()));
    const more = left.length > names.length ? ` and ${left.length - names.length} more` : '';
    stored.faults.zone = `These zones could not be stored and were left out: ${names.join(', ')}${more}.`;
    return true;
  }
}

/** @returns whether it was stored; a transient failure is thrown. */
async function isStored(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    return false;
  }
}

/** Halves what fails until each faulty item stands alone; every call stores what was kept until then. */
async function largestStorable<Item>(
  items: readonly Item[],
  store: (some: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  let kept: Item[] = [];
  let tries = 0;
  const open: (readonly Item[])[] = [items];
  for (let group = open.shift(); group && tries < mostTries; group = open.shift()) {
    tries += 1;
    if (await store([...kept, ...group])) {
      kept = [...kept, ...group];
      continue;
    }
    if (group.length === 1) continue;
    const middle = group.length >> 1;
    open.unshift(group.slice(0, middle), group.slice(middle));
  }
  return kept;
}
