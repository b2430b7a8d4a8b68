// Watches, an owner's rules on events: get, change, delete. open-watch.ts creates one, list-watches.ts lists them.
import * as z from 'zod';
import { watchChangeSchema } from '#shared/watchlist/watch-request.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { forecastJson, forecastJsonSchema } from '../watches/forecast-json.ts';
import { createReadForecast } from '../watches/forecast-watch.ts';
import {
  watchJson,
  watchJsonSchema,
  watchStatusJson,
  watchStatusJsonSchema,
} from '../watches/watch-json.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { listWatchesOperation } from './list-watches.ts';
import { openWatchOperation } from './open-watch.ts';

const tag = 'Watches';

/** The path parameter of one watch. */
export const watchParams = z.object({
  id: z.string().meta({ description: 'The watch’s id', examples: [exampleIds.watch] }),
});

/** create, list, get, change, delete. */
export function watchOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [
    openWatchOperation(deps, use),
    listWatchesOperation(deps, use),
    getOperation(use),
    ...changing(deps, use),
  ];
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
      schema: watchStatusJsonSchema,
      hasVersion: true,
    },
    handle: async ({ ownerId, params, now }) => {
      const watch = await current(await owned(params.id, ownerId), now);
      const body = watchStatusJson(watch, await standing.of(watch, now));
      return { body, version: watch.version };
    },
  });
}

const changedWatchJsonSchema = watchJsonSchema
  .extend({ forecast: forecastJsonSchema })
  .meta({ id: 'ChangedWatch' });

function changing(deps: ApiDeps, { owned, current, changeWatch }: WatchlistUse): Operation[] {
  const readForecast = createReadForecast(deps);
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
      replaces: ['rules', 'channels', 'tags'],
      bodyExamples: {
        name: { summary: 'Another name', value: { name: 'Finals, any price' } },
        rules: {
          summary: 'Another rule',
          value: { rules: [{ rule: { type: 'level', metric: 'get_in', at_or_below: 75.5 } }] },
        },
        defaults: { summary: 'Back to the defaults', value: { latency_seconds: null } },
      },
      answer: {
        status: 200,
        description: 'The changed watch, with its cost from now on',
        schema: changedWatchJsonSchema,
        hasVersion: true,
      },
      handle: async ({ ownerId, params, body, ifMatch, by, newId, now }) => {
        const watch = await owned(params.id, ownerId);
        requireMatch(ifMatch, watch.version);
        const after = await changeWatch.patch(watch, body, newId, { by, now });
        const [as, eventForecast] = await Promise.all([
          current(after, now),
          readForecast(after.eventId),
        ]);
        const forecast = forecastJson(eventForecast, as, now);
        return { body: { ...watchJson(as), forecast }, version: after.version };
      },
    }),
    defineOperation({
      method: 'delete',
      path: '/v1/watches/{id}',
      tag,
      summary: 'Delete a watch',
      description:
        'Its alerts stay. If no other watch needs the event, polling of the event stops. For 7 days the watch is in `GET /v1/watches?deleted=true`, and `POST /v1/watches/{id}/restore` brings it back.',
      access: 'write',
      params: watchParams,
      answer: { status: 204, description: 'It is deleted' },
      handle: async ({ ownerId, params, ifMatch, by, now }) => {
        const watch = await owned(params.id, ownerId);
        requireMatch(ifMatch, watch.version);
        await changeWatch.remove(watch, { by, now });
        return {};
      },
    }),
  ];
}
