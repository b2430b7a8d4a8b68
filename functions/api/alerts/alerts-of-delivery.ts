// The alerts of one delivery as a list with pages, in the order of the list of all alerts.
import type { Alert } from '#shared/alerts/alert.ts';
import { readUntoldMark } from '#shared/delivery/message/untold-alerts.ts';
import type { ListedRow, OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { isExpired } from '#shared/retention.ts';
import { invalidFaults, notFound } from '../problem.ts';

interface Wanted {
  deliveryId: string;
  /** Marks the alerts that the message had no room for; undefined for all. */
  untold: string | undefined;
  ownerId: string;
  /** Epoch milliseconds. */
  now: number;
}

type ListAlerts = (page: PageRequest) => Promise<OwnedPage<ListedRow<Alert>>>;

/**
 * Reads the delivery and its alerts once; a delivery has at most 500.
 * @throws ProblemError for another owner's delivery, and for a mark that is not of these alerts.
 */
export async function listAlertsOfDelivery(
  { alerts, deliveries }: Pick<Stores, 'alerts' | 'deliveries'>,
  { deliveryId, untold, ownerId, now }: Wanted,
): Promise<ListAlerts> {
  const found = await deliveries.findPartly(deliveryId);
  const delivery = found && ('delivery' in found ? found.delivery : found.unreadable.readable);
  if (delivery?.ownerId !== ownerId || isExpired(delivery, now)) throw notFound('delivery');
  const all = [...(delivery.alertIds ?? [])];
  const ids = untold === undefined ? all : readUntoldMark(untold, all);
  if (ids === undefined) throw foreignMark();
  const read = await Promise.all(ids.map(alerts.findPartly));
  const rows = read
    .flatMap((row) => (row ? [rowOf(row)] : []))
    .sort((a, b) => (a.ownerSort > b.ownerSort ? -1 : 1));
  return async ({ limit, after }) => {
    const left = after === undefined ? rows : rows.filter(({ ownerSort }) => ownerSort < after);
    const shown = left.slice(0, limit);
    const last = shown.at(-1);
    return { rows: shown, ...(last && shown.length < left.length && { next: last.ownerSort }) };
  };
}

type Found = NonNullable<Awaited<ReturnType<Stores['alerts']['findPartly']>>>;

/** The row with its place in the list of all alerts; a damaged time is the oldest. */
function rowOf(found: Found): ListedRow<Alert> {
  if ('alert' in found) return { row: found.alert, ownerSort: placeOf(found.alert) };
  return { unreadable: found.unreadable, ownerSort: placeOf(found.unreadable.readable) };
}

function placeOf({ firedAt = 0, alertId = '' }: Partial<Alert>): string {
  return `${new Date(firedAt).toISOString()}#${alertId}`;
}

function foreignMark() {
  const detail =
    'is not of this delivery as it is now; without it the list has all alerts of the delivery';
  return invalidFaults([{ pointer: '#/untold', detail }]);
}
