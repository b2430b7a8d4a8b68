// An evaluation as stored in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { number, string } from 'dynamodb-toolbox/schema';
import type { Evaluation, HourMemory } from '#shared/alerts/evaluation.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import {
  absent,
  eventFromKey,
  isStoredTime,
  namedByKey,
  optionalTime,
  orElse,
  type RawItem,
} from './attribute-readings.ts';
import { evaluationSchema } from './schemas/evaluation-schema.ts';
import { shardKey, shardOf } from './shard.ts';
import { leniently } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Identifies an evaluation: one event's feed of a kind, for the triggers of one shard. */
export interface EvaluationKey {
  eventId: number;
  kind: FeedKind;
  /** The event's shard. @default the first */
  shard?: number | undefined;
}

export function createEvaluationEntity(table: WatchlistTable) {
  return new Entity({
    name: 'evaluation',
    table,
    timestamps: false,
    schema: evaluationSchema.and({
      unfinishedShard: string().optional(),
      nextAttemptAt: number().optional(),
    }),
    computeKey: ({ eventId, kind, shard = 0 }) => ({
      pk: `EVENT#${eventId}`,
      // The first shard has the key from before events had shards.
      sk: shard === 0 ? `EVALUATION#${kind}` : `EVALUATION#${kind}#${shard}`,
    }),
  });
}

/** An evaluation as read for a run. */
export interface EvaluationToRun extends Evaluation {
  /** Since when it has yet to see stored snapshots; absent if it has seen all. */
  nextAttemptAt?: number | undefined;
}

/** The name of evaluations in the index of unfinished work. */
export const unfinishedEvaluations = 'evaluation';

/** The place in the index of unfinished work of an evaluation that has yet to see stored snapshots. */
export function placeOfBehind({ eventId }: { eventId: number }, since: number) {
  const unfinishedShard = shardKey(unfinishedEvaluations, shardOf(String(eventId)));
  return { unfinishedShard, nextAttemptAt: since };
}

export type EvaluationEntity = ReturnType<typeof createEvaluationEntity>;

/** How stored evaluations are parsed, with defaults for damaged fields. */
export function evaluationReading(evaluations: EvaluationEntity) {
  return leniently(evaluations, {
    ...{ eventId: eventFromKey, kind: namedByKey(({ sk }) => String(sk).split('#')[1]) },
    shard: { ...namedByKey(shardOfKey), isExpected: (raw) => shardOfKey(raw) !== undefined },
    // If the cursor is damaged, restart at the hour's start: matching a snapshot again changes nothing. A lost cursor
    // must not look like a feed never evaluated, whose older snapshots raise no alerts.
    evaluatedThrough: {
      ...{ otherwise: hourOfMemory, isReadable: isStoredTime },
      isExpected: ({ memory }) => memory !== undefined,
    },
    alerts: absent,
    lateFrom: optionalTime,
    memory: { ...absent, isReadable: isHourMemory },
    // Of a lost cursor, nothing can be continued.
    cursorMemory: {
      ...absent,
      isReadable: (value, { evaluatedThrough }) =>
        areStandings(value) && isStoredTime(evaluatedThrough),
    },
    repeats: { ...absent, isReadable: areRepeats },
    nextAttemptAt: optionalTime,
    nudges: orElse(0),
  });
}

function shardOfKey({ sk }: RawItem): number | undefined {
  const shard = String(sk).split('#')[2];
  return shard === undefined ? undefined : Number(shard);
}

function hourOfMemory({ memory }: RawItem): number | undefined {
  return isHourMemory(memory) ? memory.hour : undefined;
}

function isHourMemory(value: unknown): value is HourMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { hour, standings } = value as Partial<HourMemory>;
  return Number.isSafeInteger(hour) && areStandings(standings);
}

function areRepeats(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['after', 'through', 'snapshots'].every((name) =>
    Number.isFinite(Reflect.get(value, name)),
  );
}

function areStandings(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isLastKnown);
}

export function isLastKnown(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['believed', 'suspect'].every((name) => isPointOrNull(Reflect.get(value, name)));
}

export function isPointOrNull(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  return ['at', 'value'].every((name) => Number.isFinite(Reflect.get(Object(value), name)));
}
