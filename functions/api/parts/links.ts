// The pages behind the links in messages.
import { linkFacts } from '../document/link-facts.ts';
import type { ApiPart } from '../part.ts';
import { linkRoutes } from '../routes/links.ts';
import { createWatchlistUse } from '../watches/watchlist-use.ts';

export const part: ApiPart = {
  operations: () => [],
  pages: {
    at: '/l',
    routes: (deps) => linkRoutes(deps, createWatchlistUse(deps)),
    facts: linkFacts,
  },
};
