// What keeps a watch from doing what its owner counts on, in words: one plain sentence each.
import type { Feed } from '#shared/polling/feed.ts';
import { judgeFeed } from '#shared/polling/health.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import {
  eventNotFoundText,
  eventPastText,
  marketplaceDownText,
  pausedText,
  unwellText,
} from '#shared/polling/notice-texts.ts';
import type { Channel, ChannelStatus } from '#shared/watchlist/channel.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { PresentState } from './present-state.ts';

interface Circumstances {
  watch: Watch;
  present: PresentState;
  feeds: readonly Feed[];
  market: MarketState;
  /** In the order of the watch's channels; undefined where one is gone. */
  channels: readonly (Channel | undefined)[];
  facts: EventFacts | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** Every trouble, the ones that concern the watch alone first; one that has ended has no other. */
export function troublesOf(circumstances: Circumstances): string[] {
  const { watch, facts } = circumstances;
  if (watch.status === 'ended') return [titled(eventPastText(eventNameOf(watch, facts)))];
  return [
    ...stateTroubles(circumstances),
    ...channelTroubles(circumstances),
    ...zoneTroubles(circumstances),
    ...feedTroubles(circumstances),
    ...marketTroubles(circumstances.market),
  ];
}

function stateTroubles({ watch, now }: Circumstances): string[] {
  const troubles: string[] = [];
  if (watch.status === 'paused') {
    troubles.push(
      'It is paused: nothing is polled for it, and no alert is raised until it is resumed.',
    );
  }
  if (watch.snoozedUntil !== undefined && watch.snoozedUntil > now) {
    const until = new Date(watch.snoozedUntil).toISOString();
    troubles.push(`It is snoozed: its alerts are recorded and not sent until ${until}.`);
  }
  return troubles;
}

const channelWords: Record<Exclude<ChannelStatus, 'active'>, string> = {
  unverified: 'its address has not been confirmed yet, so nothing is sent to it',
  disabled: 'it is switched off, so nothing is sent to it',
  unsubscribed: 'its reader has unsubscribed, so nothing is sent to it',
};

function channelTroubles({ watch, channels }: Circumstances): string[] {
  return channels.flatMap((channel, index) => {
    const id = watch.channelIds[index];
    if (channel?.ownerId !== watch.ownerId) return [`Channel ${id}: it has been deleted.`];
    return channel.status === 'active' ? [] : [`Channel ${id}: ${channelWords[channel.status]}.`];
  });
}

/** A zone without listings is not in the stats; neither is one that was renamed. */
function zoneTroubles({ watch, present }: Circumstances): string[] {
  const { zones } = present;
  if (!zones) return [];
  const named = watch.rules.flatMap(({ rule }) =>
    'zone' in rule && rule.zone !== undefined ? [rule.zone] : [],
  );
  return [...new Set(named)]
    .filter((zone) => !zones.includes(zone))
    .map((zone) => `Zone "${zone}" has no listing just now, or the event has it no longer.`);
}

function feedTroubles({ watch, feeds, facts, now }: Circumstances): string[] {
  const eventName = eventNameOf(watch, facts);
  return feeds.flatMap((feed) => {
    if (feed.status === 'not_found') return [titled(eventNotFoundText(eventName))];
    if (feed.status === 'ended') return [titled(eventPastText(eventName))];
    if (feed.status !== 'active') return [];
    const health = judgeFeed(feed, now);
    if (health.kind !== 'well') return [titled(unwellText(feed.kind, eventName, health))];
    if (feed.nextReason !== 'stretched_by_budget') return [];
    return [
      'Polling is stretched to stay within the pull budget: alerts may come later than wished.',
    ];
  });
}

function marketTroubles({ pause, openUntil }: MarketState): string[] {
  if (pause) return [titled(pausedText(pause.reason, {}))];
  return openUntil === undefined ? [] : [titled(marketplaceDownText)];
}

function eventNameOf({ eventId }: Watch, facts: EventFacts | undefined): string {
  return facts?.name ?? `Event ${eventId}`;
}

function titled({ title, text }: { title: string; text: string }): string {
  return `${title}. ${text}`;
}
