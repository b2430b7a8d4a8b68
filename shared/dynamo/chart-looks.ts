// Reads the stats snapshots of a chart: of their zones only those that it shows, because a snapshot with twenty
// zones takes ten times as long to parse as its metrics alone.
import { QueryCommand as SendQuery } from '@aws-sdk/lib-dynamodb';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { isLook } from '#shared/polling/look.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import { toNameKeys } from './name-keys.ts';
import { partitionOf, sortOf } from './snapshot-entity.ts';
import { isSnapshot, restoredSnapshot } from './snapshot-reading.ts';
import type { LookedAt } from './snapshot-reads.ts';
import type { SnapshotsTable } from './tables.ts';

export interface ChartLooksRange {
  /** Epoch milliseconds, both inclusive. */
  from: number;
  through: number;
  /** The zones that the snapshots shall have; more than once is as once. */
  zones: readonly string[];
}

/** The limits of one read: pages of 1 MB, because a busy event has megabytes of snapshots a day. */
export interface MostLooks {
  snapshots: number;
  pages: number;
}

/** @returns a reader of the newest readable snapshots in a range, in time order, and whether there may be more. */
export function createChartLooks(table: SnapshotsTable) {
  return async function chartLooks(
    feed: EvaluationKey,
    wanted: ChartLooksRange,
    most: MostLooks,
  ): Promise<{ looks: LookedAt[]; isCut: boolean }> {
    if (wanted.through < wanted.from) return { looks: [], isCut: false };
    const input = inputOf(table, feed, wanted, most.snapshots);
    const looks: LookedAt[] = [];
    let isCut = true;
    let startKey: Record<string, unknown> | undefined;
    for (let page = 0; isCut && page < most.pages && looks.length < most.snapshots; page += 1) {
      const { Items = [], LastEvaluatedKey } = await table
        .getDocumentClient()
        .send(new SendQuery({ ...input, ...(startKey && { ExclusiveStartKey: startKey }) }));
      looks.push(...Items.flatMap((item) => readLook(item, feed) ?? []));
      startKey = LastEvaluatedKey;
      isCut = startKey !== undefined;
    }
    return { looks: looks.slice(0, most.snapshots).reverse(), isCut };
  };
}

function inputOf(
  table: SnapshotsTable,
  feed: EvaluationKey,
  { from, through, zones }: ChartLooksRange,
  limit: number,
) {
  const range = { between: [sortOf(from), sortOf(through)] as [string, string] };
  const query = table
    .build(QueryCommand)
    .query({ partition: partitionOf(feed), range })
    // As in price-days.ts.
    .options({ limit, reverse: true, consistent: true });
  const params = query.params();
  // Each name has a placeholder, because many are reserved words of DynamoDB.
  const names = new Map<string, string>();
  const path = (...parts: string[]) =>
    parts
      .map((part) => {
        const known = names.get(part) ?? `#part${names.size}`;
        names.set(part, known);
        return known;
      })
      .join('.');
  const paths = [
    path('look'),
    ...['feedKind', 'eventId', 'observedAt', 'metrics'].map((field) => path('snapshot', field)),
    ...keysOf(zones).map((key) => path('snapshot', 'zones', key)),
  ];
  const placeholders = [...names].map(([part, placeholder]) => [placeholder, part]);
  return {
    ...params,
    ProjectionExpression: paths.join(),
    ExpressionAttributeNames: {
      ...params.ExpressionAttributeNames,
      ...(Object.fromEntries(placeholders) as Record<string, string>),
    },
  };
}

/** How a zone is named in stored snapshots, and how it was in those of earlier releases. */
function keysOf(zones: readonly string[]): string[] {
  const named = zones.map((zone) => zone.toWellFormed());
  const stored = Object.keys(toNameKeys(Object.fromEntries(named.map((zone) => [zone, true]))));
  // An empty name can't be asked for by itself.
  return [...new Set([...stored, ...named])].filter((key) => key !== '');
}

/** Unreadable snapshots are left out. */
function readLook({ snapshot, look }: Record<string, unknown>, feed: EvaluationKey) {
  const whole: unknown = { zones: {}, ...Object(snapshot) };
  if (!isSnapshot(whole) || whole.eventId !== feed.eventId || whole.feedKind !== feed.kind) {
    return undefined;
  }
  return { snapshot: restoredSnapshot(whole), ...(isLook(look) && { look }) };
}
