// A pull: what one call of the marketplace cost, as our own ledger keeps it.
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import { feedKinds } from './feed.ts';

/**
 * One charged call. `refreshAt` is the newest snapshot that the charge bought (epoch ms): one refresh
 * is paid once, so it is the row's identity and a redelivered poll writes no second row.
 */
export const pullSchema = item({
  eventId: number().key(),
  kind: string()
    .enum(...feedKinds)
    .key(),
  refreshAt: number().key(),
  pulls: number(),
  reason: string(),
  pulledAt: number(),
});

export type Pull = FormattedValue<typeof pullSchema>;
