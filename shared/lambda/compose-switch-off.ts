// Puts together what disables a channel and tells its owner.
import { createFindUnreached } from '#shared/alerts/unreached.ts';
import { createSwitchOff } from '#shared/delivery/switch-off.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from './channel-senders.ts';

interface SwitchOffParts {
  stores: Pick<Stores, 'channelHealth' | 'channels' | 'deliveries' | 'suppressions' | 'watches'>;
  senders: ChannelSenders;
}

/** @returns what disables a channel, and what tells an owner about it or about anything else. */
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
