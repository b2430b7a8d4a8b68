// Alerts: the event, the numbers at that time, and the decision for each channel.
import * as z from 'zod';
import type { Alert } from '#shared/alerts/alert.ts';
import type { Disposition } from '#shared/delivery/disposition.ts';
import { alertPayload } from '#shared/delivery/message/alert-payload.ts';
import { alertPayloadSchema } from '#shared/delivery/message/alert-payload-schema.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { untoldPattern } from '#shared/delivery/message/untold-alerts.ts';
import type { PageRequest } from '#shared/dynamo/owner-index.ts';
import { isExpired } from '#shared/retention.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { tagSchema } from '#shared/watchlist/defaults-request.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import { type AlertOutcome, readOutcome } from '../alert-outcome.ts';
import { listAlertsOfDelivery } from '../alerts/alerts-of-delivery.ts';
import { damagedAlertJson, damagedAlertSchema } from '../alerts/damaged-alert-json.ts';
import { outcomeFields, outcomeJson } from '../alerts/outcome-json.ts';
import { taggedWith } from '../alerts/tagged-alerts.ts';
import { readWholeAlert } from '../alerts/whole-alert.ts';
import type { ApiDeps } from '../api-deps.ts';
import { damagedWords, showRow, splitPageJson } from '../damaged-rows.ts';
import { exampleIds } from '../document/example-ids.ts';
import {
  aboutParams,
  boundsOf,
  filteredPage,
  filterMark,
  isOf,
  requireRange,
} from '../filtered-page.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults } from '../problem.ts';

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

const alertFields = alertPayloadSchema
  .omit({ watch_url: true, tickets_url: true, chart_url: true, moves: true, truncated: true })
  .extend({
    value: z.string().meta({ description: '`now` as text' }),
    previous_value: z.string().nullable(),
    level_text: z.string().nullable(),
  });

/** An alert in a list. */
export const alertJsonSchema = alertFields.extend(z.object(outcomeFields).partial().shape).meta({
  id: 'Alert',
  description:
    'In a list, `state`, `reason`, `sent_at` and `held_until` are present with `include=outcome` and if the list is filtered by state or reason; without these, `state` and `reason` are on alerts that a limit of their rule held back',
});

/** One alert, with the decision about each channel. */
export const alertWithDecisionsSchema = alertFields
  .extend({ ...outcomeFields, decisions: z.array(dispositionSchema) })
  .meta({ id: 'AlertWithDecisions' });

const listQuerySchema = z.strictObject({
  ...pageParams,
  ...aboutParams,
  tag: tagSchema
    .optional()
    .meta({ description: 'Only those of watches that have this tag now; not of deleted watches' }),
  channel_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only those that this channel was to get when they fired' }),
  delivery_id: z.string().max(100).optional().meta({
    description: 'Only those of this delivery; receivers of webhooks get its id as webhook-id',
  }),
  untold: z
    .string()
    .regex(untoldPattern, 'must be copied from the `more_url` of a webhook')
    .optional()
    .meta({
      description:
        'Beside `delivery_id`, as the `more_url` of a webhook has it: only those that the message had no room for',
    }),
  include: z
    .literal('outcome')
    .optional()
    .meta({ description: 'outcome: what became of each alert, with the times' }),
  state: outcomeFields.state.optional(),
  reason: z.string().max(100).optional().meta({ description: 'A `reason` as alerts have it' }),
});

/**
 * Rows that one request reads at once, and in total. An alert's state takes further reads: of its decisions
 * and its deliveries.
 */
const ofRows = { rowsAtOnce: 250, mostRows: 1_000 };
const ofStates = { rowsAtOnce: 50, mostRows: 300 };

/** list, get. */
export function alertOperations({ stores }: ApiDeps): Operation[] {
  const zoneOf = async (ownerId: string) =>
    hearingTimesOf(await stores.access.findOwner(ownerId)).timeZone;
  const list = defineOperation({
    method: 'get',
    path: '/v1/alerts',
    tag,
    summary: 'List alerts',
    description: `All alerts, sent or not, newest first. Filters are joined by “and”. They look at the owner’s alerts from the newest on: one request looks at ${groupThousands(ofRows.mostRows)} alerts, with \`state\` or \`reason\` at ${ofStates.mostRows}. If it finds fewer than \`limit\`, even none, read on while has_more is true. \`since\` and \`before\` are about \`fired_at\` and skip all other alerts. A cursor continues its own filters only.`,
    access: 'read',
    query: listQuerySchema,
    answer: {
      status: 200,
      description: 'Newest first',
      schema: pageSchema('Alerts', alertJsonSchema, {
        damaged: z.array(damagedAlertSchema).meta({ description: damagedWords }),
      }),
    },
    refusals: [404],
    handle: async ({ ownerId, query, now }) => {
      requireRange(query);
      const mark = filterMark({ ...query, include: undefined });
      const request = pageRequest(query, /^\S+Z#alt_\S+$/, mark);
      const timeZone = await zoneOf(ownerId);
      const isFiltered = query.state !== undefined || query.reason !== undefined;
      const needsOutcome = isFiltered || query.include !== undefined;
      const isTagged = await taggedWith(query.tag, { stores, ownerId });
      const whole = async (alert: Alert) => {
        if (isExpired(alert, now) || !isAbout(alert, query) || !isTagged(alert)) return undefined;
        if (!needsOutcome) return { ...alertJson(alert, timeZone), ...silence(alert) };
        const outcome = await readOutcome(stores, alert);
        if (!isWanted(outcome, query)) return undefined;
        return { ...alertJson(alert, timeZone), ...outcomeJson(outcome) };
      };
      const damaged = (alert: Partial<Alert>, names: string[]) =>
        mayBeAbout(alert, query) && isTagged(alert) && !isExpired(alert, now)
          ? damagedAlertJson(alert, names)
          : undefined;
      const list = await listOf(query, { stores, ownerId, now });
      const page = await filteredPage(list, request, {
        ...query,
        ...boundsOf(mark, needsOutcome ? ofStates : ofRows, request),
        keep: (row) => showRow(row, { whole, damaged }),
      });
      return { body: splitPageJson(page, mark) };
    },
  });
  const get = defineOperation({
    method: 'get',
    path: '/v1/alerts/{id}',
    tag,
    summary: 'One alert, the decision for each channel, and its deliveries',
    description:
      'The numbers are those of the moment when the rule fired. Each decision says why its channel got the alert, or why not.',
    access: 'read',
    params,
    refusals: [409],
    answer: { status: 200, description: 'It', schema: alertWithDecisionsSchema },
    handle: async ({ ownerId, params: { id }, now }) => {
      const alert = await readWholeAlert(stores, id, { ownerId, now });
      const [outcome, timeZone] = await Promise.all([readOutcome(stores, alert), zoneOf(ownerId)]);
      return {
        body: {
          ...alertJson(alert, timeZone),
          ...outcomeJson(outcome),
          decisions: outcome.decisions.map(decisionJson),
        },
      };
    },
  });
  return [list, get];
}

type ListQuery = z.infer<typeof listQuerySchema>;

/** The rows to look at: all alerts of the owner, or those of one delivery. */
async function listOf(
  { delivery_id: deliveryId, untold }: ListQuery,
  { stores, ownerId, now }: Pick<ApiDeps, 'stores'> & { ownerId: string; now: number },
) {
  if (deliveryId !== undefined) {
    return listAlertsOfDelivery(stores, { deliveryId, untold, ownerId, now });
  }
  if (untold === undefined) return (page: PageRequest) => stores.alerts.listWhole(ownerId, page);
  throw invalidFaults([{ pointer: '#/untold', detail: 'must come with `delivery_id`' }]);
}

/** Whether the alert itself passes the filters; its state is not part of it. */
function isAbout(
  alert: Pick<Alert, 'watchId' | 'eventId' | 'channelIds'>,
  { watch_id: watchId, event_id: eventId, channel_id: channelId }: ListQuery,
): boolean {
  if (channelId !== undefined && !alert.channelIds.includes(channelId)) return false;
  return isOf(alert, { watchId, eventId });
}

/** Whether a damaged alert can pass the filters: a field that can't be read may be the one asked for. */
function mayBeAbout(alert: Partial<Alert>, query: ListQuery): boolean {
  const { watch_id: watchId = '', event_id: eventId = 0, channel_id: channelId } = query;
  const channelIds = channelId === undefined ? [] : [channelId];
  return isAbout({ watchId, eventId, channelIds, ...alert }, query);
}

function isWanted(
  outcome: Pick<AlertOutcome, 'state' | 'reason'>,
  { state = outcome.state, reason }: ListQuery,
): boolean {
  return outcome.state === state && (reason === undefined || outcome.reason === reason);
}

/** The outcome that the alert itself records. */
function silence({ unsentReason }: Alert) {
  return unsentReason && ({ state: 'unsent', reason: unsentReason } as const);
}

/** Ages are relative to when the alert fired, so that every request gets the same answer. */
function alertJson(alert: Alert, timeZone: string): z.infer<typeof alertFields> {
  const message = composeMessage(alert, { now: alert.firedAt, timeZone });
  const { watch_url, tickets_url, chart_url, moves, ...payload } = alertPayload(alert, message);
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
