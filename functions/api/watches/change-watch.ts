// Changes a watch: its rules, its channels, its status. A change is planned, checked, and written by write-change.ts.

import { isDeepStrictEqual } from 'node:util';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import { type IdKind, newId } from '#shared/watchlist/id.ts';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import type { Bought, Watch } from '#shared/watchlist/watch.ts';
import type { WatchChange } from '#shared/watchlist/watch-request.ts';
import type { Fault } from '../faults.ts';
import { invalidFaults } from '../problem.ts';
import type { Quotas } from '../quotas.ts';
import { questionsOf } from './claim-question.ts';
import { faultsOfChange } from './faults-of-change.ts';
import { inherit } from './inherited-settings.ts';
import { nextRules, unsettledAfter } from './next-rules.ts';
import type { PresentStateReader } from './present-state.ts';
import { spellRules } from './spell-rules.ts';
import type { WriteChange } from './write-change.ts';

interface ChangeWatchDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'watchClaims'>;
  presentState: PresentStateReader;
  writeChange: WriteChange;
  quotas: Quotas;
}

type MakeId = (kind: IdKind) => string;

/** A change that is not written yet. */
export interface PlannedChange {
  changes: WatchChanges;
  /** Whether feeds or triggers must be updated afterwards. */
  isDeep: boolean;
  /** The zones of the event, if they are known and the change has rules. */
  zones?: readonly string[] | undefined;
}

/** Whether a watch has all values already. A recorded fault is tried again by any change. */
function changesNothing(watch: Watch, { changes }: PlannedChange): boolean {
  if (watch.setAside !== undefined) return false;
  const before: Record<string, unknown> = { ...watch };
  return Object.entries(changes).every(([name, value]) =>
    isDeepStrictEqual(unlessEmpty(before[name]), unlessEmpty(value)),
  );
}

/** An empty list is the same as none. */
function unlessEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** Changes of watches; each is conditional on the version that was read. */
export function createChangeWatch(deps: ChangeWatchDeps) {
  const { stores, presentState, writeChange, quotas } = deps;

  async function planPatch(
    watch: Watch,
    change: WatchChange,
    makeId: MakeId,
  ): Promise<PlannedChange> {
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
      changes,
      zones,
      isDeep: rules !== undefined || inherited.latencySeconds !== undefined,
    };
  }

  const faultsOfPlan = (watch: Watch, plan: PlannedChange, now: number) =>
    faultsOfChange(stores.channels, watch, { zones: undefined, ...plan }, now);

  /** @throws ProblemError when there is no room for more rules, or another request changed the watch since. */
  async function carryOut(watch: Watch, plan: PlannedChange, mark: ChangeMark): Promise<Watch> {
    const { changes, isDeep } = plan;
    const rules = changes.rules ?? watch.rules;
    const moreRules = rules.length - watch.rules.length;
    await quotas.takeRules(watch.ownerId, Math.max(0, moreRules));
    const unsettled = unsettledAfter(watch, rules);
    try {
      const after = await writeChange(watch, { ...changes, ...(isDeep && { unsettled }) }, mark);
      await quotas.giveRules(watch.ownerId, Math.max(0, -moreRules));
      return after;
    } catch (error) {
      await quotas.giveRules(watch.ownerId, Math.max(0, moreRules));
      throw error;
    }
  }

  return {
    planPatch,
    faultsOfPlan,
    carryOut,

    /** The faults of a change that is not made yet. @throws ProblemError for a rule id that the watch does not have. */
    async faultsOfPatch(watch: Watch, change: WatchChange, now: number): Promise<Fault[]> {
      return faultsOfPlan(watch, await planPatch(watch, change, newId), now);
    },

    /** The change that a PATCH asks for; one that changes nothing makes no version. */
    async patch(
      watch: Watch,
      change: WatchChange,
      makeId: MakeId,
      mark: ChangeMark,
    ): Promise<Watch> {
      const plan = await planPatch(watch, change, makeId);
      const faults = await faultsOfPlan(watch, plan, mark.now);
      if (faults.length > 0) throw invalidFaults(faults);
      return changesNothing(watch, plan) ? watch : carryOut(watch, plan, mark);
    },

    /** Resumes or pauses a watch; without effect if it already has that status. */
    async switch(watch: Watch, status: 'active' | 'paused', mark: ChangeMark): Promise<Watch> {
      if (watch.status === status) return watch;
      return carryOut(watch, planSwitch(status), mark);
    },

    /** Holds its alerts back until a time (epoch ms); undefined ends that. */
    snooze: (watch: Watch, until: number | undefined, mark: ChangeMark) =>
      carryOut(watch, planSnooze(until), mark),

    /** Applies the owner's current defaults to the settings that the watch leaves open. */
    async followDefaults(watch: Watch, mark: ChangeMark): Promise<Watch> {
      const defaults = await stores.ownerDefaults.find(watch.ownerId);
      const changes = inherit(watch, {}, (tags) => defaultsFor(defaults, tags), true);
      if (Object.keys(changes).length === 0) return watch;
      return carryOut(watch, { changes, isDeep: changes.latencySeconds !== undefined }, mark);
    },

    /**
     * Deletes a watch and ends its feed subscriptions. It can be restored for some days; its triggers stay until then
     * and raise nothing.
     */
    async remove(watch: Watch, mark: ChangeMark): Promise<Watch> {
      const after = await writeChange(watch, removalOf(watch, mark.now), mark);
      const { ownerId, watchId } = watch;
      for (const question of questionsOf(watch)) {
        await stores.watchClaims.release({ ownerId, question, watchId });
      }
      return after;
    },
  };
}

export type ChangeWatch = ReturnType<typeof createChangeWatch>;

/** Pauses or resumes a watch. A watch that ended because of a purchase is as if nothing had been bought. */
export function planSwitch(status: 'active' | 'paused'): PlannedChange {
  return { changes: { status, bought: undefined }, isDeep: true };
}

/** Ends a watch, because its owner bought a ticket. */
export function planPurchase(bought: Bought): PlannedChange {
  return { changes: { status: 'ended', bought }, isDeep: true };
}

/** Snoozes a watch until a time (epoch ms), or ends a snooze. */
export function planSnooze(until: number | undefined): PlannedChange {
  return { changes: { snoozedUntil: until }, isDeep: false };
}

/** What the deletion of a watch sets; `now` is epoch milliseconds. */
function removalOf(watch: Watch, now: number): WatchChanges {
  return {
    status: 'ended',
    statusWhenRemoved: watch.status,
    removedAt: new Date(now).toISOString(),
    unsettled: unsettledAfter(watch, watch.rules),
  };
}
