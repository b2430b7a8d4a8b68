// Rules: what one would have told.
import type { ApiPart } from '../part.ts';
import { ruleOperations } from '../routes/rules.ts';
import { createWatchlistUse } from '../watches/watchlist-use.ts';

export const part: ApiPart = {
  operations: (deps) => ruleOperations(deps, createWatchlistUse(deps)),
};
