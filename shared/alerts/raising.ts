// Puts the parts together that decide about a fired alert, over stores and queues.
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { Stores } from '#shared/store/stores.ts';
import type { ChannelKind } from '#shared/watchlist/channel.ts';
import { createFallBack } from './fallback.ts';
import { createGate } from './gate.ts';
import { createSendLater } from './send-later.ts';

type GateStores = Pick<Stores, 'access' | 'channelHealth' | 'channels' | 'deliveries' | 'tallies'>;

/** The gate, the fallback and the queues that whoever raises alerts needs. */
export function createRaising(stores: GateStores, senders: Record<ChannelKind, SendMessages>) {
  const { channels, deliveries } = stores;
  return {
    decideAtGate: createGate({
      findHealth: stores.channelHealth.find,
      findOwner: stores.access.findOwner,
      takePlace: stores.tallies.take,
    }),
    fallBack: createFallBack({ findChannel: channels.find, deliveries, senders }),
    sendLater: createSendLater(senders),
  };
}
