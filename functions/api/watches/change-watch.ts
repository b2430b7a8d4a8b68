// Changes a watch: what it asks, who hears of it, whether it is on. The new state is one conditional
// write; what follows from it (feeds, triggers) is carried through afterwards, by whoever is left to.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchChanges } from '#shared/dynamo/watches.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import type { IdKind } from '#shared/watchlist/id.ts';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import type { SettleWatch } from '#shared/watchlist/settle-watch.ts';
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
import { channelFaults, fallbackFaults, zoneFaults } from './check-watch.ts';
import { questionsOf } from './open-watch.ts';
import type { PresentStateReader } from './present-state.ts';

interface ChangeWatchDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'watchClaims' | 'watches'>;
  presentState: PresentStateReader;
  settle: SettleWatch;
  sendNudges: SendMessages;
  quotas: Quotas;
}

type MakeId = (kind: IdKind) => string;

/** Changes of watches; each is conditional on the watch as it was read. */
export function createChangeWatch(deps: ChangeWatchDeps) {
  const { stores, presentState, settle, sendNudges, quotas } = deps;

  /** @throws ProblemError when somebody else changed it since. */
  async function write(watch: Watch, changes: WatchChanges, now: number): Promise<Watch> {
    const updatedAt = new Date(now).toISOString();
    const after = await stores.watches.change(watch, { ...changes, updatedAt }, now);
    if (!after) throw staleVersion();
    if (after.unsettled === undefined) return after;
    await settle(after, now);
    await sendNudges(
      feedsWantedBy(after).map(({ kind }) => ({
        body: { eventId: after.eventId, kind },
        group: String(after.eventId),
      })),
    );
    return after;
  }

  async function faultsOf(before: Watch, after: WatchChanges, now: number): Promise<Fault[]> {
    const { channelIds, rules } = after;
    const faults = [
      ...(channelIds ? await channelFaults(stores.channels, before.ownerId, channelIds) : []),
      ...(await fallbackFaultsOf(before, after)),
    ];
    if (!rules) return faults;
    const { zones } = await presentState.read(before.eventId);
    const known = new Set(before.rules.map(({ rule }) => canonicalRule(rule)));
    return [
      ...faults,
      // A rule that stays may name a zone that is sold out just now.
      ...rules.flatMap(({ rule }, index) =>
        known.has(canonicalRule(rule))
          ? []
          : zoneFaults([rule], zones, now).map(({ pointer, ...fault }) => ({
              ...fault,
              pointer: pointer.replace('#/rules/0', `#/rules/${index}`),
            })),
      ),
    ];
  }

  /** The fallback and the channels are looked at together, whichever of them changes. */
  async function fallbackFaultsOf(before: Watch, after: WatchChanges): Promise<Fault[]> {
    if (!('fallbackChannelId' in after) && after.channelIds === undefined) return [];
    const { ownerId, channelIds, fallbackChannelId: fallbackId } = { ...before, ...after };
    return fallbackFaults(stores.channels, ownerId, { channelIds, fallbackId });
  }

  return {
    /** What a PATCH asks for. */
    async patch(watch: Watch, change: WatchChange, makeId: MakeId, now: number): Promise<Watch> {
      const defaults = await stores.ownerDefaults.find(watch.ownerId);
      const inherited = inherit(watch, change, (tags) => defaultsFor(defaults, tags));
      const rules = change.rules && nextRules(watch, change.rules, makeId);
      const changes: WatchChanges = {
        ...inherited,
        ...(change.name !== undefined && { name: change.name ?? undefined }),
        ...(change.tags !== undefined && { tags: change.tags }),
        ...(change.fallback_channel !== undefined && {
          fallbackChannelId: change.fallback_channel ?? undefined,
        }),
        ...(rules && { rules }),
      };
      const faults = await faultsOf(watch, changes, now);
      if (faults.length > 0) throw invalidFaults(faults);
      const moreRules = (rules?.length ?? watch.rules.length) - watch.rules.length;
      await quotas.takeRules(watch.ownerId, Math.max(0, moreRules));
      const isDeep = rules !== undefined || inherited.latencySeconds !== undefined;
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

    /** Turns a watch on or off; one that is so already stays as it is. */
    async switch(watch: Watch, status: 'active' | 'paused', now: number): Promise<Watch> {
      if (watch.status === status) return watch;
      return write(watch, { status, unsettled: unsettledAfter(watch, watch.rules) }, now);
    },

    /** Holds its alerts back until a time (epoch ms); undefined lets them through again. */
    snooze: (watch: Watch, until: number | undefined, now: number) =>
      write(watch, { snoozedUntil: until }, now),

    /** Takes over what the owner's defaults say now, where the watch follows them. */
    async followDefaults(watch: Watch, now: number): Promise<Watch> {
      const defaults = await stores.ownerDefaults.find(watch.ownerId);
      const changes = inherit(watch, {}, (tags) => defaultsFor(defaults, tags), true);
      if (Object.keys(changes).length === 0) return watch;
      const isDeep = changes.latencySeconds !== undefined;
      const unsettled = unsettledAfter(watch, watch.rules);
      return write(watch, { ...changes, ...(isDeep && { unsettled }) }, now);
    },

    /** Removes a watch, its triggers, and its wish for feeds. */
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

export type ChangeWatch = ReturnType<typeof createChangeWatch>;

/** What has to be brought in line once a watch has these rules. */
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
 * The rules after a change. One named by its id keeps its triggers, and with them what it has said; so
 * does one that is there word for word.
 * @throws ProblemError for an id that is none of the watch's, or that is named twice.
 */
function nextRules(
  watch: Watch,
  wanted: NonNullable<WatchChange['rules']>,
  makeId: MakeId,
): WatchRule[] {
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

/** Settings that a change gives, or gives back to the defaults; only what becomes different. */
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
  // A default that was taken away leaves the channels: without any, the watch would reach nobody. Where
  // the change itself asks for the default, the checks refuse the empty list.
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
