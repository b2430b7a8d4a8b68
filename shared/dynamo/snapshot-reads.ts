// Reads of raw snapshots, in time order per feed. Unreadable ones are left out.
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Look } from '#shared/polling/look.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { RawItem } from './attribute-readings.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import {
  partitionOf,
  snapshotAttributes as reading,
  type SnapshotEntity,
  sortOf,
} from './snapshot-entity.ts';
import { restoredSnapshot } from './snapshot-reading.ts';
import { orMissing, readAll, readOne, readPage } from './stored-items.ts';
import type { SnapshotsTable } from './tables.ts';

/** A snapshot, and the poll that brought it; unknown for snapshots of earlier releases. */
export interface LookedAt {
  snapshot: Snapshot;
  look?: Look;
}

function lookedAt({ snapshot, look }: LookedAt): LookedAt {
  return { snapshot: restoredSnapshot(snapshot), ...(look && { look }) };
}

function snapshotsOf(looked: readonly LookedAt[]): Snapshot[] {
  return looked.map(({ snapshot }) => snapshot);
}

export function createSnapshotReads(table: SnapshotsTable, snapshots: SnapshotEntity) {
  return {
    /** The readable snapshots after a time, in time order; at most `limit`. */
    async after(feed: EvaluationKey, observedAt: number, limit: number): Promise<Snapshot[]> {
      return snapshotsOf(await lookedAtAfter(feed, observedAt, limit));
    },

    /** The same with the polls that brought them. */
    lookedAtAfter,

    /** The snapshot of a time; undefined if it is not stored, or unreadable. */
    async at({ eventId, kind }: EvaluationKey, observedAt: number): Promise<Snapshot | undefined> {
      const action = snapshots.build(GetItemCommand).key({ eventId, kind, observedAt });
      const found = await orMissing(readOne(action, reading));
      return found && restoredSnapshot(found.snapshot);
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

    /**
     * The readable snapshots in [from, through] with the polls that brought them, in time order; at most the
     * newest `limit`.
     */
    async looks(
      feed: EvaluationKey,
      { from, through }: { from: number; through: number },
      limit: number,
    ): Promise<LookedAt[]> {
      const range = { between: [sortOf(from), sortOf(through)] as [string, string] };
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(feed), range })
        .options({ limit, reverse: true });
      return (await readItems(query, limit)).reverse();
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

  async function readUpTo(
    query: Parameters<typeof readPage>[0],
    limit: number,
  ): Promise<Snapshot[]> {
    return snapshotsOf(await readItems(query, limit));
  }

  function lookedAtAfter(
    feed: EvaluationKey,
    observedAt: number,
    limit: number,
  ): Promise<LookedAt[]> {
    const query = table
      .build(QueryCommand)
      .query({ partition: partitionOf(feed), range: { gt: sortOf(observedAt) } })
      .options({ limit, consistent: true });
    return readItems(query, limit);
  }

  /** Reads on after unreadable items: a page of damaged snapshots is not the end of the feed. */
  async function readItems(
    query: Parameters<typeof readPage>[0],
    limit: number,
  ): Promise<LookedAt[]> {
    const found: LookedAt[] = [];
    let startKey: RawItem | undefined;
    do {
      const page = await readPage(query, snapshots, reading, startKey);
      found.push(...page.items.map(lookedAt));
      startKey = page.items.length < limit ? page.lastKey : undefined;
    } while (startKey && found.length < limit);
    return found.slice(0, limit);
  }
}
