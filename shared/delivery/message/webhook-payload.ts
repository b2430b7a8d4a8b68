// The JSON of generic webhooks: the schema of each version, and how an alert becomes JSON.
import * as z from 'zod';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { remembered } from '../../alerts/remembered.ts';
import { earlierValue } from './happening.ts';
import type { AlertMessage } from './message.ts';
import { utf8Bytes } from './plain-text.ts';

/** Standard Webhooks advises bodies under 20 KB. */
const bodyBudget = 20_000;

const listingSchema = z.object({
  zone: z.string(),
  section: z.string(),
  row: z.string(),
  quantity: z.int(),
  price_cents: z.int(),
});

export const alertPayloadSchema = z
  .object({
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
    direction: z.enum(['down', 'up']),
    role: z.enum(['main', 'further', 'no_data']),
    unit: z
      .enum(['cents', 'count', 'basis_points'])
      .meta({ description: 'Of now, before and level' }),
    now: z.number(),
    now_with_fee: z.number(),
    before: z.number().nullable(),
    before_at: z.iso.datetime().nullable().meta({
      description:
        'When the market had the value `before`; absent if `before` is not the value of one moment',
    }),
    level: z.number().nullable(),
    is_from_none: z.boolean(),
    already_true: z.boolean(),
    urgent: z.boolean(),
    moves: z
      .object({ times: z.int(), lowest: z.number(), highest: z.number(), last: z.number() })
      .nullable()
      .meta({
        description:
          'The successive values, if the number changed several times before the message was sent; in `unit`',
      }),
    listings: z.array(listingSchema),
    observed_at: z.iso.datetime(),
    fired_at: z.iso.datetime(),
    watch_url: z.string().nullable(),
  })
  .meta({ id: 'AlertPayload' });

const envelope = { version: z.literal(1), timestamp: z.iso.datetime() };

/** Every body that a generic webhook may get, distinguished by `type`. */
export const webhookPayloadSchema = z
  .discriminatedUnion('type', [
    z.object({
      ...envelope,
      type: z.literal('alert.fired'),
      data: z.object({ alert: alertPayloadSchema, held_for: z.string().nullable() }),
    }),
    z.object({
      ...envelope,
      type: z.literal('alerts.fired'),
      data: z.object({
        alerts: z.array(alertPayloadSchema),
        held_for: z.string().nullable(),
        more: z.int().meta({
          description: 'Number of alerts left out because of the size; GET /v1/alerts has them',
        }),
      }),
    }),
    z.object({
      ...envelope,
      type: z.enum(['channel.test', 'channel.notice']),
      data: z.object({ headline: z.string(), paragraphs: z.array(z.string()) }),
    }),
  ])
  .meta({ id: 'WebhookPayload' });

export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
type AlertPayload = z.infer<typeof alertPayloadSchema>;

/** Formats a moment (epoch ms), with a cache, because the alerts of one snapshot share their time. */
const isoText = remembered((at: number) => new Date(at).toISOString());

const units = { price: 'cents', count: 'count', rate: 'basis_points' } as const;

/** An alert with its words, as webhooks get it. */
export function alertPayload(alert: Alert, message: AlertMessage): AlertPayload {
  return {
    id: alert.alertId,
    watch_id: alert.watchId,
    rule_id: alert.ruleId,
    event_id: alert.eventId,
    event_name: message.eventName,
    event_date: alert.eventDate ?? null,
    event_time: alert.eventTime ?? null,
    venue_name: alert.venueName ?? null,
    venue_city: alert.venueCity ?? null,
    headline: message.headline,
    sentence: message.sentence,
    series: alert.series,
    direction: alert.direction,
    role: alert.role,
    unit: units[unitOf(parseSeries(alert.series).base)],
    now: alert.base,
    now_with_fee: alert.withFee,
    before: earlierValue(alert),
    before_at: alert.earlierAt === undefined ? null : isoText(alert.earlierAt),
    level: alert.askedLevel,
    is_from_none: alert.isFromNone,
    already_true: alert.alreadyTrue,
    urgent: alert.isUrgent,
    moves: movesNumbers(message),
    listings: alert.listings.map(({ zone, section, row, quantity, priceCents }) => ({
      ...{ zone, section, row, quantity },
      price_cents: priceCents,
    })),
    observed_at: isoText(alert.observedAt),
    fired_at: isoText(alert.firedAt),
    watch_url: message.watchUrl ?? null,
  };
}

function movesNumbers({ moves }: AlertMessage): AlertPayload['moves'] {
  if (moves === undefined) return null;
  const { times, lowest, highest, last } = moves;
  return { times, lowest, highest, last };
}

/**
 * The body with alerts: `alert.fired` for one, `alerts.fired` for several. The last alerts are left out if
 * the body would be too large.
 * @param at epoch ms of the delivery; the same on every attempt, like the whole body.
 */
export function alertsBody(
  told: readonly AlertPayload[],
  { at, heldFor }: { at: number; heldFor: string | null },
): string {
  const [only] = told;
  const envelope = { version: 1 as const, timestamp: isoText(at) };
  if (only && told.length === 1) {
    const data = { alert: only, held_for: heldFor };
    return stringify({ ...envelope, type: 'alert.fired', data });
  }
  const alerts: AlertPayload[] = [];
  let room = bodyBudget - 200;
  for (const alert of told) {
    room -= utf8Bytes(JSON.stringify(alert)) + 1;
    if (room < 0) break;
    alerts.push(alert);
  }
  const data = { alerts, held_for: heldFor, more: told.length - alerts.length };
  return stringify({ ...envelope, type: 'alerts.fired', data });
}

/** The body of a message that is about the channel itself. */
export function channelBody(
  type: 'channel.test' | 'channel.notice',
  { headline, paragraphs }: { headline: string; paragraphs: string[] },
  at: number,
): string {
  const timestamp = isoText(at);
  return stringify({ version: 1, type, timestamp, data: { headline, paragraphs } });
}

function stringify(payload: WebhookPayload): string {
  return JSON.stringify(payload);
}
