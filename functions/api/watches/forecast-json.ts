// The forecast of a watch's cost as JSON: by day, until its event, and at other latencies.
import * as z from 'zod';
import { flatValue } from '../budget/read-budget.ts';
import type { EventForecast, ForecastedWatch } from './forecast-watch.ts';

const dayMs = 86_400_000;
/** From a minute to six hours: what other latencies cost, in seconds. */
const otherLatencies = [60, 300, 900, 3_600, 21_600] as const;

const spanSchema = {
  pulls_added: z.number().meta({ description: 'Extra pulls for the whole account' }),
  flat_value: z.number().meta({ description: 'The extra pulls in dollars, at $0.015 each' }),
};

export const forecastJsonSchema = z
  .object({
    pulls_per_day_added: z.number(),
    pulls_per_day_share: z.number(),
    is_upper_bound: z.boolean(),
    flat_value_per_day: z.number(),
    until_event: z
      .object({ ends_at: z.iso.datetime(), ...spanSchema })
      .nullable()
      .meta({
        description: 'Until the event starts, or its date ends; null while its date is unknown',
      }),
    at_latencies: z
      .array(
        z.object({
          latency_seconds: z.int(),
          pulls_per_day_added: z.number(),
          flat_value_per_day: z.number(),
          until_event: z.object(spanSchema).nullable(),
        }),
      )
      .meta({ description: 'What the same watch costs with other latencies, the fastest first' }),
  })
  .meta({
    id: 'WatchForecast',
    description:
      'Upper bound of the cost: extra pulls for the whole account, this watch’s share of them, and the extra pulls priced at $0.015 each.',
  });

/** The forecast of a watch at a time, epoch milliseconds. */
export function forecastJson(
  { forecastWatch, endsAt }: EventForecast,
  watch: ForecastedWatch,
  now: number,
): z.infer<typeof forecastJsonSchema> {
  const { addedAtMost, shareAtMost, isKnown } = forecastWatch(watch);
  const days = endsAt === null ? null : Math.max(0, endsAt - now) / dayMs;
  const spanOf = (perDay: number) => {
    if (days === null) return null;
    const pulls = Math.ceil(perDay * days);
    return { pulls_added: pulls, flat_value: flatValue(pulls) };
  };
  const own = spanOf(addedAtMost);
  return {
    pulls_per_day_added: addedAtMost,
    pulls_per_day_share: shareAtMost,
    is_upper_bound: !isKnown,
    flat_value_per_day: flatValue(addedAtMost),
    until_event:
      own && endsAt !== null ? { ends_at: new Date(endsAt).toISOString(), ...own } : null,
    at_latencies: otherLatencies.map((latencySeconds) => {
      const perDay = forecastWatch({ ...watch, latencySeconds }).addedAtMost;
      return {
        latency_seconds: latencySeconds,
        pulls_per_day_added: perDay,
        flat_value_per_day: flatValue(perDay),
        until_event: spanOf(perDay),
      };
    }),
  };
}
