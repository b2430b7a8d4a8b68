// The newest alerts of an owner with their words, for the views that list them.
import type { Alert } from '#shared/alerts/alert.ts';
import { type AlertMessage, composeMessage } from '#shared/delivery/message/message.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';

export interface WordedAlert {
  alert: Alert;
  message: AlertMessage;
}

/** @returns at most `limit`, the newest first; a damaged alert is left out. */
export async function recentAlerts(
  { alerts, access }: Pick<Stores, 'alerts' | 'access'>,
  ownerId: string,
  limit: number,
): Promise<WordedAlert[]> {
  const [page, owner] = await Promise.all([
    alerts.list(ownerId, { limit }),
    access.findOwner(ownerId),
  ]);
  const { timeZone } = hearingTimesOf(owner);
  return page.rows.map((alert) => ({
    alert,
    message: composeMessage(alert, { now: alert.firedAt, timeZone }),
  }));
}
