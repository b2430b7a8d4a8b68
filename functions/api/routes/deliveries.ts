// Deliveries: their state and each attempt.
import * as z from 'zod';
import { channelKinds } from '#shared/delivery/channels/channels.ts';
import { type Delivery, deliveryStatuses, purposes } from '#shared/delivery/delivery.ts';
import type { PageRequest } from '#shared/dynamo/owner-index.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { deliveriesOf } from '../alert-outcome.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createMailLimits } from '../channels/mail-limits.ts';
import { createManageChannels } from '../channels/manage-channels.ts';
import { exampleIds } from '../document/example-ids.ts';
import { aboutParams, filteredPage, filterMark, isOf, requireRange } from '../filtered-page.ts';
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
  ...aboutParams,
  alert_id: z.string().max(100).optional(),
  channel_id: z.string().max(100).optional(),
  status: z.enum(deliveryStatuses).optional(),
});

/** Rows that one request reads at once, and in total; a delivery's alerts take further reads. */
const ofRows = { rowsAtOnce: 250, mostRows: 1_000 };
const ofAlerts = { rowsAtOnce: 50, mostRows: 300 };

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
    description: `Newest first. Filters are joined by “and”. They look at the owner’s deliveries from the newest on: one request looks at ${groupThousands(ofRows.mostRows)} deliveries, with \`watch_id\` or \`event_id\` at ${ofAlerts.mostRows}, because these are read from the alerts of each. If it finds fewer than \`limit\`, even none, read on while has_more is true. \`since\` and \`before\` are about \`created_at\` and skip all other deliveries. A cursor continues its own filters only. With alert_id one page has all deliveries.`,
    access: 'read',
    query: listQuerySchema,
    answer: {
      status: 200,
      description: 'Deliveries',
      schema: pageSchema('Deliveries', deliveryJsonSchema),
    },
    refusals: [404],
    handle: async ({ ownerId, query }) => {
      requireRange(query);
      const {
        alert_id,
        since = Number.NEGATIVE_INFINITY,
        before = Number.POSITIVE_INFINITY,
      } = query;
      const keep = async (delivery: Delivery) =>
        (await isWanted({ stores }, delivery, query)) ? delivery : undefined;
      if (alert_id !== undefined) {
        const all = await ofAlert({ stores }, alert_id, ownerId);
        const inRange = all.filter(({ createdAt }) => createdAt >= since && createdAt < before);
        const rows = (await Promise.all(inRange.map(keep))).flatMap((delivery) => delivery ?? []);
        return { body: pageJson({ rows }, deliveryJson) };
      }
      const mark = filterMark(query);
      const request = pageRequest(query, /^\S+Z#dlv_\S+$/, mark);
      const list = (page: PageRequest) => stores.deliveries.list(ownerId, page);
      if (mark === '') return { body: pageJson(await list(request), deliveryJson) };
      const needsAlerts = query.watch_id !== undefined || query.event_id !== undefined;
      const bounds = needsAlerts ? ofAlerts : ofRows;
      const page = await filteredPage(list, request, { ...query, ...bounds, keep });
      return { body: pageJson(page, deliveryJson, mark) };
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

async function isWanted(
  { stores }: Pick<ApiDeps, 'stores'>,
  delivery: Delivery,
  query: z.infer<typeof listQuerySchema>,
): Promise<boolean> {
  const { channel_id: channelId, status, watch_id: watchId, event_id: eventId } = query;
  if (channelId !== undefined && delivery.channelId !== channelId) return false;
  if (status !== undefined && delivery.status !== status) return false;
  if (watchId === undefined && eventId === undefined) return true;
  const ids = [...(delivery.alertIds ?? [])];
  const alerts = await Promise.all(ids.map((id) => orMissing(stores.alerts.find(id))));
  return alerts.some((alert) => alert !== undefined && isOf(alert, { watchId, eventId }));
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
