// The JSON bodies of generic webhooks, in both versions: their schema, and the size that they keep to.
import * as z from 'zod';
import type { Alert } from '../../alerts/alert.ts';
import { type AlertPayload, alertPayload, alertPayloadSchema, isoText } from './alert-payload.ts';
import { type AlertPayloadV1, alertPayloadV1, alertPayloadV1Schema } from './alert-payload-v1.ts';
import type { AlertMessage } from './message.ts';
import { utf8Bytes } from './plain-text.ts';

/** Standard Webhooks advises bodies under 20 KB. */
const bodyBudget = 20_000;

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
      description: 'Number of alerts left out because of the size; GET /v1/alerts has them',
    }),
  });
  const text = z.object({ headline: z.string(), paragraphs: z.array(z.string()) });
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

interface Told {
  alert: Alert;
  message: AlertMessage;
}

interface BodyContext {
  version: PayloadVersion;
  /** Epoch ms of the delivery; the same on every attempt, like the whole body. */
  at: number;
  heldFor: string | null;
}

/**
 * The body with alerts: `alert.fired` or `alert.recovered` for one, `alerts.fired` for several. The last
 * alerts are left out if the body would be too large. A receiver that was written before recoveries existed
 * must not take one for an alert, so they have a type or a list of their own, in both versions.
 */
export function alertsBody(told: readonly Told[], context: BodyContext): string {
  const { version, at, heldFor: held_for } = context;
  const payloadOf = version === 1 ? alertPayloadV1 : alertPayload;
  const payloads = told.map(({ alert, message }) => payloadOf(alert, message));
  const envelope = { version, timestamp: isoText(at) };
  const [only] = payloads;
  if (only && told.length === 1) {
    const type = isRecovery(only) ? 'alert.recovered' : 'alert.fired';
    return JSON.stringify({ ...envelope, type, data: { alert: only, held_for } });
  }
  const fits = fitting(payloads);
  const recovered = fits.filter(isRecovery);
  const data = {
    alerts: fits.filter((payload) => !isRecovery(payload)),
    ...(recovered.length > 0 && { recovered }),
    ...{ held_for, more: told.length - fits.length },
  };
  return JSON.stringify({ ...envelope, type: 'alerts.fired', data });
}

function isRecovery({ role }: AlertPayload | AlertPayloadV1): boolean {
  return role === 'recovery';
}

/** As many of the first payloads as fit into one body. */
function fitting<Payload extends object>(payloads: readonly Payload[]): Payload[] {
  let room = bodyBudget - 200;
  const tooMany = payloads.findIndex((payload) => {
    room -= utf8Bytes(JSON.stringify(payload)) + 1;
    return room < 0;
  });
  return payloads.slice(0, tooMany === -1 ? payloads.length : tooMany);
}

/** The body of a message that is about the channel itself. */
export function channelBody(
  type: Extract<WebhookType, `channel.${string}`>,
  { headline, paragraphs }: { headline: string; paragraphs: string[] },
  { version, at }: Pick<BodyContext, 'version' | 'at'>,
): string {
  return JSON.stringify({
    ...{ version, type, timestamp: isoText(at) },
    data: { headline, paragraphs },
  });
}
