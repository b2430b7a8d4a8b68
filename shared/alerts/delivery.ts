// A delivery: one alert on its way to one channel, and the moves it may make.
// pending → sending (a lease) → sent | failed | suppressed, or back to pending for another try.
import { createHash } from 'node:crypto';
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import * as z from 'zod';
import { channelKinds } from '#shared/watchlist/channel.ts';

export const deliverySchema = item({
  deliveryId: string().key(),
  alertId: string(),
  ownerId: string(),
  channelId: string(),
  channelKind: string().enum(...channelKinds),
  status: string().enum('pending', 'sending', 'sent', 'failed', 'suppressed'),
  attempts: number(),
  createdAt: number(),
  nextAttemptAt: number().optional(),
  lastReason: string().optional(),
  sentAt: number().optional(),
});

export type Delivery = FormattedValue<typeof deliverySchema>;

/** What the send queues carry: an id only, so that the newest channel and alert are used. */
export const deliveryMessageSchema = z.object({ deliveryId: z.string().min(1) });
export type DeliveryMessage = z.infer<typeof deliveryMessageSchema>;

/**
 * The id of an alert's delivery to a channel: the same on every retry and replay of the pipeline.
 * It is what receivers see as `webhook-id` and Message-ID, so it holds no full stop.
 */
export function deliveryIdOf(alertId: string, channelId: string): string {
  const digest = createHash('sha256').update(`${alertId}/${channelId}`).digest('hex');
  return `dlv_${digest.slice(0, 32)}`;
}

/** How long a sender holds a delivery: past the sender's own timeout of 60 s. */
export const sendLeaseMs = 90_000;

/** How a send ended. `reason` is recorded and is the metric's dimension. */
export type SendOutcome =
  | { kind: 'sent' }
  | { kind: 'retry'; reason: string; afterMs?: number }
  | { kind: 'failed'; reason: string };
