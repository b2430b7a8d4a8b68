// How a watch and its earlier versions are stored.
import { any, item, list, map, number, record, string } from 'dynamodb-toolbox/schema';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import {
  inheritableSettings,
  type Unsettled,
  type Watch,
  type WatchRule,
  watchStatuses,
} from '#shared/watchlist/watch.ts';
import type { WatchVersion } from '#shared/watchlist/watch-version.ts';
import { storedAs } from './stored-as.ts';

const content = {
  watchId: string().key(),
  ownerId: string(),
  eventId: number(),
  name: string().optional(),
  tags: list(string()).optional(),
  rules: list(any().castAs<WatchRule>()),
  channelIds: list(string()),
  fallbackChannelId: string().optional(),
  status: string().enum(...watchStatuses),
  bought: map({
    at: number(),
    alertId: string(),
    paidCents: number().optional(),
    statusBefore: string().enum('active', 'paused'),
  }).optional(),
  snoozedUntil: number().optional(),
  latencySeconds: number(),
  shard: number().optional(),
  inherits: list(string().enum(...inheritableSettings)).optional(),
  setAside: record(string(), any().castAs<SetAside>()).optional(),
  removedAt: string().optional(),
  statusWhenRemoved: string()
    .enum(...watchStatuses)
    .optional(),
  createdAt: string(),
  updatedAt: string(),
  changedBy: any().castAs<ChangedBy>().optional(),
};

export const watchSchema = storedAs<Watch>()(
  item({ ...content, unsettled: any().castAs<Unsettled>().optional(), version: number() }),
);

export const watchVersionSchema = storedAs<WatchVersion>()(
  item({ ...content, version: number().key(), expiresAtEpochSeconds: number() }),
);
