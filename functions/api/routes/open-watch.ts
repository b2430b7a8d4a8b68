// POST /v1/watches: creates a watch, and returns its cost and which of its rules are already true.
import { watchRequestSchema } from '#shared/watchlist/watch-request.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation } from '../operation.ts';
import { forecastJson, forecastJsonSchema } from '../watches/forecast-json.ts';
import { createReadForecast } from '../watches/forecast-watch.ts';
import { createNameEvent } from '../watches/name-event.ts';
import { watchJson, watchJsonSchema } from '../watches/watch-json.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

export const createdWatchJsonSchema = watchJsonSchema
  .extend({ forecast: forecastJsonSchema })
  .meta({ id: 'CreatedWatch' });

const example = {
  event_id: exampleIds.event,
  name: 'Finals, lower bowl',
  tags: ['finals'],
  rules: [{ type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 80 }],
  channels: [exampleIds.channel],
};

/** The operation that creates a watch. */
export function openWatchOperation(
  deps: ApiDeps,
  { openWatch, readEventNow, quotas }: WatchlistUse,
) {
  const nameEvent = createNameEvent({ ...deps, quotas });
  const readForecast = createReadForecast(deps);
  return defineOperation({
    method: 'post',
    path: '/v1/watches',
    tag: 'Watches',
    summary: 'Watch an event',
    description:
      'A rule that is already true alerts at once, unless `when_already_true` is `wait`. The same rules on the same event for the same channels make one watch only: a second request gets 409, which names the first watch. The first look-up of an `sh_event_id` costs one pull of the owner’s share. So does the check of an `event_id` that no search has found yet; an id that the marketplace doesn’t know gets 404. The whole request is validated before that pull.',
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
    handle: async ({ ownerId, body, by, newId: makeId, now }) => {
      const { wanted, noteCost } = await nameEvent(body, ownerId, now);
      // What the answer says about the event is read beside the creation, which takes most of the time.
      const isResolved = body.event_id === undefined;
      const [{ watch, currentlyTrue, isLookedUp }, eventForecast, event] = await Promise.all([
        openWatch({ ownerId, wanted, by, now, makeId, isResolved }),
        readForecast(wanted.event_id),
        readEventNow(wanted.event_id, now),
      ]);
      await noteCost(watch);
      const forecast = forecastJson(eventForecast, watch, now);
      // The look-up stores the facts if the catalog has them.
      const facts =
        event.facts ?? (isLookedUp ? await deps.stores.eventFacts.find(watch.eventId) : undefined);
      const status = event.isOver ? 'ended' : watch.status;
      const json = watchJson({ ...watch, status, facts }, currentlyTrue);
      return { body: { ...json, forecast }, version: watch.version };
    },
  });
}
