// What the alerts of one snapshot have in common (the event, the owner, the channel) is read once a second
// for all of them. Whoever sends looks at the channel again, so a change is missed by nobody.

import type { Stores } from '#shared/dynamo/stores.ts';
import { cached } from '#shared/lambda/cache.ts';

const rememberedForMs = 1_000;

type SharedStores = Pick<Stores, 'access' | 'channelHealth' | 'channels' | 'eventFacts'>;

/** The same stores, of which these reads may be a second old. */
export function shareReads<All extends SharedStores>(stores: All, now: () => number): All {
  const { access, channelHealth, channels, eventFacts } = stores;
  const briefly = { forMs: rememberedForMs, now };
  return {
    ...stores,
    access: { ...access, findOwner: cached(access.findOwner, briefly) },
    channelHealth: { ...channelHealth, find: cached(channelHealth.find, briefly) },
    channels: {
      ...channels,
      // An address that has just been confirmed must not be taken for one that waits for it.
      find: cached(channels.find, {
        ...briefly,
        keeps: (channel) => channel?.status === 'active',
      }),
    },
    eventFacts: { ...eventFacts, find: cached(eventFacts.find, briefly) },
  };
}
