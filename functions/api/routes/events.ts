// Events: search by words, dates and filters, with the current price where it is known.
import * as z from 'zod';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import { readQuestion } from '#shared/watchlist/event-question.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { type EventEntry, type EventSearch, eventSources } from '../events/found-events.ts';
import { createReadPrices, type PriceNow } from '../events/price-now.ts';
import { catalogPlace } from '../events/search-catalog.ts';
import type { SearchEvents } from '../events/search-events.ts';
import { marketPlace } from '../events/search-market.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults, problem } from '../problem.ts';
import { dateParam } from '../query-params.ts';

const words = (description: string) => z.string().trim().max(200).meta({ description });

const searchQuerySchema = z.strictObject({
  query: words(
    'Words in any order: each is the beginning of a word in the event’s name, performer, tour, venue, city or state, or a date such as `dec 2`, `12/2` or `2026-12-02`. Case, accents and Unicode forms don’t matter.',
  )
    .meta({ examples: ['knicks dec 2'] })
    .default(''),
  date: z
    .string()
    .regex(/^20\d\d(-\d\d){0,2}$/, {
      error: 'must be a date, month or year such as 2026-12-02, 2026-12, 2026',
      abort: true,
    })
    .refine(
      (date) => z.iso.date().safeParse(`${date}-01-01`.slice(0, 10)).success,
      'must be a date, month or year that exists',
    )
    .optional()
    .meta({ description: 'A date, a month or a year: 2026-12-02, 2026-12, 2026' }),
  from: dateParam.optional().meta({ description: 'The first date' }),
  to: dateParam.optional().meta({ description: 'The last date' }),
  performer: words('Words of the performer or of the event’s name').optional(),
  venue: words('Words of the venue’s name').optional(),
  city: words('Words of the city or the state').optional(),
  ...pageParams,
});

const text = z.string().nullable();

export const foundEventSchema = z
  .object({
    event_id: z.int().meta({ examples: [exampleIds.event] }),
    event_name: z.string(),
    event_date: z.string(),
    event_time: text.meta({ description: 'At the venue' }),
    performer: text,
    tour_name: text,
    venue_name: text,
    venue_city: text,
    venue_state: text,
    get_in: z.number().nullable().meta({
      description:
        'The cheapest price at the newest stored snapshot, in dollars; null if nothing was for sale, or no snapshot is stored. Only events with a watch have one.',
    }),
    get_in_at: z.iso.datetime().nullable().meta({ description: 'When the market had this price' }),
  })
  .meta({ id: 'EventFound' });

const place = new RegExp(`${catalogPlace.source}|${marketPlace.source}`);

/** `GET /v1/events` */
export function searchOperation({ searchEvents, stores }: ApiDeps): Operation {
  const readPrices = createReadPrices(stores);
  return defineOperation({
    method: 'get',
    path: '/v1/events',
    tag: 'Events',
    summary: 'Search events',
    description:
      'Searches future events by words, dates and filters, and returns those that have all of them, the earliest first. The source is the marketplace’s daily catalog if the account has it; then a search takes no call of the marketplace. Otherwise it is the marketplace’s own search: it tries names first, then venues, then cities, and the first that finds events answers. The marketplace allows few such calls a minute, which all owners share: a search takes one to three, an owner whose share is used up gets 429 until the minute is over, and answers are cached for ten minutes, which count as no call. A page can have fewer rows than `limit`, even none; read on while has_more is true.',
    access: 'read',
    query: searchQuerySchema,
    answer: {
      status: 200,
      description: 'A page of events',
      schema: pageSchema('EventsFound', foundEventSchema, {
        source: z.enum(eventSources).meta({ description: 'Where the events were looked for' }),
        read_at: z.iso.datetime().meta({ description: 'When the source was read' }),
      }),
    },
    refusals: [503],
    handle: async ({ query, ownerId, now }) => {
      const { from, to } = query;
      if (from !== undefined && to !== undefined && from > to) {
        throw invalidFaults([{ pointer: '#/from', detail: 'must not be after `to`' }]);
      }
      const question = readQuestion(query);
      const { limit, after } = pageRequest(query, place);
      const page = await search(searchEvents, { question, ownerId, limit, after, now });
      const prices = await readPrices(page.events.map(({ event_id }) => event_id));
      const json = (event: EventEntry) => eventJson(event, prices.get(event.event_id));
      const { source, readAt } = page;
      return {
        body: {
          ...pageJson({ rows: page.events, ...(page.next && { next: page.next }) }, json),
          ...{ source, read_at: new Date(readAt).toISOString() },
        },
      };
    },
  });
}

async function search(searchEvents: SearchEvents, wanted: EventSearch) {
  try {
    return await searchEvents(wanted);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    throw problem(
      'marketplace-unavailable',
      'The search is not available now; try again in a minute',
      { headers: { 'retry-after': '60' } },
    );
  }
}

function eventJson(
  event: EventEntry,
  price: PriceNow | undefined,
): z.infer<typeof foundEventSchema> {
  const cents = price?.getInCents ?? null;
  return {
    event_id: event.event_id,
    event_name: event.event_name,
    event_date: event.event_date,
    event_time: event.event_time ?? null,
    performer: event.performer ?? null,
    tour_name: event.tour_name ?? null,
    venue_name: event.venue_name ?? null,
    venue_city: event.venue_city ?? null,
    venue_state: event.venue_state ?? null,
    get_in: cents === null ? null : cents / 100,
    get_in_at: price ? new Date(price.observedAt).toISOString() : null,
  };
}
