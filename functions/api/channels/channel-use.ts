// What the routes of channels share: their use cases, and how one of the owner's channels is found.
import * as z from 'zod';
import type { Channel } from '#shared/watchlist/channel.ts';
import type { ApiDeps } from '../app.ts';
import { exampleIds } from '../document/example-ids.ts';
import type { MailLimits } from './mail-limits.ts';
import type { ManageChannels } from './manage-channels.ts';

export const channelTag = 'Channels';

/** The path parameter of one channel. */
export const channelParams = z.object({
  id: z.string().meta({ description: 'The channel’s id', examples: [exampleIds.channel] }),
});

export interface ChannelUse {
  deps: ApiDeps;
  manage: ManageChannels;
  limits: MailLimits;
  /** @throws ProblemError for a channel that is not there, or somebody else's. */
  owned: (channelId: string, ownerId: string) => Promise<Channel>;
}
