// Builds the fallback: alerts that a channel could not deliver go to another channel of its owner.
import { createFallBack } from '#shared/delivery/fallback.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from './channel-senders.ts';

interface FallBackParts {
  stores: Pick<Stores, 'alerts' | 'channels' | 'deliveries' | 'watches'>;
  senders: ChannelSenders;
}

/** @returns the fallback over these stores and queues. */
export function composeFallBack({ stores, senders }: FallBackParts) {
  return createFallBack({
    findChannel: stores.channels.find,
    // A damaged alert counts as gone, so that the others of its message are told.
    findAlert: (alertId) => orMissing(stores.alerts.find(alertId)),
    findWatch: stores.watches.find,
    deliveries: stores.deliveries,
    senders,
  });
}
