// The page of a link: what is true now, and what can be done about it.
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { suppressionWords } from '#shared/delivery/suppression.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { everyWatch } from '#shared/watchlist/channel.ts';
import type { ApiDeps } from '../api-deps.ts';
import { factsLine, type LinkPage, placeLine } from './link-page.ts';
import type { Place } from './link-place.ts';
import { notConfirmable, presses } from './link-presses.ts';

/** Changes nothing. */
export async function pageOf(
  { stores, now }: Pick<ApiDeps, 'stores' | 'now'>,
  place: Place,
): Promise<LinkPage> {
  const { link, channel, watch } = place;
  if (link.action === 'confirm') {
    if (channel.status === 'active') {
      return { title: 'This is confirmed already', lines: [placeLine(channel)], presses: [] };
    }
    if (channel.status !== 'unverified') return notConfirmable;
    return { title: 'Price alerts here?', lines: [placeLine(channel)], presses: [presses.confirm] };
  }
  const suppression = await suppressionOf({ findSuppression: stores.suppressions.find }, channel);
  if (suppression && channel.status !== 'unverified') {
    const line = `No mail is sent to this address, because ${suppressionWords(suppression)}.`;
    return { title: 'Mail is blocked', lines: [line], presses: [presses.lift] };
  }
  if (channel.status === 'unsubscribed') {
    const lines = [`No more messages are sent to your ${nameText(channelTitle(channel))}.`];
    return { title: 'Stopped', lines, presses: [presses.resumeAll] };
  }
  if ((channel.watchesSilentUntil[everyWatch] ?? 0) > now()) {
    const lines = [`Alerts to your ${nameText(channelTitle(channel))} are snoozed.`];
    return { title: 'Snoozed', lines, presses: [presses.unsnoozeAll, presses.stopAll] };
  }
  if (!watch) {
    const lines = [placeLine(channel)];
    return { title: 'Your alerts', lines, presses: [presses.snoozeAll, presses.stopAll] };
  }
  const facts = await stores.eventFacts.find(watch.eventId);
  const isSilent = (channel.watchesSilentUntil[watch.watchId] ?? 0) > now();
  return {
    title: nameText(watch.name ?? facts?.name ?? `Event ${watch.eventId}`),
    lines: [
      ...(facts ? [factsLine(facts)] : []),
      ...watch.rules.map(({ rule }) => nameText(ruleSentence(rule), 1_000)),
      placeLine(channel),
    ],
    presses: isSilent
      ? [presses.resumeWatch, presses.stopAll]
      : [presses.snooze, presses.snoozeAll, presses.stopWatch, presses.stopAll],
  };
}
