// The data that a body template is filled with: the fields of payload version 2, and those that make a short
// template possible.
import * as z from 'zod';
import {
  type AlertPayload,
  alertPayload,
  alertPayloadSchema,
  isoText,
} from '../message/alert-payload.ts';
import type { BodyLimits } from '../message/fit-body.ts';
import type { AlertMessage } from '../message/message.ts';
import { shortenTo } from '../message/shorten-payload.ts';
import { type TellableMessage, toldWithin, webhookTypeOf } from '../message/webhook-body.ts';
import { type WebhookType, webhookTypes } from '../message/webhook-payload.ts';

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

const noAlert = Object.fromEntries(alertNames.map((name) => [name, null]));

/** The data of a message. */
export type TemplateData = z.infer<typeof templateDataSchema>;

/** Makes the data of a message within limits. */
export function templateData(tellable: TellableMessage): (limits: BodyLimits) => TemplateData {
  const { message, told, deliveryId, dueAt, heldFor } = tellable;
  const type = webhookTypeOf(tellable);
  const { headline, paragraphs } = message;
  const within = toldWithin(
    told.map(({ alert, message: words }) => ({ ...alertPayload(alert, words), ...wordsOf(words) })),
    tellable,
  );
  return (limits) => {
    const { alerts, recovered, untold } = within(limits);
    const [only] = told.length === 1 ? [...alerts, ...recovered] : [];
    const shown = shortenTo({ headline, paragraphs }, limits.alertBytes);
    return {
      ...noAlert,
      ...(only && rowOf(only)),
      ...{ type, timestamp: isoText(dueAt), delivery_id: deliveryId },
      ...{ headline: shown.headline, push: message.push, paragraphs: shown.paragraphs },
      held_for: heldFor ?? null,
      ...flagsOf(type),
      count: told.length,
      alerts: placed(alerts.map(rowOf)),
      recovered: placed(recovered.map(rowOf)),
      ...{ more: untold.more, more_ids: untold.more_ids ?? [], more_url: untold.more_url ?? null },
      listings: placed(only?.listings ?? []),
    };
  };
}

function wordsOf({ value, level, push }: AlertMessage) {
  return { value, level_text: level ?? null, push };
}

function flagsOf(type: WebhookType) {
  return {
    is_alert: type === 'alert.fired',
    is_recovery: type === 'alert.recovered',
    is_several: type === 'alerts.fired',
    is_test: type === 'channel.test',
    is_notice: type === 'channel.notice',
  };
}

function rowOf<Told extends AlertPayload>(told: Told) {
  const { listings, truncated = false, ...others } = told;
  return { ...others, listings: placed(listings), truncated };
}

/** Says of each row whether it is the first or the last. */
function placed<Row extends object>(rows: readonly Row[]) {
  return rows.map((row, place) => ({
    ...row,
    is_first: place === 0,
    is_last: place === rows.length - 1,
  }));
}
