// Events: the marketplace's search, through a cache because it allows only a few calls a minute.
import * as z from 'zod';
import { eventSchema } from '#shared/marketplace/contract.ts';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import type { MarketplaceEvent } from '#shared/marketplace/reading.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { SearchEvents } from '../events/search-events.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { problem } from '../problem.ts';

/** `GET /v1/events` */
export function searchOperation({ searchEvents }: ApiDeps): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/events',
    tag: 'Events',
    summary: 'Search events',
    description:
      'Searches the marketplace’s future events by a part of their name. Answers are cached for ten minutes. The marketplace allows few searches a minute, which all owners share: an owner whose share is used up gets 429 until the minute is over. Cached answers don’t count.',
    access: 'read',
    query: z.strictObject({
      query: z.string().trim().max(200).default('').meta({ description: 'A part of the name' }),
    }),
    answer: {
      status: 200,
      description: 'At most 50 events',
      schema: z.object({ data: z.array(eventSchema) }).meta({ id: 'EventsFound' }),
    },
    refusals: [503],
    handle: async ({ query: { query }, ownerId }) => ({
      body: { data: await search(searchEvents, query, ownerId) },
    }),
  });
}

async function search(
  searchEvents: SearchEvents,
  query: string,
  ownerId: string,
): Promise<MarketplaceEvent[]> {
  try {
    return await searchEvents(query, ownerId);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    throw problem(
      'marketplace-unavailable',
      'The search is not available now; try again in a minute',
      { headers: { 'retry-after': '60' } },
    );
  }
}
