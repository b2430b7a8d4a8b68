// The schema of a rule preview; preview-json.ts fills it.
import * as z from 'zod';
import { amountsTried } from '#shared/backtest/amounts.ts';
import { eventFields } from './event-fields.ts';
import { forecastJsonSchema } from './forecast-json.ts';

const amount = z.number().nullable();

const seen = z.object({ observed_at: z.iso.datetime(), value: z.number() }).nullable();

const deliveredSchema = z
  .object({
    at: z.iso.datetime(),
    held: z.enum(['quiet_hours', 'digest']).nullable(),
    told: z.boolean().meta({ description: 'False if it was no longer true when it was due' }),
  })
  .nullable()
  .meta({ description: 'With `as_delivered`; else null' });

const fireSchema = z.object({
  observed_at: z.iso.datetime().meta({ description: 'When the market had this value' }),
  value: z.number().meta({ description: 'The price, or the count, at that time' }),
  level: amount,
  baseline: amount.meta({ description: 'The value that the change was measured from' }),
  already_true: z.boolean().meta({
    description: 'The rule was true at the first snapshot already; such an alert is in no count',
  }),
  lowest_after: seen.meta({
    description: 'The lowest value afterwards, within the evaluated time',
  }),
  highest_after: seen.meta({
    description: 'The highest value afterwards, within the evaluated time',
  }),
  stayed_minutes: z.number().nullable().meta({
    description: 'How long the rule stayed true; null if it was still true at the last snapshot',
  }),
  undone_at_once: z.boolean().meta({ description: 'The next snapshot was back already' }),
  delivered: deliveredSchema,
  words: z.string(),
});

const recoverySchema = z.object({
  observed_at: z.iso.datetime().meta({ description: 'When the market had this value' }),
  value: z.number().meta({ description: 'The price, or the count, that went back' }),
  fired_at: z.iso.datetime().meta({ description: 'The `observed_at` of the alert before it' }),
  delivered: deliveredSchema,
});

const perWeekSchema = z.number().nullable().meta({
  description: 'Alerts a week; null if less than a week of prices is stored',
});

const pointSchema = z.object({
  amount: z.number().meta({ description: 'The amount that replaces the rule’s own' }),
  sentence: z.string(),
  count: z.int(),
  already_true: z.boolean(),
  per_week: perWeekSchema,
});

/** The answer of `POST /v1/rules/preview`. */
export const previewJsonSchema = z
  .object({
    ...eventFields,
    sentence: z.string(),
    unit: z.enum(['dollars', 'count', 'percent']),
    fires: z.array(fireSchema),
    recoveries: z.array(recoverySchema).meta({
      description:
        'With `tell_recovery`: when the value went back after an alert. They are in no count of alerts, and in `messages`',
    }),
    count: z.int().meta({
      description: 'Number of alerts; one that was true at the first snapshot already is apart',
    }),
    already_true: z.boolean(),
    per_week: perWeekSchema,
    nearby: z.array(pointSchema).meta({
      description:
        'Number of alerts with a slightly higher or lower amount, the rule’s own included; empty if the rule has no amount',
    }),
    curve: z.array(pointSchema).meta({
      description: `Number of alerts with up to ${amountsTried} amounts over all values that the event had, smallest first. A smaller change or a nearer level does not always mean more alerts.`,
    }),
    confirmations: z.array(pointSchema).meta({
      description: 'Number of alerts with 1 to 5 confirmations; `amount` is their number',
    }),
    suggested: pointSchema.nullable().meta({
      description: 'With `aim`: the point of the curve that comes nearest; null if none fired',
    }),
    messages: z.int().nullable().meta({
      description:
        'With `as_delivered`: number of messages, because held alerts share one; recoveries included',
    }),
    longest_silence_hours: z.number().nullable().meta({
      description: 'The longest time without an alert, within the evaluated time',
    }),
    pulls: z.int().meta({
      description: 'Pulls that would have told every refresh within the latency',
    }),
    from: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The time of the first evaluated snapshot' }),
    to: z.iso.datetime().nullable(),
    snapshots: z.int(),
    bought: z
      .object({
        snapshots: z.int(),
        pulls: z.number(),
        whole: z.boolean().meta({ description: 'False if the newest prices did not come in time' }),
      })
      .nullable()
      .meta({ description: 'With `buy_history`: the prices that were bought; else null' }),
    forecast: forecastJsonSchema,
    note: z.string().meta({
      description: 'The evaluated data, the cost of the watch, and what buying more would cost',
    }),
  })
  .meta({ id: 'Preview' });
