// Asks for the edits of a watch's messages when its owner has changed what they must say: by a purchase, or by
// taking one back.
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { editRunMessage } from './plan-edits.ts';

interface EditsOfWatchDeps {
  findEvaluation: EvaluationStore['find'];
  /** The queue of the kinds that can edit. */
  sendEdits: SendMessages;
}

/** @param now epoch milliseconds. */
export type AskForEditsOfWatch = (
  watch: Pick<Watch, 'watchId' | 'eventId'>,
  now: number,
) => Promise<void>;

/** Call it after the watch is stored. A crash in between leaves the messages as they are. */
export function createEditsOfWatch(deps: EditsOfWatchDeps): AskForEditsOfWatch {
  return async function askForEditsOfWatch({ watchId, eventId }, now) {
    for (const kind of feedKinds) {
      const evaluation = await deps.findEvaluation({ eventId, kind });
      // A feed without living messages costs no message.
      if (evaluation?.livingMarks === undefined) continue;
      const edits = { eventId, kind, from: evaluation.evaluatedThrough ?? now, watchId };
      await deps.sendEdits([editRunMessage(edits, now, now)]);
    }
  };
}
