// How a disposition is stored.
import { item, number, string } from 'dynamodb-toolbox/schema';
import { type Disposition, unsentReasons } from '#shared/delivery/disposition.ts';
import { holdReasons } from '#shared/delivery/message/message-kinds.ts';
import { storedAs } from './stored-as.ts';

export const dispositionSchema = storedAs<Disposition>()(
  item({
    alertId: string().key(),
    channelId: string().key(),
    kind: string().enum('send', 'hold', 'unsent'),
    reason: string()
      .enum(...holdReasons, ...unsentReasons)
      .optional(),
    deliveryId: string().optional(),
    decidedAt: number(),
    dueAt: number(),
    expiresAtEpochSeconds: number().optional(),
  }),
);
