// One alert of an owner, for answers that need all of it.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { isExpired } from '#shared/retention.ts';
import { damagedItem } from '../damaged-rows.ts';
import { notFound } from '../problem.ts';

/**
 * @param asked the owner who asks, and when (epoch ms).
 * @throws ProblemError for an alert that is missing, another owner's, or damaged.
 */
export async function readWholeAlert(
  { alerts }: Pick<Stores, 'alerts'>,
  alertId: string,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<Alert> {
  const found = await alerts.findPartly(alertId);
  const known = found && ('alert' in found ? found.alert : found.unreadable.readable);
  if (!found || known?.ownerId !== ownerId || isExpired(known, now)) throw notFound('alert');
  if ('alert' in found) return found.alert;
  throw damagedItem('alert', found.unreadable.damaged, 'GET /v1/alerts');
}
