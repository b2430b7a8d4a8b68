// Caches the reads that the alerts of one snapshot share (the event, the owner, the channel) for one second.
// The sender reads the channel again, so it sees every change.

import type { Stores } from '#shared/dynamo/stores.ts';
import { cached } from '#shared/lambda/cache.ts';

const rememberedForMs = 1_000;

type SharedStores = Pick<Stores, 'access' | 'channelHealth' | 'channels' | 'eventFacts'>;

/** The same stores, with these reads cached for up to a second. */
export function shareReads<All extends SharedStores>(stores: All, now: () => number): All {
  const { access, channelHealth, channels, eventFacts } = stores;
  const briefly = { forMs: rememberedForMs, now };
  return {
    ...stores,
    access: { ...access, findOwner: cached(access.findOwner, briefly) },
    channelHealth: { ...channelHealth, find: cached(channelHealth.find, briefly) },
    channels: {
      ...channels,
      // Only active channels are cached, so that an address confirmed just now is not taken for an unconfirmed one.
      find: cached(channels.find, {
        ...briefly,
        keeps: (channel) => channel?.status === 'active',
      }),
    },
    eventFacts: { ...eventFacts, find: cached(eventFacts.find, briefly) },
  };
}
