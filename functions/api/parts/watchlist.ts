// Watches: one by one, many at once, as CSV, their versions, and why one did or did not alert.
import type { ApiPart } from '../part.ts';
import { bulkOperations } from '../routes/bulk.ts';
import { restoreDeletedOperation } from '../routes/deleted-watches.ts';
import { explainOperations } from '../routes/explain.ts';
import { exportOperation } from '../routes/export.ts';
import { importOperation } from '../routes/import.ts';
import { watchActions } from '../routes/watch-actions.ts';
import { watchVersionOperations } from '../routes/watch-versions.ts';
import { watchOperations } from '../routes/watches.ts';
import { createWatchlistUse } from '../watches/watchlist-use.ts';

export const part: ApiPart = {
  operations: (deps) => {
    const use = createWatchlistUse(deps);
    return [
      ...watchOperations(deps, use),
      ...watchActions(deps, use),
      ...explainOperations(deps, use),
      ...watchVersionOperations(deps, use),
      restoreDeletedOperation(deps, use),
      ...bulkOperations(deps),
      exportOperation(deps, use),
      importOperation(deps),
    ];
  },
};
