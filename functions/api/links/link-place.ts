// What a link in a message is about: a channel, or an alert on a channel.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import type { Link, OwnLink } from '#shared/delivery/links.ts';
import { isExpired } from '#shared/retention.ts';
import { isStorableId } from '#shared/watchlist/id.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { unlessDamaged } from '../watches/unless-damaged.ts';

/** The target of a link to a channel's own page. */
export interface ChannelPlace {
  link: OwnLink;
  channel: Channel;
  /** The watch that the message was about, if it exists and belongs to the channel's owner. */
  watch: Watch | undefined;
}

/** The target of an alert's link. */
export interface AlertPlace {
  alert: Alert;
  channel: Channel;
  /** The time zone of the channel's owner, for the times on the page. */
  timeZone: string;
}

export type Place = ChannelPlace | AlertPlace;

type FindDeps = Pick<ApiDeps, 'stores' | 'links' | 'now'>;

/**
 * @param watchId from the link's address.
 * @returns undefined for a link that is not valid, or that is the address of a picture; `deleted` if its channel
 *   is gone, or everything of its owner is being deleted.
 */
export async function findPlace(
  deps: FindDeps,
  token: string,
  watchId: string | undefined,
): Promise<Place | 'deleted' | undefined> {
  const { stores, links, now } = deps;
  const link = await links.read(token, now());
  if (!link || !hasPage(link)) return undefined;
  const channel = await stores.channels.find(link.channelId);
  if (!channel) return 'deleted';
  if ('alertId' in link) return findAlertPlace(deps, channel, link.alertId);
  const isId = watchId !== undefined && watchId !== '' && isStorableId(watchId);
  // The page of a channel must work, whatever is the matter with a watch.
  const watch = isId ? await unlessDamaged(stores.watches.find(watchId)) : undefined;
  const isTheirs = watch?.ownerId === channel.ownerId && watch.removedAt === undefined;
  return { link, channel, watch: isTheirs ? watch : undefined };
}

/** A chart's link is the address of a picture. */
function hasPage(link: Link): boolean {
  return link.action !== 'chart';
}

/** An alert that was deleted is not told apart from one that never was. */
async function findAlertPlace(
  { stores, now }: FindDeps,
  channel: Channel,
  alertId: string,
): Promise<AlertPlace | 'deleted' | undefined> {
  const { ownerId } = channel;
  const [alert, owner] = await Promise.all([
    isStorableId(alertId) ? unlessDamaged(stores.alerts.find(alertId)) : undefined,
    stores.access.findOwner(ownerId),
  ]);
  if (owner?.deletion) return 'deleted';
  if (alert?.ownerId !== ownerId || isExpired(alert, now())) return undefined;
  return { alert, channel, timeZone: hearingTimesOf(owner).timeZone };
}
