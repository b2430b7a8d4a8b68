// Alerts and their deliveries: what happened, and what became of telling people.
import * as z from 'zod';
import type { Alert } from '#shared/alerts/alert.ts';
import { type Delivery, deliveryIdOf } from '#shared/alerts/delivery.ts';
import { composeMessage } from '#shared/alerts/message.ts';
import { type ApiDeps, createRouter } from '../app.ts';
import { pageJson, readPage } from '../page.ts';
import { invalidRequest, notFound } from '../problem.ts';

const deliveriesQuerySchema = z.strictObject({ alert_id: z.string().min(1).max(100) });

/** Routes under /v1: alerts, deliveries. */
export function alertRoutes({ stores }: ApiDeps) {
  const router = createRouter();
  const owned = async (alertId: string, ownerId: string) => {
    const alert = await stores.alerts.find(alertId);
    if (alert?.ownerId !== ownerId) throw notFound('alert');
    return alert;
  };

  router.get('/alerts', async (context) => {
    const page = readPage(context.req.query());
    return context.json(
      pageJson(await stores.alerts.list(context.get('apiKey').ownerId, page), alertJson),
    );
  });

  router.get('/alerts/:id', async (context) =>
    context.json(alertJson(await owned(context.req.param('id'), context.get('apiKey').ownerId))),
  );

  router.get('/deliveries', async (context) => {
    const parsed = deliveriesQuerySchema.safeParse(context.req.query());
    if (!parsed.success) throw invalidRequest(parsed.error.issues);
    const alert = await owned(parsed.data.alert_id, context.get('apiKey').ownerId);
    const deliveries = await Promise.all(
      alert.channelIds.map((channelId) =>
        stores.deliveries.find(deliveryIdOf(alert.alertId, channelId)),
      ),
    );
    return context.json({
      data: deliveries.filter((delivery) => delivery !== undefined).map(deliveryJson),
      has_more: false,
      next_cursor: null,
    });
  });
  return router;
}

function alertJson(alert: Alert) {
  const message = composeMessage(alert);
  return {
    id: alert.alertId,
    watch_id: alert.watchId,
    rule_id: alert.ruleId,
    event_id: alert.eventId,
    event_name: alert.eventName,
    headline: message.headline,
    sentence: alert.sentence,
    value: message.value,
    previous_value: message.previousValue ?? null,
    level: message.level ?? null,
    already_true: alert.alreadyTrue,
    observed_at: new Date(alert.observedAt).toISOString(),
    fired_at: new Date(alert.firedAt).toISOString(),
  };
}

function deliveryJson(delivery: Delivery) {
  const { nextAttemptAt, sentAt } = delivery;
  return {
    id: delivery.deliveryId,
    alert_id: delivery.alertId,
    channel_id: delivery.channelId,
    channel_kind: delivery.channelKind,
    status: delivery.status,
    attempts: delivery.attempts,
    reason: delivery.lastReason ?? null,
    next_attempt_at: nextAttemptAt === undefined ? null : new Date(nextAttemptAt).toISOString(),
    sent_at: sentAt === undefined ? null : new Date(sentAt).toISOString(),
  };
}
