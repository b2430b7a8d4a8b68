// Watches: an owner's rules on events.
import * as z from 'zod';
import type { WatchForecast } from '#shared/polling/watch-forecast.ts';
import { tagSchema } from '#shared/watchlist/owner-defaults.ts';
import {
  type Watch,
  watchChangeSchema,
  watchRequestSchema,
  watchStatuses,
} from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { eventIdParam } from '../query-params.ts';
import { flatValue } from '../read-budget.ts';
import { createForecastWatch } from '../watches/forecast-watch.ts';
import {
  nearestPlace,
  nearestWatches,
  newestPlace,
  newestWatches,
} from '../watches/list-watches.ts';
import { createNameEvent } from '../watches/name-event.ts';
import {
  listedWatchJsonSchema,
  watchJson,
  watchJsonSchema,
  watchStandingJson,
  watchStandingJsonSchema,
} from '../watches/watch-json.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const tag = 'Watches';

/** The path parameter of one watch. */
export const watchParams = z.object({
  id: z.string().meta({ description: 'The watch’s id', examples: [exampleIds.watch] }),
});

const createdWatchJsonSchema = watchJsonSchema
  .extend({
    forecast: z
      .object({
        pulls_per_day_added: z.number(),
        pulls_per_day_share: z.number(),
        is_upper_bound: z.boolean(),
        flat_value_per_day: z.number(),
      })
      .meta({
        description:
          'Upper bound of the cost per day: extra pulls for the whole account, this watch’s share of them, and the extra pulls priced at $0.015 each.',
      }),
  })
  .meta({ id: 'CreatedWatch' });

function forecastJson({ addedAtMost, shareAtMost, isKnown }: WatchForecast) {
  return {
    pulls_per_day_added: addedAtMost,
    pulls_per_day_share: shareAtMost,
    is_upper_bound: !isKnown,
    flat_value_per_day: flatValue(addedAtMost),
  };
}

const listQuerySchema = z.strictObject({
  ...pageParams,
  event_id: eventIdParam.optional(),
  status: z.enum(watchStatuses).optional(),
  tag: tagSchema.optional(),
  sort: z.enum(['newest', 'closeness']).default('newest').meta({
    description: 'closeness: smallest distance to the level first, in percent of the level',
  }),
});

const example = {
  event_id: exampleIds.event,
  name: 'Finals, lower bowl',
  tags: ['finals'],
  rules: [{ type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 80 }],
  channels: [exampleIds.channel],
};

/** create, list, get, change, delete. */
export function watchOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [
    createOperation(deps, use),
    listOperation(deps, use),
    getOperation(use),
    ...changing(use),
  ];
}

function createOperation(deps: ApiDeps, { openWatch, current, quotas }: WatchlistUse) {
  const nameEvent = createNameEvent({ ...deps, quotas });
  const forecastWatch = createForecastWatch(deps);
  return defineOperation({
    method: 'post',
    path: '/v1/watches',
    tag,
    summary: 'Watch an event',
    description:
      'A rule that is already true alerts at once, unless `when_already_true` is `wait`. The same rules on the same event for the same channels make one watch only: a second request gets 409, which names the first watch. The first look-up of an `sh_event_id` costs one pull of the owner’s share. The whole request is validated before that pull.',
    access: 'write',
    body: watchRequestSchema,
    bodyExamples: {
      level: { summary: 'A level in one zone', value: example },
      many: {
        summary: 'Several rules at once',
        value: {
          event_id: exampleIds.event,
          rules: [
            {
              type: 'change',
              metric: 'get_in',
              drops_by: { percent: 15, min_amount: 5 },
              from: { of: 'high', window: '24h' },
            },
            { type: 'extreme', metric: 'get_in', new: 'low', within: '7d' },
          ],
          channels: [exampleIds.channel],
          latency_seconds: 300,
        },
      },
    },
    answer: {
      status: 201,
      description: 'The watch',
      schema: createdWatchJsonSchema,
      hasVersion: true,
    },
    refusals: [404, 503],
    handle: async ({ ownerId, body, newId: makeId, now }) => {
      const { wanted, noteCost } = await nameEvent(body, ownerId, now);
      const { watch, currentlyTrue } = await openWatch({ ownerId, wanted, now, makeId });
      await noteCost(watch);
      const forecast = forecastJson(await forecastWatch(watch));
      const json = watchJson(await current(watch, now), currentlyTrue);
      return { body: { ...json, forecast }, version: watch.version };
    },
  });
}

function listOperation(
  { stores }: ApiDeps,
  { standing, withCurrentStatus, readTroubles }: WatchlistUse,
) {
  return defineOperation({
    method: 'get',
    path: '/v1/watches',
    tag,
    summary: 'List watches',
    access: 'read',
    query: listQuerySchema,
    answer: {
      status: 200,
      description: 'A page of watches',
      schema: pageSchema('WatchPage', listedWatchJsonSchema),
    },
    handle: async ({ ownerId, query, now }) => {
      const { event_id: eventId, status, tag: wantedTag, sort } = query;
      const filter = { eventId, status, tag: wantedTag };
      const list = { watches: stores.watches, withCurrentStatus, standing };
      const wanted = { ownerId, filter };
      const page =
        sort === 'newest'
          ? await newestWatches(list, { ...wanted, page: pageRequest(query, newestPlace) }, now)
          : await nearestWatches(list, { ...wanted, page: pageRequest(query, nearestPlace) }, now);
      const troubles = await readTroubles(page.rows, now);
      const listed = (watch: Watch) => ({
        ...watchJson(watch),
        trouble: troubles.get(watch.watchId) ?? [],
      });
      return { body: pageJson(page, listed) };
    },
  });
}

function getOperation({ owned, current, standing }: WatchlistUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/watches/{id}',
    tag,
    summary: 'One watch with its current values',
    description:
      'The latest value and the distance to each level, the next poll, the last alert, the cost so far, and any trouble in words. The request causes no poll. 409 if the stored watch is too damaged to be shown.',
    access: 'read',
    params: watchParams,
    refusals: [409],
    answer: {
      status: 200,
      description: 'The watch',
      schema: watchStandingJsonSchema,
      hasVersion: true,
    },
    handle: async ({ ownerId, params, now }) => {
      const watch = await current(await owned(params.id, ownerId), now);
      const body = watchStandingJson(watch, await standing.of(watch, now));
      return { body, version: watch.version };
    },
  });
}

function changing({ owned, current, changeWatch }: WatchlistUse): Operation[] {
  return [
    defineOperation({
      method: 'patch',
      path: '/v1/watches/{id}',
      tag,
      summary: 'Change a watch',
      description:
        'Fields that are absent keep their values. `rules` replaces all rules; a rule that is given with its id keeps its history.',
      access: 'write',
      params: watchParams,
      body: watchChangeSchema,
      bodyExamples: {
        name: { summary: 'Another name', value: { name: 'Finals, any price' } },
        rules: {
          summary: 'Another rule',
          value: { rules: [{ type: 'level', metric: 'get_in', at_or_below: 75.5 }] },
        },
        defaults: { summary: 'Back to the defaults', value: { latency_seconds: null } },
      },
      answer: {
        status: 200,
        description: 'The changed watch',
        schema: watchJsonSchema,
        hasVersion: true,
      },
      handle: async ({ ownerId, params, body, ifMatch, newId, now }) => {
        const watch = await owned(params.id, ownerId);
        requireMatch(ifMatch, watch.version);
        const after = await changeWatch.patch(watch, body, newId, now);
        return { body: watchJson(await current(after, now)), version: after.version };
      },
    }),
    defineOperation({
      method: 'delete',
      path: '/v1/watches/{id}',
      tag,
      summary: 'Delete a watch',
      description:
        'Its alerts stay. If no other watch needs the event, polling of the event stops.',
      access: 'write',
      params: watchParams,
      answer: { status: 204, description: 'It is gone' },
      handle: async ({ ownerId, params, ifMatch, now }) => {
        const watch = await owned(params.id, ownerId);
        requireMatch(ifMatch, watch.version);
        await changeWatch.remove(watch, now);
        return {};
      },
    }),
  ];
}
