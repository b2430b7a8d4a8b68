// Builds the use case that raises alerts from stores and queues: for evaluate and for tests that raise an
// alert by hand.
import type { Alert } from '#shared/alerts/alert.ts';
import { createCountAlerts } from '#shared/delivery/count-alerts.ts';
import { createDecideDisposition } from '#shared/delivery/decide-disposition.ts';
import { createSendLater } from '#shared/delivery/send-later.ts';
import {
  access,
  alerts,
  channelHealth,
  channels,
  deliveries,
  dispositions,
  eventFacts,
  tallies,
  watches,
} from '#shared/dynamo/store-list.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';
import { composeFallBack } from '#shared/lambda/compose-fallback.ts';
import { createRaiseAlert } from './raise-alert.ts';

/** The stores that raise-alert uses. */
export const raiseAlertStores = {
  access,
  alerts,
  channelHealth,
  channels,
  deliveries,
  dispositions,
  eventFacts,
  tallies,
  watches,
};

interface RaiseAlertParts {
  stores: StoresOf<typeof raiseAlertStores>;
  removeTrigger: (triggerId: string) => Promise<void>;
  senders: ChannelSenders;
  onRaised: (alert: Alert) => void;
}

/** @returns the use case that handles one firing, over these stores and queues. */
export function composeRaiseAlert({ stores, removeTrigger, senders, onRaised }: RaiseAlertParts) {
  return createRaiseAlert({
    findWatch: stores.watches.find,
    findChannel: stores.channels.find,
    findEventFacts: stores.eventFacts.find,
    alerts: stores.alerts,
    dispositions: stores.dispositions,
    deliveries: stores.deliveries,
    removeTrigger,
    decideAtGate: createDecideDisposition({
      findHealth: stores.channelHealth.find,
      findOwner: stores.access.findOwner,
      countAlert: createCountAlerts({
        countOf: stores.tallies.count,
        takePlace: stores.tallies.take,
      }),
      takePlace: stores.tallies.take,
    }),
    fallBack: composeFallBack({ stores, senders }),
    sendLater: createSendLater(senders),
    onRaised,
  });
}
