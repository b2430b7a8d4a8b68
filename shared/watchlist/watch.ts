// A watch: one owner's rules on one event, and the channels that get their alerts.
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { feedKindOf } from '#shared/rules/series.ts';
import { seriesAskedFor } from '#shared/rules/trigger.ts';
import type { ChangedBy } from './changed-by.ts';
import type { SetAside } from './set-aside.ts';

export const watchStatuses = ['active', 'paused', 'ended'] as const;

/** A rule of a watch, with the id that its triggers and alerts use. */
export interface WatchRule {
  ruleId: string;
  rule: Rule;
  /** The triggers that the rule compiled to. */
  triggerIds: string[];
}

/** A feed that a watch needs, and the watch's latency. */
export interface WantedFeed {
  kind: FeedKind;
  latencySeconds: number;
}

/**
 * What is left to clean up after a change of a watch: the feeds that it wanted before, and the triggers that
 * it no longer has.
 */
export interface Unsettled {
  feeds: WantedFeed[];
  triggerIds: string[];
}

/** The settings that may come from the owner's defaults. */
export const inheritableSettings = ['channels', 'latency_seconds'] as const;
export type InheritableSetting = (typeof inheritableSettings)[number];

/** That the owner bought a ticket, as told by a link in a message about an alert. It ends the watch. */
export interface Bought {
  /** Epoch milliseconds. */
  at: number;
  /** The alert whose message had the link. */
  alertId: string;
  /** The price of one ticket, integer cents; absent if it was not told. */
  paidCents?: number | undefined;
  /** The status that the watch has again after an undo. */
  statusBefore: 'active' | 'paused';
}

/** Whether a stored value says that a ticket was bought. */
export function isBought(value: unknown): value is Bought {
  if (typeof value !== 'object' || value === null) return false;
  const { at, alertId, paidCents = 1, statusBefore } = value as Partial<Bought>;
  const isTold = Number.isSafeInteger(at) && typeof alertId === 'string';
  const isPrice = Number.isSafeInteger(paidCents) && paidCents > 0;
  return isTold && isPrice && (statusBefore === 'active' || statusBefore === 'paused');
}

/** One owner's rules on one event, and the channels for their alerts. */
export interface Watch {
  watchId: string;
  ownerId: string;
  eventId: number;
  name?: string | undefined;
  tags?: string[] | undefined;
  rules: WatchRule[];
  channelIds: string[];
  /** The channel for alerts that one of its channels can't take; it wins over that channel's own fallback. */
  fallbackChannelId?: string | undefined;
  /** A watch that ended with its event has another status here; current-status.ts computes that end. */
  status: (typeof watchStatuses)[number];
  /** Present only on a watch that ended because of it. */
  bought?: Bought | undefined;
  /** Its alerts are recorded but not sent before this time, epoch milliseconds. */
  snoozedUntil?: number | undefined;
  latencySeconds: number;
  /** The event's shard that its triggers are in (event-shards.ts); absent for the first. */
  shard?: number | undefined;
  /** The settings that come from the owner's defaults and follow their changes. */
  inherits?: InheritableSetting[] | undefined;
  unsettled?: Unsettled;
  /** Permanent faults: of its triggers by trigger id, of its unreadable attributes by attribute name. */
  setAside?: Record<string, SetAside> | undefined;
  /**
   * When the watch was removed, ISO 8601. It is in its owner's list of deleted watches and can be restored for
   * `restorableMs`. Until then its triggers stay with their state, and raise nothing.
   */
  removedAt?: string | undefined;
  /** The status that a removed watch has again when it is restored. */
  statusWhenRemoved?: (typeof watchStatuses)[number] | undefined;
  /** Grows with every change; every write is conditional on the version that it read. */
  version: number;
  /** ISO 8601, like `updatedAt`, which is when this version was made. */
  createdAt: string;
  updatedAt: string;
  /** Who made this version; absent for versions from before it was recorded. */
  changedBy?: ChangedBy;
}

/** The feeds that a watch needs now; none while it is paused, ended or removed. */
export function feedsWantedBy(
  watch: Pick<Watch, 'status' | 'removedAt' | 'rules' | 'latencySeconds'>,
): WantedFeed[] {
  if (watch.status !== 'active' || watch.removedAt !== undefined) return [];
  const specs = watch.rules.flatMap(({ rule }) => compileRule(rule));
  const series = specs.flatMap((spec) => [...seriesAskedFor(spec)]);
  return [...new Set(series.map(feedKindOf))].map((kind) => ({
    kind,
    latencySeconds: watch.latencySeconds,
  }));
}

/** The evaluation of a feed that matches the watch's triggers. */
export function evaluationOf({ eventId, shard }: Pick<Watch, 'eventId' | 'shard'>, kind: FeedKind) {
  return { eventId, kind, ...(shard !== undefined && { shard }) };
}
