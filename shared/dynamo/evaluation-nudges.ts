// The nudges of evaluations: counted, and listed as unfinished work while there is something to evaluate.
import { $add, $get, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { writeIf } from './conditional-write.ts';
import { type EvaluationEntity, type EvaluationKey, placeOfBehind } from './evaluation-entity.ts';

/** The part of the evaluation store that counts nudges. */
export function createEvaluationNudges(evaluations: EvaluationEntity) {
  async function countNudge(
    { eventId, kind, shard }: EvaluationKey,
    { through, ...place }: Partial<ReturnType<typeof placeOfBehind>> & { through?: number } = {},
  ): Promise<void> {
    const change = {
      ...{ eventId, kind, shard, ...place },
      ...(through !== undefined && { evaluatedThrough: $get('evaluatedThrough', through) }),
    };
    const counted = await writeIf(() =>
      evaluations
        .build(UpdateItemCommand)
        .item({ ...change, nudges: $add(1) })
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
    await evaluations
      .build(UpdateItemCommand)
      .item({ ...change, nudges: 1 })
      .send();
  }

  return {
    /** Counts a nudge. */
    nudge: (key: EvaluationKey) => countNudge(key),

    /**
     * Records that there is something to evaluate: counts a nudge, and lists the evaluation as behind until a run has
     * seen everything that was stored before this call. Reconcile nudges what is listed.
     * @param through the cursor of an evaluation that has none
     */
    markBehind: (key: EvaluationKey, now: number, through?: number) =>
      countNudge(key, { ...placeOfBehind(key, now), ...(through !== undefined && { through }) }),
  };
}
