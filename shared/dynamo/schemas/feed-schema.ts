// How a feed is stored.
import { boolean, item, list, map, number, string } from 'dynamodb-toolbox/schema';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { Rhythm } from '#shared/polling/rhythm.ts';
import type { FeedValue } from '#shared/polling/value/feed-value.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import { storedAs } from './stored-as.ts';

const rhythmSchema = storedAs<Rhythm>()(
  map({
    gapsMs: list(number()),
    lastRefreshAt: number().optional(),
    quietAt: number().optional(),
  }),
);

const rangeSchema = map({
  ...{ startsAt: number(), high: number(), low: number() },
  ...{ highBefore: number(), lowBefore: number() },
});

const valueSchema = storedAs<FeedValue>()(
  map({
    memory: map({
      ...{ firstAt: number(), last: number(), steps: number() },
      ...{ from: list(number()), squares: list(number()), counts: list(number()) },
      ...{ day: rangeSchema, week: rangeSchema },
    }).optional(),
    alerts: number(),
    rate: map({ alerts: number(), days: number() }),
    curve: list(number()),
    promised: map({ levels: number(), rate: number(), days: number() }),
    evidence: map({
      ...{ byLevels: number(), ofLevels: number(), byRate: number(), ofRate: number() },
    }),
    nearest: map({ distance: number(), name: string() }).optional(),
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
    nextWhy: string().optional(),
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
    clockBeforeMs: number().optional(),
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
    recent: map({
      ...{ hour: number(), cents: list(number()) },
      week: list(number()).optional(),
      zones: list(
        map({
          ...{ name: string(), hour: number(), cents: list(number()) },
          week: list(number()).optional(),
        }),
      ).optional(),
    }).optional(),
    value: valueSchema.optional(),
    record: map({
      ...{ firstCents: number(), firstAt: number(), lowCents: number(), lowAt: number() },
      ...{ lastCents: number(), lastAt: number() },
    }).optional(),
    dayCount: map({ startsAt: number(), looks: number(), pulls: number() }).optional(),
    unwellSince: number().optional(),
  }),
);
