// Adds a watch and all that it needs. The watch itself is written last: until then its
// triggers raise no alerts, so a crash leaves no incomplete watch that alerts.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import { type IdKind, newId } from '#shared/watchlist/id.ts';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import {
  feedsWantedBy,
  type InheritableSetting,
  type NewWatch,
  type Watch,
  type WatchRule,
} from '#shared/watchlist/watch.ts';
import { invalidFaults } from '../problem.ts';
import { watchFaults } from './check-watch.ts';
import type { PresentStateReader } from './present-state.ts';

interface AddWatchDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'triggers' | 'watches' | 'wishes'>;
  presentState: PresentStateReader;
  sendNudges: SendMessages;
}

export interface AddedWatch {
  watch: Watch;
  /** Per rule id: whether it is true at the newest snapshot; null if no snapshot is stored. */
  currentlyTrue: Map<string, boolean | null>;
}

/** The owner, the wanted watch, and the time (epoch ms). A repeated request gets the same ids from `makeId`. */
export interface WantedWatch {
  ownerId: string;
  wanted: NewWatch;
  now: number;
  /** @default new random ids */
  makeId?: (kind: IdKind) => string;
}

export type AddWatch = (wish: WantedWatch) => Promise<AddedWatch>;

/**
 * The use case.
 * @throws ProblemError for a channel of another owner, a zone that the event does not have, or
 * a watch without a channel that would alert.
 */
export function createAddWatch({ stores, presentState, sendNudges }: AddWatchDeps): AddWatch {
  return async function addWatch({ ownerId, wanted, now, makeId = newId }) {
    const watch = await plan(ownerId, wanted, makeId, now);
    const present = await presentState.read(watch.eventId);
    const { channelIds, fallbackChannelId: fallbackId } = watch;
    const checked = { channelIds, fallbackId, rules: wanted.rules, zones: present.zones };
    const faults = await watchFaults(stores.channels, ownerId, checked, now);
    if (faults.length > 0) throw invalidFaults(faults);

    const triggers = watch.rules.map((rule) => triggersOf(watch, rule, now));
    const currentlyTrue = new Map<string, boolean | null>();
    for (const [main] of triggers) {
      if (main) currentlyTrue.set(main.ruleId, await presentState.isTrue(present, main, now));
    }
    const { watchId, eventId } = watch;
    const feeds = feedsWantedBy(watch);
    for (const feed of feeds) await stores.wishes.add({ eventId, watchId, ownerId, ...feed }, now);
    for (const trigger of triggers.flat()) await stores.triggers.create(trigger);
    await stores.watches.create(watch);
    const group = String(eventId);
    await sendNudges(feeds.map(({ kind }) => ({ body: { eventId, kind }, group })));
    return { watch, currentlyTrue };
  };

  async function plan(
    ownerId: string,
    wanted: NewWatch,
    makeId: (kind: IdKind) => string,
    now: number,
  ): Promise<Watch> {
    const { tags = [], channels, latency_seconds: latency, fallback_channel: fallback } = wanted;
    const defaults = defaultsFor(await stores.ownerDefaults.find(ownerId), tags);
    const inherits: InheritableSetting[] = [];
    if (channels === undefined) inherits.push('channels');
    if (latency === undefined) inherits.push('latency_seconds');
    const createdAt = new Date(now).toISOString();
    return {
      watchId: makeId('watch'),
      ownerId,
      eventId: wanted.event_id,
      ...(wanted.name !== undefined && { name: wanted.name }),
      tags,
      rules: wanted.rules.map((rule) => watchRule(rule, makeId)),
      channelIds: [...new Set(channels ?? defaults.channelIds)],
      ...(fallback !== undefined && { fallbackChannelId: fallback }),
      status: 'active',
      latencySeconds: latency ?? defaults.latencySeconds,
      inherits,
      version: 1,
      createdAt,
      updatedAt: createdAt,
    };
  }
}

/** A rule with ids for itself and its triggers. */
export function watchRule(rule: Rule, makeId: (kind: IdKind) => string): WatchRule {
  const triggerIds = compileRule(rule).map(() => makeId('trigger'));
  return { ruleId: makeId('rule'), rule, triggerIds };
}

function triggersOf(watch: Watch, rule: WatchRule, now: number): Trigger[] {
  return triggersWantedBy(watch, rule).map(({ spec, identity }) =>
    createTrigger(spec, identity, now),
  );
}
