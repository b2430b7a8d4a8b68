// Puts the parts together that decide about a fired alert, over stores and queues.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { ChannelKind } from '#shared/watchlist/channel.ts';
import { createFallBack } from '../delivery/fallback.ts';
import { createSendLater } from '../delivery/send-later.ts';
import { createGate } from './gate.ts';

type RaisingStores = Pick<
  Stores,
  'access' | 'alerts' | 'channelHealth' | 'channels' | 'deliveries' | 'tallies' | 'watches'
>;

/** The gate, the fallback and the queues that whoever raises alerts needs. */
export function createRaising(stores: RaisingStores, senders: Record<ChannelKind, SendMessages>) {
  const { channels, deliveries } = stores;
  return {
    decideAtGate: createGate({
      findHealth: stores.channelHealth.find,
      findOwner: stores.access.findOwner,
      takePlace: stores.tallies.take,
    }),
    fallBack: createFallBack({
      findChannel: channels.find,
      findAlert: stores.alerts.find,
      findWatch: stores.watches.find,
      deliveries,
      senders,
    }),
    sendLater: createSendLater(senders),
  };
}
