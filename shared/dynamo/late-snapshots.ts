// Records on an evaluation that snapshots were stored before its cursor, so that a run goes back to them.
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { isNoNumber, writeIf } from './conditional-write.ts';
import type { EvaluationEntity, EvaluationKey } from './evaluation-entity.ts';

export function createLateSnapshots(evaluations: EvaluationEntity) {
  return {
    /**
     * Records that a snapshot was stored before the cursor, so that the next run goes back to it. Without effect
     * for an event that was never evaluated.
     */
    async noteLate({ eventId, kind, shard }: EvaluationKey, observedAt: number): Promise<void> {
      const noted = { eventId, kind, shard, lateCount: $add(1) };
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
    async clearLate({ eventId, kind, shard }: EvaluationKey, lateCount: number): Promise<void> {
      await writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, shard, lateFrom: $remove() })
          .options({ condition: { attr: 'lateCount', eq: lateCount } })
          .send(),
      );
    },
  };
}
