// A delivery as JSON, with the names and dates of its alerts' events.
import * as z from 'zod';
import type { Alert } from '#shared/alerts/alert.ts';
import { channelKinds } from '#shared/delivery/channels/channels.ts';
import { type Delivery, deliveryStatuses, purposes } from '#shared/delivery/delivery.ts';
import { damagedFields, timeOrNull } from '../damaged-rows.ts';
import { eventFields } from '../watches/event-fields.ts';

const attemptSchema = z
  .object({
    at: z.iso.datetime(),
    outcome: z.string(),
    reason: z.string().nullable(),
    http_status: z.int().nullable(),
    response_excerpt: z.string().nullable().meta({
      description:
        'The first 300 characters of the receiver’s answer, with "[hidden]" in place of the channel’s URL, its keys and `headers`, and the stop link. null if the answer was empty, and for mail.',
    }),
    duration_ms: z.number(),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A digest may have 500 alerts; a page would read too many to name all their events. */
const mostNamed = 100;

export const deliveryJsonSchema = z
  .object({
    id: z.string().meta({
      description: 'Receivers get this id as webhook-id, or as X-Getin-Delivery of a mail',
    }),
    purpose: z.enum(purposes),
    alert_ids: z.array(z.string()),
    events: z
      .array(z.object(eventFields))
      .meta({ description: `The events of its first ${mostNamed} alerts, each once` }),
    left_out: z
      .array(z.object({ alert_id: z.string(), reason: z.string() }))
      .meta({ description: 'Alerts that were no longer true when the message was sent' }),
    channel_id: z.string(),
    channel_kind: z.enum(channelKinds),
    status: z.enum(deliveryStatuses),
    reason: z.string().nullable().meta({
      description:
        'Why it is not sent yet, or was not sent. Of a sent one: why the standard body was sent instead of the channel’s `body_template` (template_failed, template_not_valid, template_too_large). Of an unconfirmed one: perhaps_sent_before_restore if the service was restored from a backup and the message may have been sent before; a replay sends it',
    }),
    held_for: z.string().nullable(),
    fallback_for: z.string().nullable(),
    fell_back_to: z
      .array(z.string())
      .meta({ description: 'Deliveries of the same alerts to the fallback channel' }),
    merged_into: z.string().nullable(),
    attempts: z.array(attemptSchema),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    sent_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' });

export const damagedDeliverySchema = z
  .object({
    ...damagedFields,
    alert_ids: z.array(z.string()).nullable(),
    channel_id: z.string().nullable(),
    channel_kind: z.enum(channelKinds).nullable(),
    status: z.enum(deliveryStatuses).nullable(),
    created_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DamagedDelivery' });

/** An event as a delivery names it. */
export type EventName = z.infer<typeof deliveryJsonSchema>['events'][number];

/** Reads an alert; undefined if there is none, or it is damaged. */
export type FindAlert = (alertId: string) => Promise<Alert | undefined>;

/** The events of a delivery's alerts, named as they were when the alerts fired. */
export async function readEventsOf(
  { alertIds = new Set() }: Pick<Delivery, 'alertIds'>,
  findAlert: FindAlert,
): Promise<EventName[]> {
  const alerts = await Promise.all([...alertIds].slice(0, mostNamed).map(findAlert));
  const events = alerts.flatMap((alert) => (alert ? [[alert.eventId, alert] as const] : []));
  return [...new Map(events)].map(([eventId, { eventName, eventDate }]) => ({
    event_id: eventId,
    event_name: eventName,
    event_date: eventDate ?? null,
  }));
}

/** @param events of its alerts (`readEventsOf`); none for a message without alerts. */
export function deliveryJson(
  delivery: Delivery,
  events: EventName[] = [],
): z.infer<typeof deliveryJsonSchema> {
  const { nextAttemptAt, sentAt, leftOut = [], log } = delivery;
  return {
    id: delivery.deliveryId,
    purpose: delivery.purpose,
    alert_ids: [...(delivery.alertIds ?? [])],
    events,
    left_out: leftOut.map(({ alertId, reason }) => ({ alert_id: alertId, reason })),
    channel_id: delivery.channelId,
    channel_kind: delivery.channelKind,
    status: delivery.status,
    reason: delivery.lastReason ?? null,
    held_for: delivery.heldFor ?? null,
    fallback_for: delivery.fallbackFor ?? null,
    fell_back_to: [...(delivery.fellBackTo ?? [])],
    merged_into: delivery.mergedInto ?? null,
    attempts: log.map((entry) => ({
      at: new Date(entry.at).toISOString(),
      outcome: entry.outcome,
      reason: entry.reason ?? null,
      http_status: entry.httpStatus ?? null,
      response_excerpt: entry.excerpt ?? null,
      duration_ms: entry.durationMs,
    })),
    created_at: new Date(delivery.createdAt).toISOString(),
    next_attempt_at: nextAttemptAt === undefined ? null : new Date(nextAttemptAt).toISOString(),
    sent_at: sentAt === undefined ? null : new Date(sentAt).toISOString(),
  };
}

/** What is readable of a damaged delivery. */
export function damagedDeliveryJson(
  delivery: Partial<Delivery>,
  damaged: string[],
): z.infer<typeof damagedDeliverySchema> {
  return {
    ...{ id: delivery.deliveryId ?? '', damaged },
    alert_ids: delivery.alertIds ? [...delivery.alertIds] : null,
    channel_id: delivery.channelId ?? null,
    channel_kind: delivery.channelKind ?? null,
    status: delivery.status ?? null,
    created_at: timeOrNull(delivery.createdAt),
  };
}
