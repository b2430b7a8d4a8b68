// Raw snapshots of both feeds in the Snapshots table, one item each, in time order per feed.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { writeIf } from './conditional-write.ts';
import type { EvaluationKey } from './evaluations.ts';
import { amended, isSnapshot, restoredSnapshot, storedSnapshot } from './snapshot-reading.ts';
import {
  eventFromKey,
  namedByKey,
  needed,
  orElse,
  type RawItem,
  readAll,
  readOne,
  readPage,
} from './stored-items.ts';
import type { SnapshotsTable } from './tables.ts';

/** Raw snapshots are kept for 90 days (design: Tables). */
const keptForSeconds = 90 * 86_400;
/** Number of parallel writes; a catch-up stores hundreds. */
const writesAtOnce = 16;
/** A try fails when another poll of the same refresh adds something; few such polls run together. */
const mostTries = 8;

/** Reads and writes of raw snapshots. */
export function createSnapshotStore(table: SnapshotsTable) {
  const snapshots = new Entity({
    name: 'snapshot',
    table,
    timestamps: false,
    schema: item({
      eventId: number().key(),
      kind: string()
        .enum(...feedKinds)
        .key(),
      observedAt: number().key(),
      snapshot: any().castAs<Snapshot>(),
      /** How often something was added; absent if never. */
      amends: number().optional(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ observedAt, ...feed }) => ({ pk: partitionOf(feed), sk: sortOf(observedAt) }),
  });

  const reading = {
    attributes: {
      ...{ eventId: eventFromKey, kind: namedByKey(kindOf), observedAt: namedByKey(timeOf) },
      snapshot: needed((value, raw) => isSnapshot(value) && isInItsPlace(value, raw)),
      // The sort key has the same time.
      expiresAtEpochSeconds: orElse(0),
    },
  };

  function create(snapshot: Snapshot, now: number): Promise<boolean> {
    const { eventId, feedKind: kind, observedAt } = snapshot;
    const expiresAtEpochSeconds = Math.floor(now / 1_000) + keptForSeconds;
    return writeIf(() =>
      snapshots
        .build(PutItemCommand)
        .item({
          ...{ eventId, kind, observedAt, expiresAtEpochSeconds },
          snapshot: storedSnapshot(snapshot),
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
    const { expiresAtEpochSeconds, amends = 0 } = stored;
    const unchanged =
      amends === 0
        ? ({ attr: 'amends', exists: false } as const)
        : ({ attr: 'amends', eq: amends } as const);
    return writeIf(() =>
      snapshots
        .build(PutItemCommand)
        .item({
          ...{ eventId, kind, observedAt, expiresAtEpochSeconds, amends: amends + 1 },
          snapshot: after,
        })
        .options({ condition: { and: [{ attr: 'eventId', exists: true }, unchanged] } })
        .send(),
    );
  }

  return {
    /**
     * Stores snapshots that are not stored yet; a redelivered poll stores nothing twice.
     * @returns how many were new.
     */
    async createAll(rows: readonly Snapshot[], now: number): Promise<number> {
      let created = 0;
      for (let start = 0; start < rows.length; start += writesAtOnce) {
        const chunk = rows.slice(start, start + writesAtOnce);
        const outcomes = await Promise.all(chunk.map((snapshot) => create(snapshot, now)));
        created += outcomes.filter(Boolean).length;
      }
      return created;
    },

    /** Stores one snapshot if it is not stored yet. @returns whether it was new. */
    create,

    /** Replaces the stored snapshot of the same time. */
    async replace(snapshot: Snapshot, now: number): Promise<void> {
      const { eventId, feedKind: kind, observedAt } = snapshot;
      const expiresAtEpochSeconds = Math.floor(now / 1_000) + keptForSeconds;
      await snapshots
        .build(PutItemCommand)
        .item({
          ...{ eventId, kind, observedAt, expiresAtEpochSeconds },
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

    /** The readable snapshots after a time, in time order; at most `limit`. */
    async after(feed: EvaluationKey, observedAt: number, limit: number): Promise<Snapshot[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(feed), range: { gt: sortOf(observedAt) } })
        .options({ limit, consistent: true });
      return readUpTo(query, limit);
    },

    /** The newest readable snapshot, if there is one. */
    async newest(feed: EvaluationKey): Promise<Snapshot | undefined> {
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(feed) })
        .options({ limit: 1, reverse: true, consistent: true });
      const [newest] = await readUpTo(query, 1);
      return newest;
    },

    /** The last `limit` snapshots at or before a time, in time order. */
    async latest(feed: EvaluationKey, through: number, limit: number): Promise<Snapshot[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(feed), range: { lte: sortOf(through) } })
        .options({ limit, reverse: true, consistent: true });
      return (await readUpTo(query, limit)).reverse();
    },

    /** Every snapshot in [from, through], in time order. */
    async between(feed: EvaluationKey, from: number, through: number): Promise<Snapshot[]> {
      const range = { between: [sortOf(from), sortOf(through)] as [string, string] };
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(feed), range })
        .options({ consistent: true });
      const rows = await readAll(query, snapshots, reading);
      return rows.map((row) => restoredSnapshot(row.snapshot));
    },
  };

  /** Reads on after unreadable items: a page of damaged snapshots is not the end of the feed. */
  async function readUpTo(
    query: Parameters<typeof readPage>[0],
    limit: number,
  ): Promise<Snapshot[]> {
    const found: Snapshot[] = [];
    let startKey: RawItem | undefined;
    do {
      const page = await readPage(query, snapshots, reading, startKey);
      found.push(...page.items.map((row) => restoredSnapshot(row.snapshot)));
      startKey = page.items.length < limit ? page.lastKey : undefined;
    } while (startKey && found.length < limit);
    return found.slice(0, limit);
  }
}

function partitionOf({ eventId, kind }: EvaluationKey): string {
  return `EVENT#${eventId}#${kind}`;
}

/** ISO 8601 writes later years with a sign, which would sort before the others. */
const latestSorted = Date.UTC(9999, 11, 31);

function kindOf({ pk }: RawItem): unknown {
  return String(pk).split('#')[2];
}

function timeOf({ sk }: RawItem): number {
  return Date.parse(String(sk));
}

/** The cursor follows the snapshots' own times, so a wrong time would move it wrongly. */
function isInItsPlace({ eventId, feedKind, observedAt }: Snapshot, { pk, sk }: RawItem): boolean {
  return partitionOf({ eventId, kind: feedKind }) === pk && sortOf(observedAt) === sk;
}

/** ISO time with fixed width, so that text order is time order. */
function sortOf(observedAt: number): string {
  return new Date(Math.min(Math.max(0, observedAt), latestSorted)).toISOString();
}

/** Thrown when other polls changed a snapshot during every try to add to it: nothing was written. */
export class SnapshotContendedError extends Error {
  override readonly name = 'SnapshotContendedError';
}

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;
