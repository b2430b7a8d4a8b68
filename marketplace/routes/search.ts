/** Event search, v1 and legacy v0.3.1. Free, and metadata only. */
import {
  type LegacySearchResultJson,
  legacySearchAnswerSchema,
  legacySearchBodySchema,
  PAGE_LIMITS,
  searchPageSchema,
  searchQuerySchema,
} from '#shared/marketplace/contract.ts';
import { answerJson, type Call, type Route } from '../http/operation.ts';
import { cutPage } from '../http/pages.ts';
import { parseBody, parseQuery } from '../http/parse.ts';
import { type EventQuery, searchEvents, toSearchItem } from '../search.ts';

function answerSearch(call: Call) {
  const {
    limit: wanted,
    starting_after,
    historical,
    ...filter
  } = parseQuery(searchQuerySchema, call);
  const { store, cursors, clocks } = call.service;
  const limit = wanted ?? PAGE_LIMITS.search.default;
  const now = clocks.market();
  const span = historical === 'true' ? 'all' : 'future';
  const scope = `${call.account.id} search ${span} ${JSON.stringify(Object.entries(filter).sort())}`;
  const query: EventQuery = { filter, span, now, limit: limit + 1 };
  if (starting_after !== undefined) {
    const [startsAt, id] = cursors.read(scope, starting_after);
    query.after = { startsAt: Number(startsAt), id: Number(id) };
  }
  const page = cutPage(searchEvents(store, query), {
    limit,
    cursors,
    scope,
    positionOf: (event) => [event.starts_at, event.id],
  });
  return answerJson({
    data: page.rows.map((event) => toSearchItem(event, now)),
    has_more: page.has_more,
    next_cursor: page.next_cursor,
  });
}

/** Letters of any script but Latin: a search with them finds nothing (api.md, legacy search). */
const nonWestern = /[\p{L}--\p{Script=Latin}]/v;

function answerLegacySearch(call: Call) {
  const body = parseBody(legacySearchBodySchema, call);
  const { historical, venue_name, event_name, event_date, venue_city, venue_state } = body;
  const fields = [venue_name, event_name, event_date, venue_city, venue_state];
  if (fields.some((field) => field !== undefined && nonWestern.test(field))) {
    return answerJson([{ result_total: 0, items: [], errors: false }]);
  }
  const { store, clocks } = call.service;
  const query: EventQuery = {
    filter: {
      ...{ event_name, event_date, venue_city },
      ...{ raw_venue_name: venue_name, raw_venue_state: venue_state },
    },
    span: historical ? 'past' : 'future',
    now: clocks.market(),
  };
  const events = searchEvents(store, query);
  const result: LegacySearchResultJson = {
    result_total: events.length,
    items: events.map((event) => ({
      event_id: event.id,
      event_name: event.name,
      event_date: event.date,
      venue_name: event.raw_venue_name,
      venue_city: event.city,
      venue_state: event.raw_venue_state,
    })),
    errors: false,
  };
  return answerJson([result]);
}

export const searchRoutes: readonly Route[] = [
  {
    operation: {
      method: 'get',
      path: '/v1/events/search',
      summary: 'Find events',
      bucket: 'events_search',
      errors: 'envelope',
      access: 'api',
      query: searchQuerySchema,
      answer: { status: 200, schema: searchPageSchema, description: 'A page of events' },
      refusals: [400],
    },
    handle: answerSearch,
  },
  {
    operation: {
      method: 'post',
      path: '/v0.3.1/events/search',
      summary: 'Find events (legacy)',
      bucket: 'events_search',
      errors: 'text',
      access: 'api',
      body: legacySearchBodySchema,
      answer: { status: 200, schema: legacySearchAnswerSchema, description: 'The events' },
      refusals: [400],
    },
    handle: answerLegacySearch,
  },
];
