// Deliveries: their state and each attempt.
import * as z from 'zod';
import { channelKinds } from '#shared/delivery/channels/channels.ts';
import { type Delivery, deliveryStatuses, purposes } from '#shared/delivery/delivery.ts';
import { deliveriesOf } from '../alert-outcome.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createMailLimits } from '../channels/mail-limits.ts';
import { createManageChannels } from '../channels/manage-channels.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { notFound, problem } from '../problem.ts';

const tag = 'Deliveries';

const params = z.object({
  id: z.string().meta({ description: 'The delivery’s id', examples: [exampleIds.delivery] }),
});

const attemptSchema = z
  .object({
    at: z.iso.datetime(),
    outcome: z.string(),
    reason: z.string().nullable(),
    http_status: z.int().nullable(),
    response_excerpt: z.string().nullable().meta({
      description:
        'The first 300 characters of the receiver’s answer, with "[hidden]" in place of the channel’s URL and the stop link. null if the answer was empty, and for mail.',
    }),
    duration_ms: z.number(),
  })
  .meta({ id: 'DeliveryAttempt' });

export const deliveryJsonSchema = z
  .object({
    id: z
      .string()
      .meta({ description: 'Receivers get this id as webhook-id, or in the mail’s Message-ID' }),
    purpose: z.enum(purposes),
    alert_ids: z.array(z.string()),
    left_out: z
      .array(z.object({ alert_id: z.string(), reason: z.string() }))
      .meta({ description: 'Alerts that were no longer true when the message was sent' }),
    channel_id: z.string(),
    channel_kind: z.enum(channelKinds),
    status: z.enum(deliveryStatuses),
    reason: z.string().nullable(),
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

const listQuerySchema = z.strictObject({
  ...pageParams,
  alert_id: z.string().max(100).optional(),
  channel_id: z.string().max(100).optional(),
  status: z.enum(deliveryStatuses).optional(),
});

/** list, get, replay. */
export function deliveryOperations(deps: ApiDeps): Operation[] {
  return [listOperation(deps), getOperation(deps), replayOperation(deps)];
}

function listOperation({ stores }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/deliveries',
    tag,
    summary: 'The delivery log',
    description:
      'Newest first. With filters a page can have fewer rows than `limit`, even none; read on while has_more is true. With alert_id one page has all deliveries.',
    access: 'read',
    query: listQuerySchema,
    answer: {
      status: 200,
      description: 'Deliveries',
      schema: pageSchema('Deliveries', deliveryJsonSchema),
    },
    refusals: [404],
    handle: async ({ ownerId, query }) => {
      const { alert_id, channel_id, status } = query;
      const isWanted = (delivery: Delivery) =>
        (channel_id === undefined || delivery.channelId === channel_id) &&
        (status === undefined || delivery.status === status);
      if (alert_id !== undefined) {
        const found = await ofAlert({ stores }, alert_id, ownerId);
        return { body: pageJson({ rows: found.filter(isWanted) }, deliveryJson) };
      }
      const page = await stores.deliveries.list(ownerId, pageRequest(query, /^\S+Z#dlv_\S+$/));
      return { body: pageJson({ ...page, rows: page.rows.filter(isWanted) }, deliveryJson) };
    },
  });
}

function getOperation({ stores }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/deliveries/{id}',
    tag,
    summary: 'A delivery with its attempts',
    access: 'read',
    params,
    answer: { status: 200, description: 'It', schema: deliveryJsonSchema },
    handle: async ({ ownerId, params: { id } }) => ({
      body: deliveryJson(await owned({ stores }, id, ownerId)),
    }),
  });
}

function replayOperation(deps: ApiDeps) {
  const manage = createManageChannels(deps);
  const limits = createMailLimits(deps);
  return defineOperation({
    method: 'post',
    path: '/v1/deliveries/{id}/replay',
    tag,
    summary: 'Send a delivery again',
    description:
      'It is sent under the same id, so that a receiver can recognize it. A delivery that was sent stays `sent`.',
    access: 'write',
    params,
    answer: { status: 202, description: 'It is queued', schema: deliveryJsonSchema },
    handle: async ({ ownerId, params: { id }, now }) => {
      const delivery = await owned(deps, id, ownerId);
      if (delivery.purpose === 'confirmation') {
        throw problem(
          'conflict',
          'A confirmation mail is not replayed; ask for a new one with POST /v1/channels/{id}/confirmation',
        );
      }
      if (delivery.purpose === 'test') await limits.takeTest(ownerId, now);
      if (!(await manage.replay(delivery, now))) {
        throw problem(
          'conflict',
          `This delivery is ${delivery.status}; there is nothing to replay`,
        );
      }
      return { body: deliveryJson(await owned(deps, id, ownerId)) };
    },
  });
}

async function owned({ stores }: Pick<ApiDeps, 'stores'>, id: string, ownerId: string) {
  const delivery = await stores.deliveries.find(id);
  if (delivery?.ownerId !== ownerId) throw notFound('delivery');
  return delivery;
}

/** Every delivery that contains one of the owner's alerts. */
async function ofAlert(
  { stores }: Pick<ApiDeps, 'stores'>,
  alertId: string,
  ownerId: string,
): Promise<Delivery[]> {
  const alert = await stores.alerts.find(alertId);
  if (alert?.ownerId !== ownerId) throw notFound('alert');
  return deliveriesOf(stores, alertId);
}

export function deliveryJson(delivery: Delivery): z.infer<typeof deliveryJsonSchema> {
  const { nextAttemptAt, sentAt, leftOut = [], log } = delivery;
  return {
    id: delivery.deliveryId,
    purpose: delivery.purpose,
    alert_ids: [...(delivery.alertIds ?? [])],
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
