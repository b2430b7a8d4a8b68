// Stores the snapshots of one answer. A snapshot or zone that can't be stored is left out and reported;
// the rest is stored. A transient failure fails the whole poll, which is retried.

import type { SnapshotStore } from '#shared/dynamo/snapshots.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { FeedFaultKind } from '#shared/polling/feed.ts';
import { feedKindRows } from '#shared/polling/feed-kinds.ts';
import type { Look } from '#shared/polling/look.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { pollFeeds } from './feeds/feeds.ts';
import type { Fetched } from './fetch.ts';

export interface StoredSnapshots {
  created: number;
  /** Times of late snapshots that were not stored before, oldest first. */
  lateAt: number[];
  faults: Partial<Record<FeedFaultKind, string>>;
}

/** `look` is the poll that brought them. */
export type StoreSnapshots = (fetched: Fetched, look: Look) => Promise<StoredSnapshots>;

type Snapshots = Pick<SnapshotStore, 'create' | 'createAll' | 'amend' | 'replace'>;

/** @returns a function that stores everything of an answer that can be stored. */
export function createStoreSnapshots(snapshots: Snapshots): StoreSnapshots {
  return async function storeSnapshots({ snapshots: news, late = [] }, look) {
    const stored: StoredSnapshots = { created: 0, lateAt: [], faults: {} };
    stored.created = await storeAll(news, stored, look);
    for (const snapshot of late) {
      if ((await storeAll([snapshot], stored, look)) === 0) continue;
      stored.created += 1;
      stored.lateAt.push(snapshot.observedAt);
    }
    const [only] = news;
    // The same refresh again, with a new filter: its matches are added to the stored snapshot.
    if (stored.created === 0 && only && !feedKindRows[only.feedKind].isFinal) {
      await snapshots.amend(only);
    }
    return stored;
  };

  /** Stores all at once; one by one only after a failure. */
  async function storeAll(
    rows: readonly Snapshot[],
    stored: StoredSnapshots,
    look: Look,
  ): Promise<number> {
    try {
      return await snapshots.createAll(rows, look.at, look);
    } catch (error) {
      if (isTransient(error)) throw error;
    }
    let created = 0;
    for (const row of rows) {
      if (await storeOne(row, stored, look)) created += 1;
    }
    // Snapshots stored before the failure are new too, but can't be told apart from older ones.
    return Math.max(created, rows.length > 1 ? 1 : created);
  }

  async function storeOne(row: Snapshot, stored: StoredSnapshots, look: Look): Promise<boolean> {
    try {
      return await snapshots.create(row, look.at, look);
    } catch (error) {
      if (isTransient(error)) throw error;
      const at = new Date(row.observedAt).toISOString();
      const leftOut = await pollFeeds[row.feedKind].storePart?.(snapshots, row, look.at);
      if (leftOut !== undefined) {
        stored.faults.zone = leftOut;
        return true;
      }
      stored.faults.row = `The snapshot of ${at} could not be stored and was left out.`;
      return false;
    }
  }
}
