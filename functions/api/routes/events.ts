// Events: the marketplace's search, through a cache because it allows only a few calls a minute.
import * as z from 'zod';
import type { MarketplaceEvent } from '#shared/marketplace/contract.ts';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import { factsOf } from '#shared/watchlist/event-facts.ts';
import { type ApiDeps, createRouter } from '../app.ts';
import { invalidRequest, ProblemError } from '../problem.ts';

/** Future events whose name has `query` in it; 50 at the most. */
export type SearchEvents = (query: string) => Promise<MarketplaceEvent[]>;

const searchQuerySchema = z.strictObject({ query: z.string().trim().max(200).default('') });

/** Routes under /v1/events. What a search finds is kept as event facts, so that alerts have names. */
export function eventRoutes({ stores, searchEvents, now }: ApiDeps) {
  const router = createRouter();

  router.get('/', async (context) => {
    const parsed = searchQuerySchema.safeParse(context.req.query());
    if (!parsed.success) throw invalidRequest(parsed.error);
    const found = await search(searchEvents, parsed.data.query);
    for (const event of found) await stores.eventFacts.keep(factsOf(event, now()));
    return context.json({ data: found });
  });
  return router;
}

async function search(searchEvents: SearchEvents, query: string): Promise<MarketplaceEvent[]> {
  try {
    return await searchEvents(query);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    throw new ProblemError(
      503,
      'marketplace-unavailable',
      'Search is not possible just now; try again in a minute',
    );
  }
}
