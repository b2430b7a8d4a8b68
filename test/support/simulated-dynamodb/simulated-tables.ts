// The product's two tables and stores over the simulated DynamoDB, as test/support/tables.ts has them over dynalite.
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { watchlistIndexes } from '../tables.ts';
import { openSimulatedDynamo } from './simulated-dynamodb.ts';
import type { Stock } from './simulated-table.ts';
import type { SimulatedTime } from './simulated-time.ts';

export const simulatedNames = { WATCHLIST_TABLE: 'Watchlist', SNAPSHOTS_TABLE: 'Snapshots' };

/** @param stock what the tables hold before the run. @default nothing */
export function openSimulatedTables(
  time: SimulatedTime,
  stock: { watchlist?: Stock; snapshots?: Stock } = {},
) {
  const dynamo = openSimulatedDynamo(time, {
    Watchlist: {
      indexes: watchlistIndexes,
      ...(stock.watchlist && { stock: stock.watchlist }),
    },
    Snapshots: { indexes: [], ...(stock.snapshots && { stock: stock.snapshots }) },
  });
  const client = gatherReads(dynamo.client);
  return {
    ...dynamo,
    names: simulatedNames,
    stores: openStores(client, simulatedNames, everyStore),
  };
}
