// Builds the functions that disable a channel and tell its owner.

import { createSwitchOff } from '#shared/delivery/switch-off.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createFindUnreached } from '#shared/delivery/unreached.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from './channel-senders.ts';

interface SwitchOffParts {
  stores: Pick<Stores, 'channelHealth' | 'channels' | 'deliveries' | 'suppressions' | 'watches'>;
  senders: ChannelSenders;
}

/** @returns a function that disables a channel, and one that sends a notice to an owner. */
export function composeSwitchOff({ stores, senders }: SwitchOffParts) {
  const { channels, deliveries } = stores;
  const tellOwner = createTellOwner({ channels, deliveries, senders });
  const findUnreached = createFindUnreached({
    listWatches: stores.watches.listAll,
    findChannel: channels.find,
    findHealth: stores.channelHealth.find,
    findSuppression: stores.suppressions.find,
  });
  return { tellOwner, switchOff: createSwitchOff({ channels, findUnreached, tellOwner }) };
}
