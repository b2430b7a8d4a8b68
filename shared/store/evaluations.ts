// Evaluations (cursor and lease per event) in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { type Evaluation, evaluationSchema } from '#shared/alerts/evaluation.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of evaluations. */
export function createEvaluationStore(table: WatchlistTable) {
  const evaluations = new Entity({
    name: 'evaluation',
    table,
    timestamps: false,
    schema: evaluationSchema,
    computeKey: ({ eventId }) => ({ pk: `EVENT#${eventId}`, sk: 'EVALUATION' }),
  });

  return {
    async find(eventId: number): Promise<Evaluation | undefined> {
      const found = await evaluations
        .build(GetItemCommand)
        .key({ eventId })
        .options({ consistent: true })
        .send();
      return found.Item;
    },

    /** Notes that somebody wants the event evaluated. */
    async nudge(eventId: number): Promise<void> {
      await evaluations
        .build(UpdateItemCommand)
        .item({ eventId, nudges: $add(1) })
        .send();
    },

    /** @returns the evaluation, or undefined while another evaluator holds it. */
    async acquire(
      eventId: number,
      lease: string,
      now: number,
      leaseUntil: number,
    ): Promise<Evaluation | undefined> {
      let held: Evaluation | undefined;
      await writeIf(async () => {
        const answer = await evaluations
          .build(UpdateItemCommand)
          .item({ eventId, lease, leaseUntil })
          .options({
            returnValues: 'ALL_NEW',
            condition: {
              or: [
                { attr: 'leaseUntil', exists: false },
                { attr: 'leaseUntil', lte: now },
              ],
            },
          })
          .send();
        held = answer.Attributes;
      });
      return held;
    },

    /** Moves the cursor under the lease. @returns false when the lease was lost. */
    advance(eventId: number, lease: string, evaluatedThrough: number): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, evaluatedThrough })
          .options({ condition: { attr: 'lease', eq: lease } })
          .send(),
      );
    },

    /**
     * Lets go; with `nudges` only if none came since that number was read.
     * @returns false when one did, so that there is more to do, or when the lease was lost.
     */
    release(eventId: number, lease: string, nudges?: number): Promise<boolean> {
      return writeIf(() =>
        evaluations
          .build(UpdateItemCommand)
          .item({ eventId, lease: $remove(), leaseUntil: $remove() })
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
