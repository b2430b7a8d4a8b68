// Every operation of the API, in the order in which the document lists them.
import type { ApiDeps } from './api-deps.ts';
import { documentOperations } from './document/document-operations.ts';
import type { Operation } from './operation.ts';
import { alertOperations } from './routes/alerts.ts';
import { budgetOperations } from './routes/budget.ts';
import { bulkOperations } from './routes/bulk.ts';
import { channelOperations } from './routes/channels.ts';
import { defaultsOperations } from './routes/defaults.ts';
import { restoreDeletedOperation } from './routes/deleted-watches.ts';
import { deliveryOperations } from './routes/deliveries.ts';
import { eventDetailOperations } from './routes/event-detail.ts';
import { eventSeriesOperation } from './routes/event-series.ts';
import { eventZonesOperation } from './routes/event-zones.ts';
import { searchOperation } from './routes/events.ts';
import { explainOperations } from './routes/explain.ts';
import { exportOperation } from './routes/export.ts';
import { healthOperation } from './routes/health.ts';
import { importOperation } from './routes/import.ts';
import { jobOperations } from './routes/jobs.ts';
import { keyOperations } from './routes/keys.ts';
import { ownerOperations } from './routes/owner.ts';
import { ownerDeletionOperations } from './routes/owner-deletion.ts';
import { ownerExportOperation } from './routes/owner-export.ts';
import { ownersOperations } from './routes/owners.ts';
import { publishedOperations } from './routes/published.ts';
import { ruleOperations } from './routes/rules.ts';
import { sessionOperations } from './routes/sessions.ts';
import { statusOperation } from './routes/status.ts';
import { telegramOperation } from './routes/telegram.ts';
import { watchActions } from './routes/watch-actions.ts';
import { watchVersionOperations } from './routes/watch-versions.ts';
import { watchOperations } from './routes/watches.ts';
import { createWatchlistUse } from './watches/watchlist-use.ts';

/** Builds the operations from their dependencies. */
export function operationsOf(deps: ApiDeps): Operation[] {
  const use = createWatchlistUse(deps);
  const operations = [
    ...watchOperations(deps, use),
    ...watchActions(deps, use),
    ...explainOperations(deps, use),
    ...watchVersionOperations(deps, use),
    restoreDeletedOperation(deps, use),
    ...bulkOperations(deps),
    exportOperation(deps, use),
    importOperation(deps),
    ...jobOperations(deps),
    ...ruleOperations(deps, use),
    searchOperation(deps),
    ...eventDetailOperations(deps),
    eventSeriesOperation(deps),
    eventZonesOperation(deps),
    ...channelOperations(deps, use),
    ...alertOperations(deps),
    ...deliveryOperations(deps),
    ...budgetOperations(deps),
    ...ownerOperations(deps),
    statusOperation(deps),
    ownerExportOperation(deps),
    ...ownerDeletionOperations(deps),
    ...defaultsOperations(deps, use),
    ...ownersOperations(deps),
    ...keyOperations(deps),
    ...sessionOperations(deps),
    ...publishedOperations(deps),
    telegramOperation(deps),
    healthOperation(),
  ];
  return [...operations, ...documentOperations(operations)];
}
