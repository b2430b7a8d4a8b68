// The use cases that the channel routes share, and the lookup of one of the owner's channels.
import * as z from 'zod';
import type { Channel } from '#shared/delivery/channel.ts';
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import type { Suppression } from '#shared/delivery/suppression.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { notFound } from '../problem.ts';
import { channelJson, type channelJsonSchema } from './channel-json.ts';
import { type ChatLinks, createChatLinks } from './chat-links.ts';
import { createMailLimits, type MailLimits } from './mail-limits.ts';
import { createManageChannels, type ManageChannels } from './manage-channels.ts';

export const channelTag = 'Channels';

/** The path parameter of one channel. */
export const channelParams = z.object({
  id: z.string().meta({ description: 'The channel’s id', examples: [exampleIds.channel] }),
});

/** Builds the use cases from the API's dependencies. */
export function createChannelUse(deps: ApiDeps): ChannelUse {
  const { channels, channelHealth, suppressions } = deps.stores;
  const findSuppression = suppressions.find;
  const ofAddress = (channel: Channel) => suppressionOf({ findSuppression }, channel);
  return {
    deps,
    manage: createManageChannels(deps),
    chatLinks: createChatLinks(deps),
    limits: createMailLimits(deps),
    suppressionOf: ofAddress,
    async owned(channelId, ownerId) {
      const channel = await channels.find(channelId);
      if (channel?.ownerId !== ownerId) throw notFound('channel');
      return channel;
    },
    async show(channel, now) {
      const [health, suppression] = await Promise.all([
        channelHealth.find(channel.channelId),
        ofAddress(channel),
      ]);
      return channelJson(channel, { health, suppression, now });
    },
  };
}

export interface ChannelUse {
  deps: ApiDeps;
  manage: ManageChannels;
  chatLinks: ChatLinks;
  limits: MailLimits;
  /** @throws ProblemError for a channel that doesn't exist or belongs to another owner. */
  owned: (channelId: string, ownerId: string) => Promise<Channel>;
  /** A channel as JSON, with its health at a time (epoch ms). */
  show: (channel: Channel, now: number) => Promise<z.infer<typeof channelJsonSchema>>;
  /** The suppression of its mail address; undefined if there is none. */
  suppressionOf: (channel: Channel) => Promise<Suppression | undefined>;
}
