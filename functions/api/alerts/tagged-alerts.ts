// The filter of a list of alerts by a tag of their watches.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Stores } from '#shared/dynamo/stores.ts';

/** Whether an alert is of a watch that has a tag now; a damaged alert whose watch can't be read may be. */
export async function taggedWith(
  tag: string | undefined,
  { stores, ownerId }: { stores: Pick<Stores, 'watches'>; ownerId: string },
): Promise<(alert: Pick<Partial<Alert>, 'watchId'>) => boolean> {
  if (tag === undefined) return () => true;
  const watches = await stores.watches.listAll(ownerId);
  const having = watches.filter(({ tags = [] }) => tags.includes(tag));
  const ids = new Set(having.map(({ watchId }) => watchId));
  return ({ watchId }) => watchId === undefined || ids.has(watchId);
}
