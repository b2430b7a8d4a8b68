// Asks for the last edits of the messages that a feed keeps up to date, when its event is over: no snapshot will
// ask for them.
import { editRunMessage } from '#shared/delivery/episodes/plan-edits.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Feed } from '#shared/polling/feed.ts';

interface EndEpisodesDeps {
  findEvaluation: EvaluationStore['find'];
  /** The queue of the kinds that can edit. */
  sendEdits: SendMessages;
}

/** @param now epoch milliseconds. */
export type EndEpisodes = (
  feed: Pick<Feed, 'eventId' | 'kind' | 'lastSnapshotAt'>,
  now: number,
) => Promise<void>;

export function createEndEpisodes({ findEvaluation, sendEdits }: EndEpisodesDeps): EndEpisodes {
  return async function endEpisodes({ eventId, kind, lastSnapshotAt = 0 }, now) {
    const evaluation = await findEvaluation({ eventId, kind });
    if (evaluation?.livingMarks === undefined) return;
    await sendEdits([editRunMessage({ eventId, kind, from: lastSnapshotAt }, now, now)]);
  };
}
