// How a living message is stored.
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import type { EpisodeState, LivingMessage } from '#shared/delivery/episodes/living-message.ts';
import type { PriceMovement } from '#shared/delivery/message/price-movement.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { storedAs } from './stored-as.ts';

export const livingMessageSchema = storedAs<LivingMessage>()(
  item({
    eventId: number().key(),
    feedKind: string()
      .enum(...feedKinds)
      .key(),
    triggerId: string().key(),
    generation: number().key(),
    channelId: string().key(),
    ownerId: string(),
    watchId: string(),
    alertId: string(),
    deliveryId: string(),
    dueAt: number(),
    observedAt: number(),
    receipt: string(),
    held: any().castAs<NonNullable<LivingMessage['held']>>().optional(),
    moves: any().castAs<PriceMovement>().optional(),
    shows: any().castAs<EpisodeState>(),
    editedAt: number().optional(),
    failures: number(),
    version: number(),
    expiresAtEpochSeconds: number(),
  }),
);
