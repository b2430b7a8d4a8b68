// How the evaluation of a feed is stored.
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import type { CursorMemory, Evaluation, HourMemory } from '#shared/alerts/evaluation.ts';
import type { PossibleRepeats } from '#shared/alerts/possible-repeat.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { storedAs } from './stored-as.ts';

export const evaluationSchema = storedAs<Evaluation>()(
  item({
    eventId: number().key(),
    kind: string()
      .enum(...feedKinds)
      .key(),
    shard: number().key().optional(),
    evaluatedThrough: number().optional(),
    memory: any().castAs<HourMemory>().optional(),
    cursorMemory: any().castAs<CursorMemory>().optional(),
    alerts: number().optional(),
    nudges: number(),
    lateFrom: number().optional(),
    lateCount: number().optional(),
    livingMarks: number().optional(),
    editsDueAt: number().optional(),
    repeats: any().castAs<PossibleRepeats>().optional(),
    lease: string().optional(),
    leaseUntil: number().optional(),
  }),
);
