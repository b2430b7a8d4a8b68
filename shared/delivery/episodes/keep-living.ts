// Keeps a message that was just sent as the living message of its episode, if the receiver named it.
import type { LivingMessageStore } from '#shared/dynamo/living-messages.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import type { Attempted } from '../attempt-result.ts';
import { hasEpisode, livingMessageOf } from './living-message.ts';
import type { PlanEdits } from './plan-edits.ts';

interface KeepLivingDeps {
  livingMessages: Pick<LivingMessageStore, 'keep' | 'mark'>;
  planEdits: PlanEdits;
}

/** An evaluation that is under way does not know of the message; most are over in this time. */
const evaluationMs = 10_000;

export type KeepLiving = (attempted: Attempted) => Promise<void>;

/** A crash or a fault loses the edits of this message and nothing else: it is sent, so it is never an error. */
export function createKeepLiving({ livingMessages, planEdits }: KeepLivingDeps): KeepLiving {
  return async function keepLiving(attempted) {
    try {
      await keep(attempted);
    } catch (error) {
      const { channelId, deliveryId } = attempted.delivery;
      const reason = `A message is not kept up to date: ${reasonOf(error)}`;
      reportFault({ thing: 'living_message', reason, ids: { channelId, deliveryId }, error });
    }
  };

  async function keep(attempted: Attempted): Promise<void> {
    const { sent, told, endedAt: now } = attempted;
    const [only, ...others] = told;
    const receipt = sent.kind === 'sent' ? sent.receipt : undefined;
    if (receipt === undefined || !only || others.length > 0 || !hasEpisode(only.alert)) return;
    const { alert } = only;
    const message = livingMessageOf(alert, { ...factsOf(attempted), receipt }, now);
    if (!(await livingMessages.keep(message))) return;
    const feed = { eventId: alert.eventId, kind: message.feedKind };
    const evaluation = await livingMessages.mark(feed);
    if (!evaluation) return;
    // The market may have moved while the message was sent, and the next snapshot may come late.
    const { evaluatedThrough = 0, leaseUntil = 0 } = evaluation;
    const isRunning = leaseUntil > now;
    if (!isRunning && evaluatedThrough <= alert.observedAt) return;
    const dueAt = isRunning ? now + evaluationMs : now;
    await planEdits({ ...feed, from: alert.observedAt }, evaluation, { dueAt, now });
  }
}

/** The parts of the message that its alert does not have. */
function factsOf({ delivery, told }: Attempted) {
  const { channelId, deliveryId, dueAt, heldFor, createdAt } = delivery;
  const moves = told[0]?.message.moves;
  return {
    ...{ channelId, deliveryId, dueAt },
    ...(heldFor && { held: { reason: heldFor, since: createdAt } }),
    ...(moves && { moves }),
  };
}
