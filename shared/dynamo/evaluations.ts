// Evaluations (cursor and lease per feed) in the Watchlist table.

import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { CursorMemory, HourMemory } from '#shared/alerts/evaluation.ts';
import type { PossibleRepeats } from '#shared/alerts/possible-repeat.ts';
import { timing } from '#shared/timing.ts';
import { writeIf } from './conditional-write.ts';
import {
  createEvaluationEntity,
  type EvaluationKey,
  type EvaluationToRun,
  evaluationReading,
} from './evaluation-entity.ts';
import { createEvaluationNudges } from './evaluation-nudges.ts';
import { createLateSnapshots } from './late-snapshots.ts';
import { readAll, readOne, updateAndRead } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of evaluations. */
export function createEvaluationStore(table: WatchlistTable) {
  const evaluations = createEvaluationEntity(table);
  const reading = evaluationReading(evaluations);

  return {
    async find({ eventId, kind, shard }: EvaluationKey): Promise<EvaluationToRun | undefined> {
      const action = evaluations
        .build(GetItemCommand)
        .key({ eventId, kind, shard })
        .options({ consistent: true });
      return readOne(action, reading);
    },

    /** The evaluations of all shards of a feed, the first shard's among them. */
    ofFeed({ eventId, kind }: EvaluationKey): Promise<EvaluationToRun[]> {
      const range = { beginsWith: `EVALUATION#${kind}` };
      const query = table
        .build(QueryCommand)
        .query({ partition: `EVENT#${eventId}`, range })
        .options({ consistent: true });
      return readAll(query, evaluations, reading);
    },

    ...createEvaluationNudges(evaluations),

    /** @returns the evaluation, or undefined while another evaluator holds it. */
    async acquire(
      { eventId, kind, shard }: EvaluationKey,
      lease: string,
      now: number,
      leaseUntil: number,
    ): Promise<EvaluationToRun | undefined> {
      let held: EvaluationToRun | undefined;
      await writeIf(async () => {
        const action = evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, shard, lease, leaseUntil })
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

    /**
     * Advances the cursor and what is kept with it, under the lease. `editsDueAt` and `repeats` stay if absent.
     * @returns false when the lease was lost.
     */
    advance(
      { eventId, kind, shard }: EvaluationKey,
      lease: string,
      cursor: {
        evaluatedThrough: number;
        alerts: number;
        memory: HourMemory;
        cursorMemory: CursorMemory;
        editsDueAt?: number;
        repeats?: PossibleRepeats | 'over' | undefined;
      },
    ): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateAttributesCommand)
          .item({
            ...{ eventId, kind, shard, ...cursor },
            repeats: cursor.repeats === 'over' ? $remove() : cursor.repeats,
          })
          .options({ condition: { attr: 'lease', eq: lease } })
          .send(),
      );
    },

    ...createLateSnapshots(evaluations),

    /**
     * Releases the lease; with `nudges`, only if none came since that number was read. Then the evaluation is no longer
     * behind.
     * @returns false when a nudge came, so that there is more to do, or when the lease was lost.
     */
    release(
      { eventId, kind, shard }: EvaluationKey,
      lease: string,
      nudges?: number,
    ): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({
            ...{ eventId, kind, shard, lease: $remove(), leaseUntil: $remove() },
            ...(nudges !== undefined && { unfinishedShard: $remove(), nextAttemptAt: $remove() }),
          })
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

export type EvaluationStore = ReturnType<typeof createEvaluationStore>;
