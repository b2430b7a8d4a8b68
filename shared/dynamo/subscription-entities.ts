// Subscriptions as stored in the Watchlist table: live ones sorted by latency, and the cost of ended ones.
import { Entity } from 'dynamodb-toolbox/entity';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { eventFromKey, namedByKey, orElse, type RawItem } from './attribute-readings.ts';
import { spentSubscriptionSchema, subscriptionSchema } from './schemas/subscription-schema.ts';
import { leniently } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Both kinds of items, and how they are read with defaults for damaged fields. */
export function createSubscriptionEntities(table: WatchlistTable) {
  const subscriptions = new Entity({
    name: 'wish',
    table,
    timestamps: false,
    schema: subscriptionSchema,
    computeKey: (subscription) => ({
      pk: partitionOf(subscription.eventId),
      sk: subscriptionSort(subscription),
    }),
  });
  const spentSubscriptions = new Entity({
    name: 'spentWish',
    table,
    timestamps: false,
    schema: spentSubscriptionSchema,
    computeKey: ({ eventId, watchId, kind, createdAt }) => ({
      pk: partitionOf(eventId),
      sk: `SPENT#${watchId}#${kind}#${createdAt}`,
    }),
  });

  // The key also names the watch, so a damaged subscription is still polled for. Its cost is lost.
  const subscriptionReading = leniently(subscriptions, {
    eventId: eventFromKey,
    kind: namedByKey((raw) => partOf(raw, 1)),
    latencySeconds: namedByKey((raw) => Number(partOf(raw, 2))),
    watchId: namedByKey((raw) => partOf(raw, 3)),
    ...{ ownerId: orElse('unknown'), createdAt: orElse(0) },
    startMicropulls: orElse(Number.MAX_SAFE_INTEGER),
  });
  const spentReading = leniently(spentSubscriptions, {
    eventId: eventFromKey,
    watchId: namedByKey((raw) => partOf(raw, 1)),
    kind: namedByKey((raw) => partOf(raw, 2)),
    createdAt: namedByKey((raw) => Number(partOf(raw, 3))),
    micropulls: orElse(0),
  });

  return { subscriptions, spentSubscriptions, subscriptionReading, spentReading };
}

function partOf({ sk }: RawItem, index: number): string {
  return String(sk).split('#')[index] ?? '';
}

/** The partition of an event's subscriptions. */
export function partitionOf(eventId: number): string {
  return `EVENT#${eventId}`;
}

/** The strongest subscription sorts first. */
function subscriptionSort({
  kind,
  latencySeconds,
  watchId,
}: {
  kind: FeedKind;
  latencySeconds: number;
  watchId: string;
}) {
  return `WISH#${kind}#${String(latencySeconds).padStart(8, '0')}#${watchId}`;
}
