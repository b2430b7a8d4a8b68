// How the subscriptions for a feed are stored: the live ones, and the cost of the ended ones.
import { item, number, string } from 'dynamodb-toolbox/schema';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { SpentSubscription, Subscription } from '#shared/polling/subscription.ts';
import { storedAs } from './stored-as.ts';

const wishFields = {
  eventId: number().key(),
  kind: string()
    .enum(...feedKinds)
    .key(),
  watchId: string().key(),
};

export const subscriptionSchema = storedAs<Subscription>()(
  item({
    ...wishFields,
    latencySeconds: number().key(),
    ownerId: string(),
    createdAt: number(),
    startMicropulls: number(),
  }),
);

export const spentSubscriptionSchema = storedAs<SpentSubscription>()(
  item({
    ...wishFields,
    createdAt: number().key(),
    micropulls: number(),
  }),
);
