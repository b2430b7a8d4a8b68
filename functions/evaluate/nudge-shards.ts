// Passes new snapshots on to the evaluations of an event's other shards. A poll marks and nudges the first shard only. The
// first shard's evaluation stays listed as behind until it has nudged the others, so a crash loses no shard.
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';

interface NudgeShardsDeps {
  evaluations: Pick<EvaluationStore, 'markBehind' | 'noteLate'>;
  sendNudges: SendMessages;
}

/** What the evaluation of the first shard hands on; times are epoch milliseconds. */
export interface ShardNudge {
  feed: EvaluationKey;
  /** The number of the event's shards. */
  shards: number;
  /** Where the evaluation of a shard begins that has never run: at the cursor of the first one. */
  through: number;
  /** The earliest snapshot that was stored late. */
  lateFrom: number | undefined;
  now: number;
}

export type NudgeShards = (nudge: ShardNudge) => Promise<void>;

/** A repeat makes evaluations that find nothing to do. */
export function createNudgeShards({ evaluations, sendNudges }: NudgeShardsDeps): NudgeShards {
  return async function nudgeShards({ feed, shards, through, lateFrom, now }) {
    const { eventId, kind } = feed;
    const others = Array.from({ length: shards - 1 }, (_, at) => ({
      eventId,
      kind,
      shard: at + 1,
    }));
    await Promise.all(
      others.map(async (key) => {
        await evaluations.markBehind(key, now, through);
        if (lateFrom !== undefined) await evaluations.noteLate(key, lateFrom);
      }),
    );
    await sendNudges(others.map((body) => ({ body, group: String(eventId) })));
  };
}
