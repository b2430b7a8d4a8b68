// How an owner's defaults are stored.
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import type { DefaultSettings, OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import { storedAs } from './stored-as.ts';

export const ownerDefaultsSchema = storedAs<OwnerDefaults>()(
  item({
    ownerId: string().key(),
    version: number(),
    all: any().castAs<DefaultSettings>(),
    tags: any().castAs<Record<string, DefaultSettings>>(),
  }),
);
