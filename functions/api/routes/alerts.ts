// Alerts: what happened, with its numbers frozen, and for each channel what was decided about it.
import * as z from 'zod';
import type { Alert } from '#shared/alerts/alert.ts';
import type { Disposition } from '#shared/alerts/disposition.ts';
import { composeMessage } from '#shared/alerts/message.ts';
import { alertPayload, alertPayloadSchema } from '#shared/alerts/webhook-payload.ts';
import type { ApiDeps } from '../app.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { notFound } from '../problem.ts';

const tag = 'Alerts';

const params = z.object({
  id: z.string().meta({ description: 'The alert’s id', examples: [exampleIds.alert] }),
});

const dispositionSchema = z
  .object({
    channel_id: z.string().nullable(),
    decision: z.enum(['send', 'hold', 'unsent']),
    reason: z.string().nullable().meta({ description: 'Why it was held back, or not sent' }),
    delivery_id: z.string().nullable(),
    due_at: z.iso.datetime(),
  })
  .meta({ id: 'AlertDecision' });

const alertJsonSchema = alertPayloadSchema
  .omit({ watch_url: true, moves: true })
  .extend({
    value: z.string().meta({ description: 'now, for people' }),
    previous_value: z.string().nullable(),
    level_text: z.string().nullable(),
  })
  .meta({ id: 'Alert' });

const alertWithDecisionsSchema = alertJsonSchema
  .extend({ decisions: z.array(dispositionSchema) })
  .meta({ id: 'AlertWithDecisions' });

/** list, get. */
export function alertOperations({ stores }: ApiDeps): Operation[] {
  const list = defineOperation({
    method: 'get',
    path: '/v1/alerts',
    tag,
    summary: 'List alerts',
    access: 'read',
    query: pageQuerySchema,
    answer: {
      status: 200,
      description: 'Newest first',
      schema: pageSchema('Alerts', alertJsonSchema),
    },
    handle: async ({ ownerId, query }) => ({
      body: pageJson(await stores.alerts.list(ownerId, pageRequest(query)), alertJson),
    }),
  });
  const get = defineOperation({
    method: 'get',
    path: '/v1/alerts/{id}',
    tag,
    summary: 'An alert and what was decided about it',
    access: 'read',
    params,
    answer: { status: 200, description: 'It', schema: alertWithDecisionsSchema },
    handle: async ({ ownerId, params: { id } }) => {
      const alert = await stores.alerts.find(id);
      if (alert?.ownerId !== ownerId) throw notFound('alert');
      const decisions = await stores.dispositions.ofAlert(id);
      return { body: { ...alertJson(alert), decisions: decisions.map(decisionJson) } };
    },
  });
  return [list, get];
}

/** Ages are told as of when it fired: the answer is the same whenever it is asked for. */
function alertJson(alert: Alert): z.infer<typeof alertJsonSchema> {
  const message = composeMessage(alert, { now: alert.firedAt, timeZone: 'UTC' });
  const { watch_url: _url, moves: _moves, ...payload } = alertPayload(alert, message);
  return {
    ...payload,
    value: message.value,
    previous_value: message.previousValue ?? null,
    level_text: message.level ?? null,
  };
}

function decisionJson({ channelId, kind, reason, deliveryId, dueAt }: Disposition) {
  return {
    channel_id: reason === 'no_channel' ? null : channelId,
    decision: kind,
    reason: reason ?? null,
    delivery_id: deliveryId ?? null,
    due_at: new Date(dueAt).toISOString(),
  };
}
