// Raw snapshots of both feeds in the Snapshots table, one item each, in time order per feed.
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Look } from '#shared/polling/look.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { createChartLooks } from './chart-looks.ts';
import { writeIf } from './conditional-write.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import {
  createSnapshotEntity,
  partitionOf,
  snapshotAttributes as reading,
  sortOf,
} from './snapshot-entity.ts';
import { amended, storedSnapshot } from './snapshot-reading.ts';
import { createSnapshotReads } from './snapshot-reads.ts';
import { readOne } from './stored-items.ts';
import type { SnapshotsTable } from './tables.ts';

/** Raw snapshots are kept for 90 days (design: Tables). */
const keptForSeconds = 90 * 86_400;
/** Number of parallel writes; a catch-up stores hundreds. */
const writesAtOnce = 16;
/** A try fails when another poll of the same refresh adds something; few such polls run together. */
const mostTries = 8;

/** Reads and writes of raw snapshots. */
export function createSnapshotStore(table: SnapshotsTable) {
  const snapshots = createSnapshotEntity(table);

  function create(snapshot: Snapshot, now: number, look: Look = { at: now }): Promise<boolean> {
    const { eventId, feedKind: kind, observedAt } = snapshot;
    const expiresAtEpochSeconds = Math.floor(now / 1_000) + keptForSeconds;
    return writeIf(() =>
      snapshots
        .build(PutItemCommand)
        .item({
          ...{ eventId, kind, observedAt, expiresAtEpochSeconds },
          ...{ snapshot: storedSnapshot(snapshot), look },
        })
        .options({ condition: { attr: 'eventId', exists: false } })
        .send(),
    );
  }

  /** @returns false when something else was added after the read. */
  async function addTo(snapshot: Snapshot): Promise<boolean> {
    const { eventId, feedKind: kind, observedAt } = snapshot;
    const action = snapshots
      .build(GetItemCommand)
      .key({ eventId, kind, observedAt })
      .options({ consistent: true });
    const stored = await readOne(action, reading);
    if (!stored) return true;
    const after = amended(stored.snapshot, snapshot);
    if (!after) return true;
    const { expiresAtEpochSeconds, amends = 0, look } = stored;
    const unchanged =
      amends === 0
        ? ({ attr: 'amends', exists: false } as const)
        : ({ attr: 'amends', eq: amends } as const);
    return writeIf(() =>
      snapshots
        .build(PutItemCommand)
        .item({
          ...{ eventId, kind, observedAt, expiresAtEpochSeconds, amends: amends + 1 },
          ...{ snapshot: after, look },
        })
        .options({ condition: { and: [{ attr: 'eventId', exists: true }, unchanged] } })
        .send(),
    );
  }

  return {
    /**
     * Stores snapshots that are not stored yet; a redelivered poll stores nothing twice.
     * @param look the poll that brought them. @default only its time
     * @returns how many were new.
     */
    async createAll(rows: readonly Snapshot[], now: number, look?: Look): Promise<number> {
      let created = 0;
      for (let start = 0; start < rows.length; start += writesAtOnce) {
        const chunk = rows.slice(start, start + writesAtOnce);
        const outcomes = await Promise.all(chunk.map((snapshot) => create(snapshot, now, look)));
        created += outcomes.filter(Boolean).length;
      }
      return created;
    },

    /** Stores one snapshot if it is not stored yet. @returns whether it was new. */
    create,

    /** Replaces the stored snapshot of the same time. */
    async replace(snapshot: Snapshot, now: number, look: Look = { at: now }): Promise<void> {
      const { eventId, feedKind: kind, observedAt } = snapshot;
      const expiresAtEpochSeconds = Math.floor(now / 1_000) + keptForSeconds;
      await snapshots
        .build(PutItemCommand)
        .item({
          ...{ eventId, kind, observedAt, expiresAtEpochSeconds, look },
          snapshot: storedSnapshot(snapshot),
        })
        .send();
    },

    /** Deletes every snapshot after a time, for a feed whose timestamps were in the future. */
    async removeAfter(feed: EvaluationKey, observedAt: number): Promise<number> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(snapshots)
        .query({ partition: partitionOf(feed), range: { gt: sortOf(observedAt) } })
        .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
        .send();
      for (const { eventId, kind, observedAt: at } of Items) {
        await snapshots.build(DeleteItemCommand).key({ eventId, kind, observedAt: at }).send();
      }
      return Items.length;
    },

    /**
     * Adds what a later poll of the same refresh has found to the stored snapshot, which keeps its own values.
     * @throws SnapshotContendedError
     */
    async amend(snapshot: Snapshot): Promise<void> {
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        if (await addTo(snapshot)) return;
      }
      throw new SnapshotContendedError('the snapshot kept changing during the write');
    },

    ...createSnapshotReads(table, snapshots),
    chartLooks: createChartLooks(table),
  };
}

/** Thrown when other polls changed a snapshot during every try to add to it: nothing was written. */
export class SnapshotContendedError extends Error {
  override readonly name = 'SnapshotContendedError';
}

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;
