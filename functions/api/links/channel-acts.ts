// What a reader does to a channel by a link: stops it, or makes it silent for a watch, and back.
import type { Channel } from '#shared/delivery/channel.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createFindUnreached, createTellUnreached } from '#shared/delivery/unreached.ts';
import { forever } from '#shared/watchlist/channel.ts';
import type { ApiDeps } from '../api-deps.ts';

/** The acts; each is safe to repeat. */
export function createChannelActs({
  stores,
  senders,
  now,
}: Pick<ApiDeps, 'stores' | 'senders' | 'now'>) {
  const tellUnreached = createTellUnreached({
    findUnreached: createFindUnreached({
      listWatches: stores.watches.listAll,
      findChannel: stores.channels.find,
      findHealth: stores.channelHealth.find,
      findSuppression: stores.suppressions.find,
    }),
    tellOwner: createTellOwner({ ...stores, senders }),
  });

  return {
    /** Stops all messages. An unconfirmed address is left out: it gets nothing, and a resumption would confirm it. */
    async stopAll({ channelId }: Channel): Promise<void> {
      const to = { status: 'unsubscribed' } as const;
      await stores.channels.changeStatus(channelId, ['active', 'disabled'], to);
      const after = await stores.channels.find(channelId);
      if (after) await tellUnreached({ channel: after, loss: 'unsubscribed' }, now());
    },

    async resumeAll({ channelId }: Channel): Promise<void> {
      await stores.channels.changeStatus(channelId, ['unsubscribed'], { status: 'active' });
    },

    /** Makes the channel silent for a watch until a time (epoch ms, or `forever`); 0 ends that. */
    async silence({ channelId }: Channel, watchId: string, until: number): Promise<void> {
      await stores.channels.silenceWatch(channelId, watchId, until);
      // A snooze ends by itself within a day; until then the watch's trouble shows it.
      const after = until === forever ? await stores.channels.find(channelId) : undefined;
      if (after) await tellUnreached({ channel: after, loss: 'muted', watchId }, now());
    },
  };
}

export type ChannelActs = ReturnType<typeof createChannelActs>;
