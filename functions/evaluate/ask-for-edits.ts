// Asks for a run of edits when new snapshots of a feed were matched and its messages are kept up to date. For a
// feed without such messages it costs nothing: the evaluation that the run holds says so.
import {
  editRunMessage,
  nextEditsAt,
  type PlannedEdits,
} from '#shared/delivery/episodes/plan-edits.ts';
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { InvocationClock } from './invocation-clock.ts';

/**
 * Enqueues a run for the snapshots from `from` on (epoch ms), unless a planned one will see them.
 * @returns when it is due, to be stored with the cursor; nothing if no run was enqueued.
 */
export type AskForEdits = (
  run: { feed: EvaluationKey; planned: PlannedEdits; clock: InvocationClock },
  from: number,
) => Promise<{ editsDueAt?: number }>;

/** A crash before the cursor is stored asks again, which makes one run too many. */
export function createAskForEdits(sendEdits: SendMessages): AskForEdits {
  return async function askForEdits({ feed, planned, clock }, from) {
    const now = clock.now();
    const dueAt = nextEditsAt(planned, now);
    if (dueAt === undefined) return {};
    const { eventId, kind } = feed;
    await sendEdits([editRunMessage({ eventId, kind, from }, dueAt, now)]);
    return { editsDueAt: dueAt };
  };
}
