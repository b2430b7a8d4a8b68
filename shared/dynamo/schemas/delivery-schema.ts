// How a delivery is stored.
import { any, boolean, item, list, number, set, string } from 'dynamodb-toolbox/schema';
import { channelKinds } from '#shared/delivery/channels/channels.ts';
import {
  type AttemptEntry,
  type Delivery,
  deliveryStatuses,
  type LeftOut,
  purposes,
} from '#shared/delivery/delivery.ts';
import { holdReasons, type OwnerNotice } from '#shared/delivery/message/message-kinds.ts';
import { storedAs } from './stored-as.ts';

export const deliverySchema = storedAs<Delivery>()(
  item({
    deliveryId: string().key(),
    purpose: string().enum(...purposes),
    ownerId: string(),
    channelId: string(),
    channelKind: string().enum(...channelKinds),
    alertIds: set(string()).optional(),
    isUrgent: boolean(),
    heldFor: string()
      .enum(...holdReasons)
      .optional(),
    notice: any().castAs<OwnerNotice>().optional(),
    confirmUrl: string().optional(),
    fallbackFor: string().optional(),
    fellBackTo: set(string()).optional(),
    isOurFault: boolean().optional(),
    mergedInto: string().optional(),
    status: string().enum(...deliveryStatuses),
    attempts: number(),
    claims: number(),
    createdAt: number(),
    dueAt: number(),
    nextAttemptAt: number().optional(),
    lastReason: string().optional(),
    sentAt: number().optional(),
    replayedAt: number().optional(),
    leftOut: list(any().castAs<LeftOut>()).optional(),
    log: list(any().castAs<AttemptEntry>()),
    expiresAtEpochSeconds: number().optional(),
  }),
);
