// GET /v1/watches: a page of watches, and on request what each of them shows now.
import * as z from 'zod';
import { readQuestion } from '#shared/watchlist/event-question.ts';
import { tagSchema } from '#shared/watchlist/owner-defaults.ts';
import { troubleCodes } from '#shared/watchlist/trouble-table.ts';
import { watchStatuses } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { dateParam, eventIdParam, wholeNumberParam } from '../query-params.ts';
import { newestPlace, newestWatches } from '../watches/list-watches.ts';
import {
  listedWatchJson,
  listedWatchJsonSchema,
  standingRowJson,
  stateCountsSchema,
  watchStateSchema,
} from '../watches/listed-watch-json.ts';
import { sortedPlace, sorts } from '../watches/sorted-page.ts';
import { createListStanding } from '../watches/standing-list.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const mostRows = 1_000;

const listQuerySchema = z.strictObject({
  include: z.enum(['standing']).optional().meta({
    description:
      'standing: what each watch shows now (`standing`), and on the first page the number of watches in each state (`counts`)',
  }),
  event_id: eventIdParam.optional(),
  team: z.string().trim().min(1).max(200).optional().meta({
    description: 'Words of the performer or of the event’s name, as in the search for events',
  }),
  from: dateParam.optional().meta({ description: 'The first date of the event' }),
  to: dateParam.optional().meta({ description: 'The last date of the event' }),
  status: z.enum(watchStatuses).optional(),
  state: watchStateSchema.optional(),
  trouble: z
    .enum(['any', 'none', ...troubleCodes])
    .optional()
    .meta({ description: 'The code of a trouble, any trouble, or none' }),
  tag: tagSchema.optional(),
  sort: z.enum(sorts).default('newest').meta({
    description:
      'closeness: smallest distance to the level first, in percent of the level; date: the next event first; cost: the most expensive first; last_alert: the latest alert first. Watches without the value come last.',
  }),
  ...pageParams,
  limit: wholeNumberParam(1, mostRows)
    .default(50)
    .meta({
      ...{ description: 'Number of rows per page', type: 'integer' },
      ...{ minimum: 1, maximum: mostRows, default: 50 },
    }),
});

type ListQuery = z.infer<typeof listQuerySchema>;

/** The operation that lists watches. */
export function listWatchesOperation(
  deps: ApiDeps,
  { withCurrentStatus, readTroubles }: WatchlistUse,
) {
  const { watches } = deps.stores;
  const listStanding = createListStanding(deps);

  async function listNewest(ownerId: string, query: ListQuery, now: number) {
    const { event_id: eventId, status, tag } = query;
    const wanted = {
      ownerId,
      filter: { eventId, status, tag },
      page: pageRequest(query, newestPlace),
    };
    const page = await newestWatches({ watches, withCurrentStatus }, wanted, now);
    const troubles = await readTroubles(page.rows, now);
    return pageJson(page, (watch) => listedWatchJson(watch, troubles.get(watch.watchId) ?? []));
  }

  async function listSorted(ownerId: string, query: ListQuery, now: number) {
    const { event_id: eventId, status, tag, state, trouble, from, to, sort } = query;
    const team = query.team && readQuestion({ query: '', performer: query.team }).performer;
    const filter = { eventId, status, tag, state, trouble, from, to, ...(team && { team }) };
    const found = await listStanding({ ownerId, filter, sort, page: pageOf(query) }, now);
    if (query.include === undefined) {
      return pageJson(found.page, ({ watch, standing }) =>
        listedWatchJson(watch, standing.troubles),
      );
    }
    const isFirst = query.starting_after === undefined;
    const page = pageJson(found.page, (row) => standingRowJson(row, now));
    return { ...page, ...(isFirst && { counts: found.counts }) };
  }

  return defineOperation({
    method: 'get',
    path: '/v1/watches',
    tag: 'Watches',
    summary: 'List watches',
    description:
      'All filters must match. With `include=standing` one request has everything that a board of all watches shows: names, dates, prices, distances, states, troubles, last alerts, next polls and costs. It reads stored data and causes no poll.',
    access: 'read',
    query: listQuerySchema,
    answer: {
      status: 200,
      description: 'A page of watches',
      schema: pageSchema('WatchPage', listedWatchJsonSchema, {
        counts: stateCountsSchema.optional(),
      }),
    },
    handle: async ({ ownerId, query, now }) => {
      const list = isPlain(query) ? listNewest : listSorted;
      return { body: await list(ownerId, query, now) };
    },
  });
}

function pageOf(query: ListQuery) {
  return pageRequest(query, sortedPlace);
}

/** Whether the index alone gives the page; otherwise all watches of the owner are read. */
function isPlain({ include, sort, state, trouble, team, from, to }: ListQuery): boolean {
  const needed = [include, state, trouble, team, from, to];
  return sort === 'newest' && needed.every((each) => each === undefined);
}
