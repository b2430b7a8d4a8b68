// The evaluations that have yet to see something that was stored, in the index of unfinished work. A store of its own,
// because only reconcile may query that index.
import type { Evaluation } from '#shared/alerts/evaluation.ts';
import {
  createEvaluationEntity,
  evaluationReading,
  unfinishedEvaluations,
} from './evaluation-entity.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';

export function createEvaluationsBehindStore(table: WatchlistTable) {
  const evaluations = createEvaluationEntity(table);
  const reading = evaluationReading(evaluations);

  return {
    /** Those of one shard that have been behind since a time (epoch ms) or longer, the longest first. */
    list: (shard: number, before: number, limit: number): Promise<Evaluation[]> =>
      readUnfinished(
        { table, entity: evaluations },
        { name: unfinishedEvaluations, shard, before, limit },
        reading,
      ),
  };
}

export type EvaluationsBehindStore = ReturnType<typeof createEvaluationsBehindStore>;
