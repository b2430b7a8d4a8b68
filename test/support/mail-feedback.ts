// mail-feedback over the stores and the queue of a delivery rig.
import { composeMailFeedback } from '#functions/mail-feedback/compose-mail-feedback.ts';
import type { OnVerdict } from '#functions/mail-feedback/mail-feedback.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import type { DeliveryRig } from './delivering.ts';

/** The use case as its handler composes it. */
export function openMailFeedback(
  { stores, queue, clock }: Pick<DeliveryRig, 'stores' | 'queue' | 'clock'>,
  onVerdict: OnVerdict = () => {},
) {
  const into = async (messages: readonly { body: unknown; group: string }[]) => {
    for (const { body, group } of messages) {
      queue.push({ ...(body as { deliveryId: string }), group, at: clock.now });
    }
  };
  const senders = sendersByKind({ email: into, webhook: into });
  return composeMailFeedback({ stores, senders, onVerdict });
}
