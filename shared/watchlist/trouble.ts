// Finds the troubles of a watch from plain data: the stored watch, its channels, its feeds and the market go
// in; troubles with code and text come out.
import { zonesOf } from '#shared/rules/language/zone-names.ts';
import { type ChannelStatus, forever, silentUntil } from './channel.ts';
import type { SetAside } from './set-aside.ts';
import { type Trouble, type TroubleCode, trouble } from './trouble-table.ts';
import type { Watch } from './watch.ts';

/** The facts of a channel; `watchesSilentUntil` is by watch id, epoch milliseconds. */
interface KnownChannel {
  ownerId: string;
  status: ChannelStatus;
  disabledReason?: string | undefined;
  watchesSilentUntil: Record<string, number>;
}

/** A channel of a watch, and its condition. Times are epoch milliseconds. */
export interface ChannelCondition {
  channelId: string;
  /** Undefined if it was deleted. */
  channel: KnownChannel | undefined;
  /** The failures since its last success; undefined if there are none. */
  failing?: { failures: number; since: number; reason: string } | undefined;
  /** Present if the address is blocked; `words` is the reason, as the end of a sentence. */
  suppressed?: { since: number; words: string } | undefined;
}

/** A feed that a watch needs, and its condition. */
export interface FeedCondition {
  /** The name of its data, such as "price data", and whether the name is a plural. */
  name: string;
  isPlural?: boolean;
  state: 'well' | 'failing' | 'stale' | 'idle' | 'not_found' | 'ended';
  failures?: number;
  quietHours?: number;
  isStretched?: boolean;
  /** When it should have been polled; undefined unless it is far overdue. */
  overdueSince?: number | undefined;
  /** The time of the newest snapshot if it has waited too long for evaluation. */
  behindSince?: number | undefined;
  /** Since when the market has not known the event, while the poll still checks this again. */
  missingSince?: number | undefined;
  /** It was polled, and the market has never had data for it. */
  isEmpty?: boolean;
  setAside: readonly SetAside[];
}

/** Why a rule's own settings stop its alerts; both reasons absent if they don't. */
export interface SilentRule {
  /** The rule as a sentence. */
  rule: string;
  /** When it expired. */
  expiredAt?: number | undefined;
  /** It waits for the days before the event, but the event's start is unknown. */
  needsStart?: boolean;
}

export interface Circumstances {
  watch: Pick<Watch, 'ownerId' | 'watchId' | 'status' | 'bought' | 'snoozedUntil' | 'rules'>;
  eventName: string;
  /** In the watch's order. */
  channels: readonly ChannelCondition[];
  /** The watch's own fallback channel, and those of its channels. */
  fallbacks: readonly ChannelCondition[];
  /** The event's zones as named in its newest stats; undefined without stats. */
  zones: readonly string[] | undefined;
  feeds: readonly FeedCondition[];
  market: { pausedBecause: string | undefined; isDown: boolean };
  /** Faults set aside on the watch itself, and on its rules with each rule in words. */
  watchFaults: readonly SetAside[];
  ruleFaults: readonly { rule: string; fault: SetAside }[];
  /** Rules that their own settings silence. */
  silentRules: readonly SilentRule[];
  /** The kinds of stored items that can't be read, such as "feed". */
  unreadable: readonly string[];
  /** Epoch milliseconds. */
  now: number;
}

/** All troubles, those of the watch itself first. An ended watch has only the reason of its end. */
export function troublesOf(circumstances: Circumstances): Trouble[] {
  const { watch, eventName } = circumstances;
  if (watch.status === 'ended') {
    return [trouble(watch.bought ? 'bought' : 'event_over', { event: eventName })];
  }
  return [
    ...stateTroubles(circumstances),
    ...channelTroubles(circumstances),
    ...ruleTroubles(circumstances),
    ...zoneTroubles(circumstances),
    ...circumstances.feeds.flatMap((feed) => feedTroubles(feed, circumstances)),
    ...marketTroubles(circumstances),
  ];
}

function stateTroubles({ watch, watchFaults, now }: Circumstances): Trouble[] {
  const { status, snoozedUntil = 0 } = watch;
  return [
    ...(status === 'paused' ? [trouble('paused')] : []),
    ...(snoozedUntil > now ? [trouble('snoozed', { until: iso(snoozedUntil) })] : []),
    ...watchFaults.map((fault) => trouble('watch_set_aside', faultDetails(fault))),
  ];
}

type Reach = Pick<Circumstances, 'channels' | 'fallbacks' | 'now'> & {
  watch: Pick<Watch, 'ownerId' | 'watchId'>;
};

/** Whether a watch has no channel that works now. */
export function reachesNobody(reach: Reach): boolean {
  return channelTroubles(reach).some(({ code }) => code === 'no_usable_channel');
}

function channelTroubles(circumstances: Reach): Trouble[] {
  const { channels, fallbacks } = circumstances;
  const each = channels.map((condition) => channelTroubleOf(condition, circumstances));
  const found = each.filter((one) => one !== undefined);
  if (found.length < channels.length) return found;
  const isTakenOver =
    found.some(({ code }) => takenOver.has(code)) &&
    fallbacks.some((fallback) => channelTroubleOf(fallback, circumstances) === undefined);
  return isTakenOver ? found : [trouble('no_usable_channel'), ...found];
}

/** Troubles that a fallback channel replaces. Not an unsubscription: its reader wants no other message. */
const takenOver: ReadonlySet<TroubleCode> = new Set([
  'channel_disabled',
  'channel_suppressed',
  'channel_failing',
]);

const statusCodes = {
  unverified: 'channel_unverified',
  disabled: 'channel_disabled',
  unsubscribed: 'channel_unsubscribed',
} as const satisfies Record<Exclude<ChannelStatus, 'active'>, TroubleCode>;

/** The first trouble that stops the watch's alerts on a channel; undefined if the channel works. */
function channelTroubleOf(
  { channelId: id, channel, suppressed, failing }: ChannelCondition,
  { watch, now }: Pick<Reach, 'watch' | 'now'>,
): Trouble | undefined {
  if (channel?.ownerId !== watch.ownerId) return trouble('channel_deleted', { channel: id });
  if (suppressed) {
    const { since, words } = suppressed;
    return trouble('channel_suppressed', { channel: id, since: iso(since), reason: words });
  }
  if (channel.status !== 'active') {
    const reason = channel.disabledReason ?? 'by_owner';
    return trouble(statusCodes[channel.status], { channel: id, reason });
  }
  const mutedUntil = silentUntil(channel, watch.watchId);
  if (mutedUntil > now) {
    const until = mutedUntil >= forever ? 'for good' : `until ${iso(mutedUntil)}`;
    return trouble('channel_muted', { channel: id, until });
  }
  if (!failing) return undefined;
  const { failures, since, reason } = failing;
  return trouble('channel_failing', { channel: id, failures, since: iso(since), reason });
}

function ruleTroubles({ ruleFaults, silentRules, unreadable, eventName }: Circumstances) {
  return [
    ...silentRules.flatMap(({ rule, expiredAt, needsStart }) => [
      ...(expiredAt === undefined ? [] : [trouble('rule_expired', { rule, at: iso(expiredAt) })]),
      ...(needsStart ? [trouble('start_unknown', { rule, event: eventName })] : []),
    ]),
    ...ruleFaults.map(({ rule, fault }) =>
      trouble('rule_set_aside', { rule, ...faultDetails(fault) }),
    ),
    ...[...new Set(unreadable)].map((what) => trouble('stored_item_unreadable', { what })),
  ];
}

/** The stats leave out zones without listings, and renamed zones. */
function zoneTroubles({ watch, zones }: Circumstances): Trouble[] {
  if (!zones) return [];
  const gone = zonesNamedBy(watch).filter((zone) => !zones.includes(zone));
  return gone.map((zone) => trouble('zone_unknown', { zone }));
}

/** The zones in a watch's rules and their conditions, each once. */
export function zonesNamedBy({ rules }: Pick<Watch, 'rules'>): string[] {
  return [...new Set(rules.flatMap(({ rule }) => zonesOf(rule)))];
}

const feedCodes = {
  failing: 'feed_failing',
  stale: 'feed_stale',
  idle: 'feed_idle',
  not_found: 'feed_not_found',
  ended: 'feed_ended',
} as const satisfies Record<Exclude<FeedCondition['state'], 'well'>, TroubleCode>;

function feedTroubles(feed: FeedCondition, circumstances: Circumstances): Trouble[] {
  const { watch, eventName } = circumstances;
  const { name, isPlural = false, state, failures = 0, quietHours = 0, setAside } = feed;
  // Nothing is polled for a paused watch, so an idle feed is not another trouble.
  if (watch.status !== 'active' && state === 'idle') return [];
  const about = { feed: name, event: eventName, ...verbsFor(isPlural) };
  return [
    ...(state === 'well'
      ? []
      : [trouble(feedCodes[state], { ...about, failures, hours: quietHours })]),
    ...setAside.map((fault) => trouble('feed_set_aside', { ...about, ...faultDetails(fault) })),
    ...lateTroubles(feed, about, circumstances),
  ];
}

/** The verb forms for a sentence about a feed's data. */
function verbsFor(isPlural: boolean): { has: string; is: string } {
  return isPlural ? { has: 'have', is: 'are' } : { has: 'has', is: 'is' };
}

/** A trouble of the market already explains an overdue poll, so the overdue poll is left out. */
function lateTroubles(
  { overdueSince, behindSince, isStretched, missingSince, isEmpty }: FeedCondition,
  about: { feed: string; event: string } & ReturnType<typeof verbsFor>,
  circumstances: Circumstances,
): Trouble[] {
  const isExplained = marketTroubles(circumstances).length > 0;
  return [
    ...(missingSince === undefined
      ? []
      : [trouble('feed_missing', { ...about, since: iso(missingSince) })]),
    ...(isEmpty ? [trouble('feed_empty', about)] : []),
    ...(overdueSince === undefined || isExplained
      ? []
      : [trouble('feed_overdue', { ...about, since: iso(overdueSince) })]),
    ...(behindSince === undefined
      ? []
      : [trouble('evaluation_behind', { ...about, since: iso(behindSince) })]),
    ...(isStretched ? [trouble('budget_stretched')] : []),
  ];
}

function marketTroubles({ market: { pausedBecause, isDown } }: Circumstances): Trouble[] {
  if (pausedBecause !== undefined) return [trouble('market_paused', { reason: pausedBecause })];
  return isDown ? [trouble('marketplace_down')] : [];
}

function faultDetails({ reason, since, retryAt }: SetAside) {
  return { reason: reason.replace(/\.$/, ''), since: iso(since), retry_at: iso(retryAt) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
