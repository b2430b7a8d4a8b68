// The newest alerts of an owner with their words, for the views that list them.
import type { Alert } from '#shared/alerts/alert.ts';
import { type AlertMessage, composeMessage } from '#shared/delivery/message/message.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { isExpired } from '#shared/retention.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';

export interface WordedAlert {
  alert: Alert;
  message: AlertMessage;
}

/** @returns at most `limit`, the newest first; damaged and expired alerts are left out. `now` is epoch milliseconds. */
export async function recentAlerts(
  { alerts, access }: Pick<Stores, 'alerts' | 'access'>,
  ownerId: string,
  { limit, now }: { limit: number; now: number },
): Promise<WordedAlert[]> {
  const [page, owner] = await Promise.all([
    alerts.list(ownerId, { limit }),
    access.findOwner(ownerId),
  ]);
  const { timeZone } = hearingTimesOf(owner);
  const kept = page.rows.filter((alert) => !isExpired(alert, now));
  return kept.map((alert) => ({
    alert,
    message: composeMessage(alert, { now: alert.firedAt, timeZone }),
  }));
}
