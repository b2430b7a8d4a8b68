// A delivery as stored in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { string } from 'dynamodb-toolbox/schema';
import { fromKey, orElse } from './attribute-readings.ts';
import { deliverySchema } from './schemas/delivery-schema.ts';
import { leniently } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

export function createDeliveryEntity(table: WatchlistTable) {
  return new Entity({
    name: 'delivery',
    table,
    timestamps: false,
    schema: deliverySchema.and({
      unfinishedShard: string().optional(),
      ownerKey: string(),
      ownerSort: string(),
    }),
    computeKey: ({ deliveryId }) => ({ pk: `DELIVERY#${deliveryId}`, sk: 'DELIVERY' }),
  });
}

export type DeliveryEntity = ReturnType<typeof createDeliveryEntity>;

/** How stored deliveries are parsed, with defaults for damaged fields. */
export function deliveryReading(deliveries: DeliveryEntity) {
  return leniently(deliveries, {
    deliveryId: fromKey('DELIVERY#'),
    isUrgent: orElse(false),
    log: orElse([]),
  });
}
