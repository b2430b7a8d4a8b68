// Changes a watch: its rules, its channels, its status. The new state is one conditional
// write; feeds and triggers are updated afterwards, by this request or by reconcile.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import type { ApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { type IdKind, newId } from '#shared/watchlist/id.ts';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import {
  feedsWantedBy,
  type InheritableSetting,
  type Unsettled,
  type Watch,
  type WatchChange,
  type WatchRule,
} from '#shared/watchlist/watch.ts';
import { staleVersion } from '../conventions/if-match.ts';
import type { Fault } from '../faults.ts';
import { invalidFaults } from '../problem.ts';
import type { Quotas } from '../quotas.ts';
import { watchRule } from './add-watch.ts';
import { faultsOfChange } from './faults-of-change.ts';
import { questionsOf } from './open-watch.ts';
import type { PresentStateReader } from './present-state.ts';
import { spellRules } from './spell-rules.ts';

interface ChangeWatchDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'watchClaims' | 'watches'>;
  presentState: PresentStateReader;
  applyWatchChange: ApplyWatchChange;
  sendNudges: SendMessages;
  quotas: Quotas;
}

type MakeId = (kind: IdKind) => string;
type WantedRules = NonNullable<WatchChange['rules']>;

/** Changes of watches; each is conditional on the version that was read. */
export function createChangeWatch(deps: ChangeWatchDeps) {
  const { stores, presentState, applyWatchChange, sendNudges, quotas } = deps;

  /** @throws ProblemError when another request changed it since. */
  async function write(watch: Watch, changes: WatchChanges, now: number): Promise<Watch> {
    const updatedAt = new Date(now).toISOString();
    const after = await stores.watches.change(watch, { ...changes, updatedAt }, now);
    if (!after) throw staleVersion();
    if (after.unsettled === undefined) return after;
    await applyWatchChange(after, now);
    await sendNudges(
      feedsWantedBy(after).map(({ kind }) => ({
        body: { eventId: after.eventId, kind },
        group: String(after.eventId),
      })),
    );
    return after;
  }

  async function changesOf(watch: Watch, change: WatchChange, makeId: MakeId) {
    const defaults = await stores.ownerDefaults.find(watch.ownerId);
    const inherited = inherit(watch, change, (tags) => defaultsFor(defaults, tags));
    const zones = change.rules && (await presentState.zones(watch.eventId));
    const rules = change.rules && nextRules(watch, spellRules(change.rules, zones), makeId);
    const changes: WatchChanges = {
      ...inherited,
      ...(change.name !== undefined && { name: change.name ?? undefined }),
      ...(change.tags !== undefined && { tags: change.tags }),
      ...(change.fallback_channel !== undefined && {
        fallbackChannelId: change.fallback_channel ?? undefined,
      }),
      ...(rules && { rules }),
    };
    return {
      ...{ rules, changes, zones },
      isDeep: rules !== undefined || inherited.latencySeconds !== undefined,
    };
  }

  return {
    /** The faults of a change that is not made yet. @throws ProblemError for a rule id that the watch does not have. */
    async faultsOfPatch(watch: Watch, change: WatchChange, now: number): Promise<Fault[]> {
      return faultsOfChange(stores.channels, watch, await changesOf(watch, change, newId), now);
    },

    /** The change that a PATCH asks for. */
    async patch(watch: Watch, change: WatchChange, makeId: MakeId, now: number): Promise<Watch> {
      const planned = await changesOf(watch, change, makeId);
      const faults = await faultsOfChange(stores.channels, watch, planned, now);
      if (faults.length > 0) throw invalidFaults(faults);
      const { rules, changes, isDeep } = planned;
      const moreRules = (rules?.length ?? watch.rules.length) - watch.rules.length;
      await quotas.takeRules(watch.ownerId, Math.max(0, moreRules));
      const unsettled = unsettledAfter(watch, rules ?? watch.rules);
      try {
        const after = await write(watch, { ...changes, ...(isDeep && { unsettled }) }, now);
        await quotas.giveRules(watch.ownerId, Math.max(0, -moreRules));
        return after;
      } catch (error) {
        await quotas.giveRules(watch.ownerId, Math.max(0, moreRules));
        throw error;
      }
    },

    /** Enables or pauses a watch; without effect if it already has that status. */
    async switch(watch: Watch, status: 'active' | 'paused', now: number): Promise<Watch> {
      if (watch.status === status) return watch;
      return write(watch, { status, unsettled: unsettledAfter(watch, watch.rules) }, now);
    },

    /** Holds its alerts back until a time (epoch ms); undefined ends that. */
    snooze: (watch: Watch, until: number | undefined, now: number) =>
      write(watch, { snoozedUntil: until }, now),

    /** Applies the owner's current defaults to the settings that the watch leaves open. */
    async followDefaults(watch: Watch, now: number): Promise<Watch> {
      const defaults = await stores.ownerDefaults.find(watch.ownerId);
      const changes = inherit(watch, {}, (tags) => defaultsFor(defaults, tags), true);
      if (Object.keys(changes).length === 0) return watch;
      const isDeep = changes.latencySeconds !== undefined;
      const unsettled = unsettledAfter(watch, watch.rules);
      return write(watch, { ...changes, ...(isDeep && { unsettled }) }, now);
    },

    /** Removes a watch, its triggers, and its feed subscriptions. */
    async remove(watch: Watch, now: number): Promise<void> {
      await write(
        watch,
        {
          status: 'ended',
          removedAt: new Date(now).toISOString(),
          unsettled: unsettledAfter(watch, []),
        },
        now,
      );
      const { ownerId, watchId } = watch;
      for (const question of questionsOf(watch)) {
        await stores.watchClaims.release({ ownerId, question, watchId });
      }
    },
  };
}

/** What must be updated after a watch gets these rules. */
function unsettledAfter(before: Watch, rules: readonly WatchRule[]): Unsettled {
  const kept = new Set(rules.flatMap(({ triggerIds }) => triggerIds));
  const had = before.rules.flatMap(({ triggerIds }) => triggerIds);
  const still = before.unsettled;
  return {
    feeds: [...feedsWantedBy(before), ...(still?.feeds ?? [])],
    triggerIds: [...had.filter((id) => !kept.has(id)), ...(still?.triggerIds ?? [])],
  };
}

/**
 * The rules after a change. A rule named by its id keeps its triggers and their state; so
 * does a rule with exactly the same text.
 * @throws ProblemError for an id that is not a rule of the watch, or that is named twice.
 */
function nextRules(watch: Watch, wanted: WantedRules, makeId: MakeId): WatchRule[] {
  const free = new Map(watch.rules.map((rule) => [rule.ruleId, rule]));
  const faults: Fault[] = [];
  const named = wanted.map((each, index) => {
    if (!('id' in each)) return undefined;
    const own = free.get(each.id);
    free.delete(each.id);
    const pointer = `#/rules/${index}/id`;
    if (!own) faults.push({ pointer, detail: 'is not a rule of this watch, or is given twice' });
    return own && edited(own, each.rule, makeId);
  });
  if (faults.length > 0) throw invalidFaults(faults);
  return wanted.map((each, index) => {
    const known = named[index];
    if (known) return known;
    const rule = 'id' in each ? each.rule : each;
    const same = [...free.values()].find((own) => canonicalRule(own.rule) === canonicalRule(rule));
    if (!same) return watchRule(rule, makeId);
    free.delete(same.ruleId);
    return same;
  });
}

function edited(own: WatchRule, rule: Rule, makeId: MakeId): WatchRule {
  const triggerIds = compileRule(rule).map(
    (_, index) => own.triggerIds[index] ?? makeId('trigger'),
  );
  return { ruleId: own.ruleId, rule, triggerIds };
}

type Inherited = ReturnType<typeof defaultsFor>;

/** The settings that a change sets or resets to the defaults; only those that differ. */
function inherit(
  watch: Watch,
  change: Pick<WatchChange, 'channels' | 'latency_seconds' | 'tags'>,
  defaultsOf: (tags: readonly string[]) => Inherited,
  follow = change.tags !== undefined,
): WatchChanges {
  const had = new Set(watch.inherits ?? []);
  const inherits = new Set(had);
  for (const setting of ['channels', 'latency_seconds'] as const) {
    const asked = change[setting];
    if (asked === null) inherits.add(setting);
    else if (asked !== undefined) inherits.delete(setting);
  }
  const defaults = defaultsOf(change.tags ?? watch.tags ?? []);
  const isTaken = (setting: InheritableSetting) =>
    inherits.has(setting) && (follow || change[setting] === null);
  const given = isTaken('channels') ? defaults.channelIds : (change.channels ?? undefined);
  // If the owner's default channels were removed, the watch keeps its channels, so that it still reaches its owner.
  // If the change itself asks for the default, the checks refuse the empty list.
  const isLeft = given?.length === 0 && change.channels !== null;
  const channelIds = isLeft ? undefined : given;
  const latencySeconds = isTaken('latency_seconds')
    ? defaults.latencySeconds
    : (change.latency_seconds ?? undefined);
  const isSame = had.size === inherits.size && [...had].every((each) => inherits.has(each));
  const isNews = channelIds && JSON.stringify(channelIds) !== JSON.stringify(watch.channelIds);
  return {
    ...(isNews && { channelIds: [...new Set(channelIds)] }),
    ...(latencySeconds !== undefined &&
      latencySeconds !== watch.latencySeconds && { latencySeconds }),
    ...(!isSame && { inherits: [...inherits] }),
  };
}
