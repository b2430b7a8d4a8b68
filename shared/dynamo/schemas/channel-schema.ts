// How a channel is stored.
import { any, boolean, item, number, record, string } from 'dynamodb-toolbox/schema';
import type { Channel } from '#shared/delivery/channel.ts';
import type { ChannelTarget } from '#shared/delivery/channels/channels.ts';
import { channelStatuses } from '#shared/watchlist/channel.ts';
import { storedAs } from './stored-as.ts';

export const channelSchema = storedAs<Channel>()(
  item({
    channelId: string().key(),
    ownerId: string(),
    name: string().optional(),
    target: any().castAs<ChannelTarget>(),
    status: string().enum(...channelStatuses),
    disabledReason: string().optional(),
    isImmediate: boolean(),
    staleAlerts: string().enum('send', 'drop'),
    fallbackChannelId: string().optional(),
    watchesSilentUntil: record(string(), number()),
    stopUrl: string(),
    createdAt: string(),
    revision: number().optional(),
  }),
);
