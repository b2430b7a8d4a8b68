// How a watch is stored.
import { any, item, list, number, record, string } from 'dynamodb-toolbox/schema';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import {
  inheritableSettings,
  type Unsettled,
  type Watch,
  type WatchRule,
  watchStatuses,
} from '#shared/watchlist/watch.ts';
import { storedAs } from './stored-as.ts';

export const watchSchema = storedAs<Watch>()(
  item({
    watchId: string().key(),
    ownerId: string(),
    eventId: number(),
    name: string().optional(),
    tags: list(string()).optional(),
    rules: list(any().castAs<WatchRule>()),
    channelIds: list(string()),
    fallbackChannelId: string().optional(),
    status: string().enum(...watchStatuses),
    snoozedUntil: number().optional(),
    latencySeconds: number(),
    inherits: list(string().enum(...inheritableSettings)).optional(),
    unsettled: any().castAs<Unsettled>().optional(),
    setAside: record(string(), any().castAs<SetAside>()).optional(),
    removedAt: string().optional(),
    version: number(),
    createdAt: string(),
    updatedAt: string(),
  }),
);
