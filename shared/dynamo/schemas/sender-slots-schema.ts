// How the sender slots of an owner are stored.
import { item, map, number, record, string } from 'dynamodb-toolbox/schema';
import type { SenderSlots, Slot } from '#shared/delivery/sender-slots.ts';
import { storedAs } from './stored-as.ts';

const slotSchema = storedAs<Slot>()(
  map({ receiver: string(), from: number(), until: number(), tookMs: number().optional() }),
);

export const senderSlotsSchema = storedAs<SenderSlots>()(
  item({
    ownerId: string().key(),
    slots: record(string(), slotSchema),
    moves: number(),
    expiresAtEpochSeconds: number(),
  }),
);
