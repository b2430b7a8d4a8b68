// Deliveries: their state and each attempt.
import * as z from 'zod';
import { type Delivery, deliveryStatuses } from '#shared/delivery/delivery.ts';
import type { PageRequest } from '#shared/dynamo/owner-index.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import { isExpired } from '#shared/retention.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { deliveriesOf } from '../alert-outcome.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createMailLimits } from '../channels/mail-limits.ts';
import { createManageChannels } from '../channels/manage-channels.ts';
import { damagedItem, damagedWords, showRow, splitPageJson } from '../damaged-rows.ts';
import {
  damagedDeliveryJson,
  damagedDeliverySchema,
  deliveryJson,
  deliveryJsonSchema,
  type FindAlert,
  readEventsOf,
} from '../deliveries/delivery-json.ts';
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
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { notFound, problem } from '../problem.ts';
import { once } from '../watches/once.ts';

const tag = 'Deliveries';

const params = z.object({
  id: z.string().meta({ description: 'The delivery’s id', examples: [exampleIds.delivery] }),
});

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
      schema: pageSchema('Deliveries', deliveryJsonSchema, {
        damaged: z.array(damagedDeliverySchema).meta({ description: damagedWords }),
      }),
    },
    refusals: [404],
    handle: async ({ ownerId, query, now }) => {
      requireRange(query);
      const {
        alert_id,
        since = Number.NEGATIVE_INFINITY,
        before = Number.POSITIVE_INFINITY,
      } = query;
      const findAlert = createFindAlert({ stores });
      const whole = async (delivery: Delivery) =>
        !isExpired(delivery, now) && (await isWanted(delivery, query, findAlert))
          ? deliveryJson(delivery, await readEventsOf(delivery, findAlert))
          : undefined;
      if (alert_id !== undefined) {
        const all = await ofAlert({ stores }, alert_id, { ownerId, now });
        const inRange = all.filter(({ createdAt }) => createdAt >= since && createdAt < before);
        const rows = (await Promise.all(inRange.map(whole))).flatMap((delivery) => delivery ?? []);
        return { body: { ...pageJson({ rows }, (row) => row), damaged: [] } };
      }
      const mark = filterMark(query);
      const request = pageRequest(query, /^\S+Z#dlv_\S+$/, mark);
      const needsAlerts = query.watch_id !== undefined || query.event_id !== undefined;
      const damaged = (delivery: Partial<Delivery>, names: string[]) =>
        mayBeWanted(delivery, query) && !isExpired(delivery, now)
          ? damagedDeliveryJson(delivery, names)
          : undefined;
      const list = (wanted: PageRequest) => stores.deliveries.listWhole(ownerId, wanted);
      const page = await filteredPage(list, request, {
        ...query,
        ...boundsOf(mark, needsAlerts ? ofAlerts : ofRows, request),
        keep: (row) => showRow(row, { whole, damaged }),
      });
      return { body: splitPageJson(page, mark) };
    },
  });
}

function getOperation({ stores }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/deliveries/{id}',
    tag,
    summary: 'A delivery with its attempts',
    description: 'Each attempt has its time and the answer of the receiver.',
    access: 'read',
    params,
    refusals: [409],
    answer: { status: 200, description: 'It', schema: deliveryJsonSchema },
    handle: async ({ ownerId, params: { id }, now }) => ({
      body: await namedJson({ stores }, await owned({ stores }, id, { ownerId, now })),
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
      const delivery = await owned(deps, id, { ownerId, now });
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
      return { body: await namedJson(deps, await owned(deps, id, { ownerId, now })) };
    },
  });
}

async function owned(
  { stores }: Pick<ApiDeps, 'stores'>,
  id: string,
  { ownerId, now }: { ownerId: string; now: number },
) {
  const found = await stores.deliveries.findPartly(id);
  const known = found && ('delivery' in found ? found.delivery : found.unreadable.readable);
  if (!found || known?.ownerId !== ownerId || isExpired(known, now)) throw notFound('delivery');
  if ('delivery' in found) return found.delivery;
  throw damagedItem('delivery', found.unreadable.damaged, 'GET /v1/deliveries');
}

/** Each alert is read once, and all that are asked for at once in batches (`gatherReads`). */
function createFindAlert({ stores }: Pick<ApiDeps, 'stores'>): FindAlert {
  return once((id: string) => orMissing(stores.alerts.find(id)));
}

async function namedJson(deps: Pick<ApiDeps, 'stores'>, delivery: Delivery) {
  return deliveryJson(delivery, await readEventsOf(delivery, createFindAlert(deps)));
}

type ListQuery = z.infer<typeof listQuerySchema>;

async function isWanted(
  delivery: Delivery,
  query: ListQuery,
  findAlert: FindAlert,
): Promise<boolean> {
  const { watch_id: watchId, event_id: eventId } = query;
  if (!mayBeWanted(delivery, query)) return false;
  if (watchId === undefined && eventId === undefined) return true;
  const alerts = await Promise.all([...(delivery.alertIds ?? [])].map(findAlert));
  return alerts.some((alert) => alert !== undefined && isOf(alert, { watchId, eventId }));
}

/** Whether the delivery itself passes the filters; a field that can't be read may be the one asked for. */
function mayBeWanted(
  { channelId, status }: Partial<Delivery>,
  { channel_id: ofChannel, status: inStatus }: ListQuery,
): boolean {
  const passes = <Value>(value: Value | undefined, wanted: Value | undefined) =>
    value === undefined || wanted === undefined || value === wanted;
  return passes(channelId, ofChannel) && passes(status, inStatus);
}

/** Every delivery that contains one of the owner's alerts. */
async function ofAlert(
  { stores }: Pick<ApiDeps, 'stores'>,
  alertId: string,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<Delivery[]> {
  const found = await stores.alerts.findPartly(alertId);
  const alert = found && ('alert' in found ? found.alert : found.unreadable.readable);
  if (alert?.ownerId !== ownerId || isExpired(alert, now)) throw notFound('alert');
  return deliveriesOf(stores, alertId);
}
