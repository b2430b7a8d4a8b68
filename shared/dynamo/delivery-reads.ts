// Reads of deliveries for people, and of those that are not finished.
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { type DeliveryEntity, deliveryReading } from './delivery-entity.ts';
import { ownerIndexPage, type PageRequest, wholeOwnerIndexPage } from './owner-index.ts';
import { type PartlyRead, readOneOrPart } from './partly-read.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';

/** The name of deliveries in the index of unfinished work. */
export const unfinished = 'unfinished';

/** The part of the delivery store that lists. */
export function createDeliveryReads(table: WatchlistTable, deliveries: DeliveryEntity) {
  const reading = deliveryReading(deliveries);

  return {
    /** One, with what is readable of a damaged one. For people only. */
    async findPartly(
      deliveryId: string,
    ): Promise<{ delivery: Delivery } | { unreadable: PartlyRead<Delivery> } | undefined> {
      const action = deliveries
        .build(GetItemCommand)
        .key({ deliveryId })
        .options({ consistent: true });
      const found = await readOneOrPart(action, reading);
      return found && ('item' in found ? { delivery: found.item } : found);
    },
    /** Unfinished deliveries of one shard whose attempt or lease is due, earliest first. */
    overdue(shard: number, before: number, limit: number): Promise<Delivery[]> {
      const part = { name: unfinished, shard, before, limit };
      return readUnfinished({ table, entity: deliveries }, part, reading);
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, deliveries, `${ownerId}#delivery`, page, reading),

    /** The same list with damaged items in their places. */
    listWhole: (ownerId: string, page: PageRequest) =>
      wholeOwnerIndexPage(table, deliveries, `${ownerId}#delivery`, page, reading),
  };
}
