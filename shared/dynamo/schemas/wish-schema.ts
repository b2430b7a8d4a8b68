// How the wishes for a feed are stored: the live ones, and the cost of the ended ones.
import { item, number, string } from 'dynamodb-toolbox/schema';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { SpentWish, Wish } from '#shared/polling/wish.ts';
import { storedAs } from './stored-as.ts';

const wishFields = {
  eventId: number().key(),
  kind: string()
    .enum(...feedKinds)
    .key(),
  watchId: string().key(),
};

export const wishSchema = storedAs<Wish>()(
  item({
    ...wishFields,
    latencySeconds: number().key(),
    ownerId: string(),
    createdAt: number(),
    startMicropulls: number(),
  }),
);

export const spentWishSchema = storedAs<SpentWish>()(
  item({
    ...wishFields,
    createdAt: number().key(),
    micropulls: number(),
  }),
);
