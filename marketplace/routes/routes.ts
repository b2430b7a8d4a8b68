/** Every route of the service, in the order in which the OpenAPI document lists them. */
import type { Route } from '../http/operation.ts';
import { accountRoutes } from './account.ts';
import { dailyCsvRoute } from './daily-csv.ts';
import { eventAddRoutes } from './event-add.ts';
import { listingsRoutes } from './listings.ts';
import { operatorRoutes } from './operator.ts';
import { salesRoutes } from './sales.ts';
import { salesBatchRoutes } from './sales-batch.ts';
import { searchRoutes } from './search.ts';
import { statsRoute } from './stats.ts';

export const routes: readonly Route[] = [
  ...accountRoutes,
  ...searchRoutes,
  ...salesRoutes,
  ...salesBatchRoutes,
  ...listingsRoutes,
  statsRoute,
  ...eventAddRoutes,
  dailyCsvRoute,
  ...operatorRoutes,
];
