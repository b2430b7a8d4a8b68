// Decides when the next edits of a feed's living messages are due, and enqueues them. A run that is under way
// or lost is no error: the next snapshot asks again.
import type { OutgoingMessage, SendMessages } from '#shared/lambda/queue-sender.ts';
import { longestQueueDelayMs } from '#shared/timing.ts';
import type { Evaluation } from '../../alerts/evaluation.ts';
import { type EditRun, type EditRunMessage, editEveryMs } from './living-message.ts';

/** Runs are a little further apart than edits, so that a run seldom finds a message edited too recently. */
const planEveryMs = editEveryMs + 5_000;
/** Functions' clocks differ slightly; a run due within this time may have read the market already. */
const clockSkewMs = 2_000;

/** What an evaluation knows of the edits of its feed. */
export type PlannedEdits = Pick<Evaluation, 'livingMarks' | 'editsDueAt'>;

/**
 * When to run the edits for a snapshot that is stored by `now` (epoch ms): at once, or a minute after the
 * last run. Undefined if the feed has no living messages, or if a planned run will see the snapshot.
 */
export function nextEditsAt(planned: PlannedEdits, now: number): number | undefined {
  return planned.livingMarks === undefined ? undefined : edgeAfter(planned, now);
}

function edgeAfter({ editsDueAt }: PlannedEdits, now: number): number | undefined {
  // No run is planned further ahead than a queue delays a message, so that time is damaged.
  if (editsDueAt === undefined || editsDueAt > now + longestQueueDelayMs) return now;
  if (editsDueAt > now + clockSkewMs) return undefined;
  return Math.max(now, editsDueAt + planEveryMs);
}

/** The message that asks for a run. @param dueAt epoch milliseconds; at most 15 minutes after now. */
export function editRunMessage(edits: EditRun, dueAt: number, now: number): OutgoingMessage {
  const body: EditRunMessage = { edits };
  const delayMs = Math.min(Math.max(0, dueAt - now), longestQueueDelayMs);
  return { body, group: String(edits.eventId), delaySeconds: Math.ceil(delayMs / 1_000) };
}

interface PlanEditsDeps {
  sendEdits: SendMessages;
  recordPlan: (feed: Pick<EditRun, 'eventId' | 'kind'>, dueAt: number) => Promise<unknown>;
}

/** Enqueues a run at `dueAt`, unless one is planned that will see the same. @returns whether it did. */
export type PlanEdits = (
  edits: EditRun,
  planned: PlannedEdits,
  times: { dueAt: number; now: number },
) => Promise<boolean>;

/** The message comes before its record: a crash in between makes one run too many, never one too few. */
export function createPlanEdits({ sendEdits, recordPlan }: PlanEditsDeps): PlanEdits {
  return async function planEdits(edits, planned, { dueAt, now }) {
    const edge = edgeAfter(planned, now);
    if (edge === undefined) return false;
    const at = Math.min(Math.max(edge, dueAt), now + longestQueueDelayMs);
    await sendEdits([editRunMessage(edits, at, now)]);
    await recordPlan(edits, at);
    return true;
  };
}
