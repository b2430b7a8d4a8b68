// An owner: whoever a watchlist belongs to. One owner never sees another's things.
import { type FormattedValue, item, string } from 'dynamodb-toolbox/schema';

export const ownerSchema = item({
  ownerId: string().key(),
  name: string(),
  createdAt: string(),
});

export type Owner = FormattedValue<typeof ownerSchema>;
