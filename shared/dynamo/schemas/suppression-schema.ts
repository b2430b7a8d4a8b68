// How a suppressed address is stored.
import { boolean, item, number, set, string } from 'dynamodb-toolbox/schema';
import type { Suppression } from '#shared/delivery/suppression.ts';
import { storedAs } from './stored-as.ts';

export const suppressionSchema = storedAs<Suppression>()(
  item({
    addressHash: string().key(),
    isSuppressed: boolean(),
    reason: string().optional(),
    softBounces: set(string()).optional(),
    suppressedAt: number().optional(),
    liftedAt: number().optional(),
    lifts: number().optional(),
    updatedAt: number(),
  }),
);
