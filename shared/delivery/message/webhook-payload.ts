// The JSON bodies of generic webhooks, in both versions: their schema. webhook-body.ts composes them.
import * as z from 'zod';
import { alertPayloadSchema, truncatedField } from './alert-payload.ts';
import { alertPayloadV1Schema } from './alert-payload-v1.ts';

/** 1: amounts in cents and basis points. 2: amounts in dollars and percent. */
export const payloadVersions = [1, 2] as const;
export type PayloadVersion = (typeof payloadVersions)[number];

export const payloadVersionSchema = z.union([z.literal(1), z.literal(2)], {
  error: 'must be 1 or 2',
});

export const payloadVersionWords =
  'The version of a webhook’s bodies. 1: amounts in cents and basis points, `direction` is that of the series. 2: amounts in dollars and percent, `direction` is what the number did. New channels get 2; channels made before version 2 existed stay at 1 until they are changed.';

const heldForField = { held_for: z.string().nullable() };
const timestamp = z.iso.datetime();

/** The bodies of one version, by their type. */
function bodiesOf<V extends PayloadVersion, A extends z.ZodType>(number: V, alert: A) {
  const named = (name: string) => ({ id: number === 1 ? `${name}V1` : name });
  const envelope = { version: z.literal(number), timestamp };
  const one = z.object({ alert, ...heldForField });
  const several = z.object({
    alerts: z.array(alert).meta({ description: 'The alerts; empty if there are only recoveries' }),
    recovered: z.array(alert).optional().meta({
      description:
        'What went back after an alert (`tell_recovery`); absent if nothing did. Never in `alerts`',
    }),
    ...heldForField,
    more: z.int().meta({
      description: 'Number of alerts left out because of the size; 0 if none were',
    }),
    more_ids: z.array(z.string()).optional().meta({
      description:
        'The ids of the alerts that were left out, as many as fit; absent if none were left out',
    }),
    more_url: z.string().nullable().optional().meta({
      description:
        'Lists exactly the alerts that were left out, for a key of the owner; absent if none were left out',
    }),
  });
  const text = z.object({
    ...{ headline: z.string(), paragraphs: z.array(z.string()) },
    ...truncatedField,
  });
  return {
    'alert.fired': z
      .object({ ...envelope, type: z.literal('alert.fired'), data: one })
      .meta(named('AlertFired')),
    'alert.recovered': z
      .object({ ...envelope, type: z.literal('alert.recovered'), data: one })
      .meta(named('AlertRecovered')),
    'alerts.fired': z
      .object({ ...envelope, type: z.literal('alerts.fired'), data: several })
      .meta(named('AlertsFired')),
    'channel.test': z
      .object({ ...envelope, type: z.literal('channel.test'), data: text })
      .meta(named('ChannelTest')),
    'channel.notice': z
      .object({ ...envelope, type: z.literal('channel.notice'), data: text })
      .meta(named('ChannelNotice')),
  };
}

const bodiesV1 = bodiesOf(1, alertPayloadV1Schema);
const bodiesV2 = bodiesOf(2, alertPayloadSchema);

export const webhookTypes = [
  'alert.fired',
  'alert.recovered',
  'alerts.fired',
  'channel.test',
  'channel.notice',
] as const satisfies (keyof typeof bodiesV2)[];
export type WebhookType = (typeof webhookTypes)[number];

/** The bodies of one type, in both versions. */
export function webhookSchemaOf(type: WebhookType): z.ZodType {
  return z.discriminatedUnion('version', [bodiesV1[type], bodiesV2[type]]);
}

function unionOf<V extends typeof bodiesV1 | typeof bodiesV2>(bodies: V) {
  return z.discriminatedUnion('type', [
    bodies['alert.fired'],
    bodies['alert.recovered'],
    bodies['alerts.fired'],
    bodies['channel.test'],
    bodies['channel.notice'],
  ]);
}

/** Every body that a generic webhook may get, distinguished by `version` and `type`. */
export const webhookPayloadSchema = z.discriminatedUnion('version', [
  unionOf(bodiesV1),
  unionOf(bodiesV2),
]);

export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
