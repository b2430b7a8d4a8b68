// Evaluations (cursor and lease per feed) in the Watchlist table.

import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import type { CursorMemory, Evaluation, HourMemory } from '#shared/alerts/evaluation.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { timing } from '#shared/timing.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { evaluationSchema } from './schemas/evaluation-schema.ts';
import {
  absent,
  eventFromKey,
  isStoredTime,
  leniently,
  namedByKey,
  optionalTime,
  orElse,
  type RawItem,
  readOne,
  updateAndRead,
} from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Identifies an evaluation: one event's feed of a kind. */
export interface EvaluationKey {
  eventId: number;
  kind: FeedKind;
}

/** Reads and writes of evaluations. */
export function createEvaluationStore(table: WatchlistTable) {
  const evaluations = new Entity({
    name: 'evaluation',
    table,
    timestamps: false,
    schema: evaluationSchema,
    computeKey: ({ eventId, kind }) => ({ pk: `EVENT#${eventId}`, sk: `EVALUATION#${kind}` }),
  });

  const reading = leniently(evaluations, {
    // If the cursor is damaged, restart at the hour's start: matching a snapshot again changes nothing.
    ...{ eventId: eventFromKey, kind: namedByKey(({ sk }) => String(sk).split('#')[1]) },
    evaluatedThrough: { otherwise: hourOfMemory, isReadable: isStoredTime },
    lateFrom: optionalTime,
    memory: { ...absent, isReadable: isHourMemory },
    cursorMemory: { ...absent, isReadable: areStandings },
    nudges: orElse(0),
  });

  return {
    async find({ eventId, kind }: EvaluationKey): Promise<Evaluation | undefined> {
      const action = evaluations
        .build(GetItemCommand)
        .key({ eventId, kind })
        .options({ consistent: true });
      return readOne(action, reading);
    },

    /** Counts a nudge. */
    async nudge({ eventId, kind }: EvaluationKey): Promise<void> {
      const counted = await writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, nudges: $add(1) })
          .options({
            condition: {
              or: [
                { attr: 'nudges', exists: false },
                { attr: 'nudges', type: 'N' },
              ],
            },
          })
          .send(),
      );
      // A damaged count can't be incremented; any different number also shows that there was a nudge.
      if (counted) return;
      await evaluations.build(UpdateItemCommand).item({ eventId, kind, nudges: 1 }).send();
    },

    /** @returns the evaluation, or undefined while another evaluator holds it. */
    async acquire(
      { eventId, kind }: EvaluationKey,
      lease: string,
      now: number,
      leaseUntil: number,
    ): Promise<Evaluation | undefined> {
      let held: Evaluation | undefined;
      await writeIf(async () => {
        const action = evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, lease, leaseUntil })
          .options({
            returnValues: 'ALL_NEW',
            condition: {
              or: [
                // Absent or damaged: then the lease counts as free.
                { not: { attr: 'leaseUntil', type: 'N' } },
                { attr: 'leaseUntil', lte: now },
                // No run takes such a long lease, so the time is damaged.
                { attr: 'leaseUntil', gt: now + 2 * timing.evaluationLeaseMs },
              ],
            },
          });
        held = await updateAndRead(action, reading);
      });
      return held;
    },

    /** Advances the cursor and the values kept with it, under the lease. @returns false when the lease was lost. */
    advance(
      { eventId, kind }: EvaluationKey,
      lease: string,
      cursor: { evaluatedThrough: number; memory: HourMemory; cursorMemory: CursorMemory },
    ): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateAttributesCommand)
          .item({ eventId, kind, ...cursor })
          .options({ condition: { attr: 'lease', eq: lease } })
          .send(),
      );
    },

    /**
     * Records that a snapshot was stored before the cursor, so that the next run goes back to it. Without effect
     * for an event that was never evaluated.
     */
    async noteLate({ eventId, kind }: EvaluationKey, observedAt: number): Promise<void> {
      const noted = { eventId, kind, lateCount: $add(1) };
      const earliest = { ...noted, lateFrom: observedAt };
      // Read again, because a run may have gone back to the others in between.
      for (const change of [earliest, noted, earliest]) {
        const condition =
          'lateFrom' in change
            ? [isNoNumber('lateFrom' as const), { attr: 'lateFrom' as const, gt: observedAt }]
            : [{ attr: 'lateFrom' as const, lte: observedAt }];
        const isNoted = await writeIf(() =>
          evaluations
            .build(UpdateItemCommand)
            .item(change)
            .options({
              condition: {
                and: [{ attr: 'evaluatedThrough', exists: true }, { or: condition }],
              },
            })
            .send(),
        );
        if (isNoted) return;
      }
    },

    /** Clears the late snapshots that were recorded when the run began; the run has gone back to all of them. */
    async clearLate({ eventId, kind }: EvaluationKey, lateCount: number): Promise<void> {
      await writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, lateFrom: $remove() })
          .options({ condition: { attr: 'lateCount', eq: lateCount } })
          .send(),
      );
    },

    /**
     * Releases the lease; with `nudges`, only if none came since that number was read.
     * @returns false when a nudge came, so that there is more to do, or when the lease was lost.
     */
    release({ eventId, kind }: EvaluationKey, lease: string, nudges?: number): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, lease: $remove(), leaseUntil: $remove() })
          .options({
            condition: {
              and: [
                { attr: 'lease', eq: lease },
                ...(nudges === undefined ? [] : [{ attr: 'nudges' as const, eq: nudges }]),
              ],
            },
          })
          .send(),
      );
    },
  };
}

function hourOfMemory({ memory }: RawItem): number | undefined {
  return isHourMemory(memory) ? memory.hour : undefined;
}

function isHourMemory(value: unknown): value is HourMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { hour, standings } = value as Partial<HourMemory>;
  return Number.isSafeInteger(hour) && areStandings(standings);
}

function areStandings(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isStanding);
}

export function isStanding(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['believed', 'suspect'].every((name) => isPointOrNull(Reflect.get(value, name)));
}

export function isPointOrNull(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  return ['at', 'value'].every((name) => Number.isFinite(Reflect.get(Object(value), name)));
}

export type EvaluationStore = ReturnType<typeof createEvaluationStore>;
