// The JSON bodies of generic webhooks, in both versions: their schema. webhook-body.ts composes them.
import * as z from 'zod';
import { alertPayloadSchema, truncatedField } from './alert-payload-schema.ts';
import { alertPayloadV1Schema } from './alert-payload-v1-schema.ts';
import type { PayloadVersion, WebhookType } from './webhook-types.ts';

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
  } satisfies Record<WebhookType, z.ZodType>;
}

const bodiesV1 = bodiesOf(1, alertPayloadV1Schema);
const bodiesV2 = bodiesOf(2, alertPayloadSchema);

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
