// The schema of an alert as JSON, version 2 of the payload, and the fields that both versions share. For the
// document and the checks; alert-payload.ts makes the JSON.
import * as z from 'zod';
import { firingRoles } from '#shared/rules/transitions.ts';

/** The fields before the numbers, in both versions. */
export const identityFields = {
  id: z.string().meta({ description: 'The same in every message about this alert' }),
  watch_id: z.string(),
  rule_id: z.string(),
  event_id: z.int(),
  event_name: z.string(),
  event_date: z.string().nullable(),
  event_time: z.string().nullable(),
  venue_name: z.string().nullable(),
  venue_city: z.string().nullable(),
  headline: z.string().meta({ description: 'What happened, as a sentence' }),
  sentence: z.string().meta({ description: 'The rule as a sentence' }),
  series: z.string(),
};

export const roleField = {
  role: z.enum(firingRoles).meta({
    description:
      'main: the rule was reached. further: a further step (`repeat_every_further_percent`). no_data: the number is missing (`on_no_data`). recovery: the number went back after an alert (`tell_recovery`).',
  }),
};

export const beforeAtField = {
  before_at: z.iso.datetime().nullable().meta({
    description:
      'When the market had the value `before`; null if `before` is not the value of one moment',
  }),
};

export const flagFields = {
  is_from_none: z.boolean(),
  already_true: z.boolean(),
  urgent: z.boolean(),
};

export const movesField = {
  moves: z
    .object({ times: z.int(), lowest: z.number(), highest: z.number(), last: z.number() })
    .nullable()
    .meta({
      description:
        'The successive values, if the number changed several times before the message was sent; in `unit`',
    }),
};

export const seatFields = {
  zone: z.string(),
  section: z.string(),
  row: z.string(),
  quantity: z.int(),
};

export const timeFields = {
  observed_at: z.iso.datetime(),
  fired_at: z.iso.datetime(),
  watch_url: z.string().nullable(),
};

export const truncatedField = {
  truncated: z.boolean().optional().meta({
    description:
      'true if names, texts or lists were shortened, because the body would have been over 20 KB, else absent; ids, numbers and times are whole',
  }),
};

export const alertPayloadSchema = z
  .object({
    ...identityFields,
    direction: z.enum(['down', 'up']).nullable().meta({
      description:
        'Where the number went from `before` to `now`; null if one of them is unknown, or they are equal',
    }),
    ...roleField,
    unit: z.enum(['dollars', 'count', 'percent']).meta({
      description: 'The unit of now, now_with_fee, before, level and moves',
    }),
    now: z.number().nullable().meta({
      description: 'The number that the rule watches; null if there is none any more',
    }),
    now_with_fee: z.number().nullable().meta({
      description: 'The price with the rule’s fee; without a fee, the same as `now`',
    }),
    before: z.number().nullable().meta({
      description:
        'The baseline of a change; for other rules, the value of the snapshot before; for a recovery, the value of its alert',
    }),
    ...beforeAtField,
    level: z.number().nullable().meta({
      description: 'The level as the rule has it, fee included; null for a rule about a change',
    }),
    covered_hours: z.number().nullable().meta({
      description:
        'How far back the known values in the rule’s window reached, in hours; null without a window',
    }),
    ...flagFields,
    lone_listing: z.boolean().meta({
      description: 'The price is that of one listing far under the rest; it may be mis-keyed',
    }),
    may_repeat: z.boolean().meta({
      description:
        'An alert about the same may have been sent before, because the service was restored from a backup',
    }),
    ...movesField,
    listings: z.array(
      z.object({ ...seatFields, price: z.number().meta({ description: 'In dollars' }) }),
    ),
    ...timeFields,
    tickets_url: z.string().nullable().meta({
      description: 'Where the tickets are sold; null if the deployment has no shop for the event',
    }),
    chart_url: z.string().nullable().meta({
      description: 'A picture of the price as PNG; null while there are too few values',
    }),
    ...truncatedField,
  })
  .meta({ id: 'AlertPayload' });

export type AlertPayload = z.infer<typeof alertPayloadSchema>;
