// How a feed is stored.
import { boolean, item, list, map, number, string } from 'dynamodb-toolbox/schema';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { Rhythm } from '#shared/polling/rhythm.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import { storedAs } from './stored-as.ts';

const rhythmSchema = storedAs<Rhythm>()(
  map({
    gapsMs: list(number()),
    lastRefreshAt: number().optional(),
    quietAt: number().optional(),
  }),
);

const faultSchema = storedAs<SetAside>()(
  map({ reason: string(), since: number(), times: number(), retryAt: number(), release: string() }),
).optional();

export const feedSchema = storedAs<Feed>()(
  item({
    eventId: number().key(),
    kind: string()
      .enum(...feedKinds)
      .key(),
    status: string().enum('active', 'idle', 'not_found', 'ended'),
    nextPollAt: number().optional(),
    nextReason: string().optional(),
    claim: string().optional(),
    call: map({ claim: string(), at: number() }).optional(),
    latencySeconds: number(),
    wishVersion: number(),
    watchersChangedAt: number(),
    failures: number(),
    lastPolledAt: number().optional(),
    lastSnapshotAt: number().optional(),
    lastPaidAt: number().optional(),
    rhythm: rhythmSchema,
    distance: number().optional(),
    isOutOfReach: boolean().optional(),
    eventStartsAt: number().optional(),
    sharedMicropulls: number(),
    ownerIds: list(string()).optional(),
    watches: number().optional(),
    owesNudge: boolean().optional(),
    clockOffsetMs: number().optional(),
    overlapFrom: number().optional(),
    paidThrough: number().optional(),
    wrongStamps: list(number()).optional(),
    setAside: map({
      future_stamp: faultSchema,
      zone: faultSchema,
      row: faultSchema,
      storing: faultSchema,
    }).optional(),
    missing: map({ since: number(), looks: number() }).optional(),
    lastLiveAt: number().optional(),
    recent: map({ hour: number(), cents: list(number()) }).optional(),
    unwellSince: number().optional(),
  }),
);
