// What the evaluation of a feed knows of its living messages: whether there are some, and when their next edits
// are due. An evaluation reads its own item anyway, so it knows both without a request.
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { Evaluation } from '#shared/alerts/evaluation.ts';
import { isNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import {
  createEvaluationEntity,
  type EvaluationKey,
  evaluationReading,
} from './evaluation-entity.ts';
import { updateAndRead } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The part of the store of living messages that writes to evaluations. */
export function createEditMarks(table: WatchlistTable) {
  const evaluations = createEvaluationEntity(table);

  return {
    /** Marks a feed as one that has living messages. @returns its evaluation. */
    async mark({ eventId, kind }: EvaluationKey): Promise<Evaluation | undefined> {
      const count = (livingMarks: ReturnType<typeof $add<1>> | number) => () =>
        updateAndRead(
          evaluations
            .build(UpdateItemCommand)
            .item({ eventId, kind, livingMarks })
            .options({ returnValues: 'ALL_NEW' }),
          evaluationReading(evaluations),
        );
      const place = { what: 'evaluation', ids: { eventId: String(eventId), kind } };
      return writeOrReplace(place, count($add(1)), count(1));
    },

    /** Removes the mark, unless a message was kept since its count was read. */
    unmark({ eventId, kind }: EvaluationKey, marks: number): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, livingMarks: $remove() })
          .options({ condition: { attr: 'livingMarks', eq: marks } })
          .send(),
      );
    },

    /** Records when a run of edits is due, epoch milliseconds; never an earlier time than before. */
    recordPlan({ eventId, kind }: EvaluationKey, editsDueAt: number): Promise<boolean> {
      const isLater = [
        isNoNumber('editsDueAt' as const),
        { attr: 'editsDueAt' as const, lt: editsDueAt },
      ];
      return writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, kind, editsDueAt })
          .options({ condition: { and: [{ attr: 'eventId', exists: true }, { or: isLater }] } })
          .send(),
      );
    },
  };
}
