// A raw snapshot as stored in the Snapshots table.
import { Entity } from 'dynamodb-toolbox/entity';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { isLook, type Look } from '#shared/polling/look.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import {
  absent,
  eventFromKey,
  namedByKey,
  needed,
  orElse,
  type RawItem,
} from './attribute-readings.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import { isSnapshot } from './snapshot-reading.ts';
import type { SnapshotsTable } from './tables.ts';

export function createSnapshotEntity(table: SnapshotsTable) {
  return new Entity({
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
      /** The poll that brought it; absent on snapshots of earlier releases. */
      look: any().castAs<Look>().optional(),
      /** How often something was added; absent if never. */
      amends: number().optional(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ observedAt, ...feed }) => ({ pk: partitionOf(feed), sk: sortOf(observedAt) }),
  });
}

export type SnapshotEntity = ReturnType<typeof createSnapshotEntity>;

/** How stored snapshots are parsed. */
export const snapshotAttributes = {
  attributes: {
    ...{ eventId: eventFromKey, kind: namedByKey(kindOf), observedAt: namedByKey(timeOf) },
    snapshot: needed((value, raw) => isSnapshot(value) && isInItsPlace(value, raw)),
    // The sort key has the same time.
    expiresAtEpochSeconds: orElse(0),
    look: { ...absent, isReadable: isLook },
    amends: absent,
  },
};

/** The partition of a feed's snapshots. */
export function partitionOf({ eventId, kind }: EvaluationKey): string {
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
export function sortOf(observedAt: number): string {
  return new Date(Math.min(Math.max(0, observedAt), latestSorted)).toISOString();
}
