// How an owner is stored.
import { boolean, item, map, number, string } from 'dynamodb-toolbox/schema';
import { digestModes, type Owner } from '#shared/watchlist/owner.ts';
import { storedAs } from './stored-as.ts';

export const ownerSchema = storedAs<Owner>()(
  item({
    ownerId: string().key(),
    name: string(),
    createdAt: string(),
    timeZone: string().optional(),
    quietHours: map({ from: string(), to: string() }).optional(),
    digest: map({ mode: string().enum(...digestModes), dailyAt: string() }).optional(),
    recaps: boolean().optional(),
    revision: number().optional(),
    deletion: map({ deletionId: string(), since: number() }).optional(),
  }),
);
