// mail-feedback over the stores and the queue of a delivery rig.
import { createMailFeedback } from '#functions/mail-feedback/mail-feedback.ts';
import { createFindUnreached } from '#shared/alerts/unreached.ts';
import { createFallBack } from '#shared/delivery/fallback.ts';
import { createSwitchOff } from '#shared/delivery/switch-off.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import type { DeliveryRig } from './delivering.ts';

/** The use case as its handler composes it. */
export function openMailFeedback(
  { stores, queue, clock }: Pick<DeliveryRig, 'stores' | 'queue' | 'clock'>,
  onVerdict: Parameters<typeof createMailFeedback>[0]['onVerdict'] = () => {},
) {
  const { channels, deliveries, suppressions, watches } = stores;
  const into = async (messages: readonly { body: unknown; group: string }[]) => {
    for (const { body, group } of messages) {
      queue.push({ ...(body as { deliveryId: string }), group, at: clock.now });
    }
  };
  const senders = sendersByKind({ email: into, webhook: into });
  const findChannel = channels.find;
  return createMailFeedback({
    suppressions,
    channels,
    deliveries,
    fallBack: createFallBack({
      ...{ findChannel, deliveries, senders },
      findAlert: stores.alerts.find,
      findWatch: watches.find,
    }),
    switchOff: createSwitchOff({
      channels,
      findUnreached: createFindUnreached({
        listWatches: watches.listAll,
        findChannel,
        findHealth: stores.channelHealth.find,
        findSuppression: suppressions.find,
      }),
      tellOwner: createTellOwner({ channels, deliveries, senders }),
    }),
    onVerdict,
  });
}
