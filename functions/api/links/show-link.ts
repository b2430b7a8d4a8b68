// The page of a link: what is true now, and what can be done about it.
import type { Channel } from '#shared/delivery/channel.ts';
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { eventNameText } from '#shared/delivery/message/event-text.ts';
import { eventDateText } from '#shared/delivery/message/figures.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { suppressionWords } from '#shared/delivery/suppression.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { everyWatch } from '#shared/watchlist/channel.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { LinkPage } from './link-page.ts';
import type { ChannelPlace } from './link-place.ts';
import { notConfirmable, presses } from './link-presses.ts';

/** Changes nothing. */
export async function pageOf(
  { stores, now }: Pick<ApiDeps, 'stores' | 'now'>,
  place: ChannelPlace,
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
  if (channel.status !== 'active') {
    const isNew = channel.status === 'unverified';
    const why = isNew ? 'it is not confirmed yet' : 'it is switched off';
    const lines = [`Nothing is sent to your ${nameText(channelTitle(channel))}: ${why}.`];
    const title = isNew ? 'Not confirmed' : 'Switched off';
    return { title, lines, presses: isNew ? [] : [presses.stopAll] };
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
    title: eventNameText(watch.name ?? facts?.name, watch.eventId),
    subtitle: facts && factsLine(facts, watch.name !== undefined),
    lines: [
      ...watch.rules.map(({ rule }) => nameText(ruleSentence(rule), 1_000)),
      placeLine(channel),
    ],
    presses: isSilent
      ? [presses.resumeWatch, presses.stopAll]
      : [presses.snooze, presses.snoozeAll, presses.stopWatch, presses.stopAll],
  };
}

/** The address that alerts are sent to, in words. */
function placeLine(channel: Channel): string {
  return `Alerts go to your ${nameText(channelTitle(channel))}.`;
}

/** An event's name, unless the title has it, date and place. */
function factsLine(facts: EventFacts, isNamed: boolean): string | undefined {
  const name = isNamed ? nameText(facts.name) : undefined;
  const venue = nameText(facts.venueName ?? '');
  return (
    [name, eventDateText(facts.date, facts.time), venue].filter(Boolean).join(' · ') || undefined
  );
}
