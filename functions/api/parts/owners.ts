// Owners: settings, defaults, keys, the copy and the deletion of everything; the state of the deployment.
import type { ApiPart } from '../part.ts';
import { defaultsOperations } from '../routes/defaults.ts';
import { keyOperations } from '../routes/keys.ts';
import { ownerOperations } from '../routes/owner.ts';
import { ownerDeletionOperations } from '../routes/owner-deletion.ts';
import { ownerExportOperation } from '../routes/owner-export.ts';
import { ownersOperations } from '../routes/owners.ts';
import { statusOperation } from '../routes/status.ts';
import { createWatchlistUse } from '../watches/watchlist-use.ts';

export const part: ApiPart = {
  operations: (deps) => {
    const use = createWatchlistUse(deps);
    return [
      ...ownerOperations(deps),
      statusOperation(deps),
      ownerExportOperation(deps),
      ...ownerDeletionOperations(deps),
      ...defaultsOperations(deps, use),
      ...ownersOperations(deps),
      ...keyOperations(deps),
    ];
  },
};
