// How a channel's health is stored.
import { item, number, string } from 'dynamodb-toolbox/schema';
import type { ChannelHealth } from '#shared/delivery/channel-health.ts';
import { storedAs } from './stored-as.ts';

export const channelHealthSchema = storedAs<ChannelHealth>()(
  item({
    channelId: string().key(),
    failures: number().optional(),
    failingSince: number().optional(),
    lastReason: string().optional(),
    openUntil: number().optional(),
    throttledUntil: number().optional(),
    throttles: number().optional(),
    perhapsGoneSince: number().optional(),
    noticed: number().optional(),
  }),
);
