// The page that lists the newest alerts of a channel, for those that a message had no room for.
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { momentText } from '#shared/delivery/message/figures.ts';
import type { AlertMessage } from '#shared/delivery/message/message.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import type { ApiDeps } from '../api-deps.ts';
import { recentAlerts } from '../published/recent-alerts.ts';
import type { LinkPage, PageEntry } from './link-page.ts';

/** The newest alerts of the owner that are looked through, and the most that are listed. */
const alertsRead = 500;
const mostListed = 100;

/** What `do` names in the address of the list. */
export const listAct = 'alerts';

/** Each alert leads to its own page. */
export async function alertListPage(
  { stores, links, now }: Pick<ApiDeps, 'stores' | 'links' | 'now'>,
  channel: Channel,
): Promise<LinkPage> {
  const { ownerId, channelId } = channel;
  const alertLinks = createAlertLinks(await links.manageUrl(channelId));
  const owner = await stores.access.findOwner(ownerId);
  const { timeZone } = hearingTimesOf(owner);
  const rows = await recentAlerts(stores, ownerId, { limit: alertsRead, now: now() });
  const own = rows.filter(({ alert }) => alert.channelIds.includes(channelId));
  const entries = own.slice(0, mostListed).flatMap(({ alert, message }) => {
    const url = alertLinks?.pageUrl(alert.alertId);
    const at = momentText(alert.observedAt, timeZone);
    return url === undefined ? [] : [{ ...entryOf(message), at, url }];
  });
  const isWhole = own.length <= mostListed && rows.length < alertsRead;
  const lines = [lineOf(nameText(channelTitle(channel)), entries.length, isWhole)];
  return { title: 'The newest alerts here', lines, presses: [], entries };
}

/** The words of a digest's line: the price first, in the colour of where it went. */
function entryOf({ lead, place, way, isRecovery }: AlertMessage): Omit<PageEntry, 'at' | 'url'> {
  const look = isRecovery || way === undefined ? undefined : way === 'down' ? 'fall' : 'rise';
  return { lead, look, text: place };
}

/** What the list has, and whether there is more than it shows. @param place the channel's title */
function lineOf(place: string, listed: number, isWhole: boolean): string {
  const older = isWhole ? '' : ' Older ones are not listed here.';
  if (listed === 0) return `There are no alerts for your ${place} yet.${older}`;
  return `Alerts for your ${place}, the newest first.${older}`;
}
