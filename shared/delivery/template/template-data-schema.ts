// The schema of the data that a body template is filled with. For the document and the check of a template;
// template-data.ts makes the data.
import * as z from 'zod';
import { alertPayloadSchema } from '../message/alert-payload-schema.ts';
import { webhookTypes } from '../message/webhook-types.ts';

const placeFields = {
  is_first: z.boolean().meta({ description: 'Whether it is the first of its list' }),
  is_last: z.boolean().meta({
    description: 'Whether it is the last of its list; for commas: {{^is_last}},{{/is_last}}',
  }),
};

const listing = alertPayloadSchema.shape.listings.element.extend(placeFields);

const toldAlert = alertPayloadSchema
  .extend({
    listings: z.array(listing),
    truncated: z.boolean().meta({ description: 'Whether its texts or lists were shortened' }),
    value: z.string().meta({ description: '`now` as text, such as $74' }),
    level_text: z.string().nullable().meta({ description: '`level` as text' }),
    push: z.string().meta({ description: 'Price, direction and event in at most 40 characters' }),
    ...placeFields,
  })
  .meta({ id: 'TemplateAlert' });

/** The fields that a message has itself, besides those of its only alert. */
const messageFields = {
  type: z.enum(webhookTypes),
  timestamp: z.iso.datetime(),
  delivery_id: z.string().meta({ description: 'The same as the header webhook-id' }),
  headline: z.string().meta({ description: 'What happened, as a sentence; all messages have it' }),
  push: z.string().meta({ description: 'The headline in at most 40 characters' }),
  paragraphs: z.array(z.string()).meta({
    description: 'The sentences of a test or a notice; of alerts, why they were held back',
  }),
  held_for: z.string().nullable(),
  is_alert: z.boolean().meta({ description: 'The message is of type alert.fired' }),
  is_recovery: z.boolean().meta({ description: 'It is of type alert.recovered' }),
  is_several: z.boolean().meta({ description: 'It is of type alerts.fired' }),
  is_test: z.boolean().meta({ description: 'It is of type channel.test' }),
  is_notice: z.boolean().meta({ description: 'It is of type channel.notice' }),
  count: z.int().meta({ description: 'Number of alerts and recoveries of the message' }),
  alerts: z.array(toldAlert).meta({
    description: 'The alerts, also if there is only one; recoveries are in `recovered`',
  }),
  recovered: z.array(toldAlert).meta({ description: 'What went back after an alert' }),
  more: z.int().meta({ description: 'Number of alerts for which the body has no room' }),
  more_ids: z.array(z.string()).meta({ description: 'Their ids, as many as fit' }),
  more_url: z.string().nullable().meta({ description: 'Lists exactly these alerts' }),
  listings: z.array(listing).meta({ description: 'The listings of the only alert' }),
};

const alertNames = Object.keys(toldAlert.shape).filter(
  (name) => !Object.hasOwn(messageFields, name) && !Object.hasOwn(placeFields, name),
);

/** The fields of the only alert; null in other messages. */
const onlyAlert = Object.fromEntries(
  Object.entries(toldAlert.shape)
    .filter(([name]) => alertNames.includes(name))
    .map(([name, field]) => [name, field instanceof z.ZodNullable ? field : field.nullable()]),
);

export const templateDataSchema = z.object({ ...onlyAlert, ...messageFields }).meta({
  id: 'TemplateData',
  description:
    'The names that a `body_template` can use. The fields of an alert, such as `now` and `event_name`, are those of the only alert of a message; in other messages they are null, and `alerts` and `recovered` have them.',
});

/** The data of a message. */
export type TemplateData = z.infer<typeof templateDataSchema>;

/** The fields of an alert that the message has only for its only alert. */
export type AlertName = Exclude<
  keyof z.infer<typeof toldAlert>,
  keyof typeof messageFields | keyof typeof placeFields
>;
