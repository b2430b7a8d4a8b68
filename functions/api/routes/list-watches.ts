// GET /v1/watches: a page of watches, and on request what each of them shows now.
import * as z from 'zod';
import { dayStart } from '#shared/watchlist/local-clock.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults } from '../problem.ts';
import { eventIdParam, flagParam, timeParam, wholeNumberParam } from '../query-params.ts';
import { deletedPlace, deletedWatches } from '../watches/deleted-list.ts';
import { newestPlace, newestWatches } from '../watches/list-watches.ts';
import {
  countsJson,
  deletedWatchJson,
  listedWatchJson,
  listedWatchJsonSchema,
  standingRowJson,
  stateCountsSchema,
} from '../watches/listed-watch-json.ts';
import { sortedPlace, sorts } from '../watches/sorted-page.ts';
import { createListStanding } from '../watches/standing-list.ts';
import { readWatchFilter, watchFilterFields } from '../watches/watch-filter.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const mostRows = 1_000;

const listQuerySchema = z.strictObject({
  include: z.enum(['standing']).optional().meta({
    description:
      'standing: what each watch shows now (`standing`), and on the first page the numbers of watches (`counts`)',
  }),
  event_id: eventIdParam.optional(),
  ...watchFilterFields,
  near_percent: wholeNumberParam(0, 100).optional().meta({
    description:
      'Only active watches with a rule that waits within so many percent of its level; a rule that has fired does not wait',
  }),
  fired_since: timeParam
    .optional()
    .meta({ description: 'Only watches whose last alert is from this time on' }),
  deleted: flagParam.optional().meta({
    description:
      'true: the watches that were deleted in the last 7 days, with `deleted`, in place of the others. Of the filters, only `event_id` and `tag` go with it.',
  }),
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
  const { access, watches } = deps.stores;
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

  async function listDeleted(ownerId: string, query: ListQuery, now: number) {
    requireDeletedQuery(query);
    const filter = { eventId: query.event_id, tag: query.tag };
    const wanted = { ownerId, filter, page: pageRequest(query, deletedPlace) };
    return pageJson(
      await deletedWatches({ watches, withCurrentStatus }, wanted, now),
      deletedWatchJson,
    );
  }

  async function listSorted(ownerId: string, query: ListQuery, now: number) {
    const { near_percent: nearPercent, fired_since: firedSince, sort } = query;
    const filter = { ...readWatchFilter(query), nearPercent, firedSince };
    const isFirst = query.starting_after === undefined && query.include !== undefined;
    const [found, owner] = await Promise.all([
      listStanding({ ownerId, filter, sort, page: pageOf(query) }, now),
      isFirst ? access.findOwner(ownerId) : undefined,
    ]);
    if (query.include === undefined) {
      return pageJson(found.page, ({ watch, standing }) =>
        listedWatchJson(watch, standing.troubles),
      );
    }
    const page = pageJson(found.page, (row) => standingRowJson(row, now));
    if (!isFirst) return page;
    const today = dayStart(hearingTimesOf(owner).timeZone, now);
    return { ...page, counts: countsJson(found, today) };
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
      const list = query.deleted ? listDeleted : isPlain(query) ? listNewest : listSorted;
      return { body: await list(ownerId, query, now) };
    },
  });
}

/** @throws ProblemError for a filter or an order that deleted watches don't have. */
function requireDeletedQuery({ sort, ...query }: ListQuery): void {
  const named = [
    ...byStanding.filter((name) => query[name] !== undefined),
    ...(query.status === undefined ? [] : ['status']),
    ...(sort === 'newest' ? [] : ['sort']),
  ];
  if (named.length === 0) return;
  const detail = 'does not go with deleted=true';
  throw invalidFaults(named.map((name) => ({ pointer: `#/${name}`, detail })));
}

function pageOf(query: ListQuery) {
  return pageRequest(query, sortedPlace);
}

/** Parameters that need more than the index of the owner's watches. */
const byStanding = [
  ...(['include', 'q', 'team', 'from', 'to', 'state', 'trouble'] as const),
  ...(['near_percent', 'fired_since'] as const),
];

/** Whether the index alone gives the page; otherwise all watches of the owner are read. */
function isPlain(query: ListQuery): boolean {
  return query.sort === 'newest' && byStanding.every((name) => query[name] === undefined);
}
