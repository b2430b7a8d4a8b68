/** Computes a trigger's state after a move. Decides on none; see decide.ts. */

import { furtherTriggerId } from './further-trigger-id.ts';
import { opposite, reachableRearm, stepFrom } from './level.ts';
import { type ListingMatch, MATCHES_KEPT } from './listings-snapshot.ts';
import { withFeeCents } from './money.ts';
import { parseSeries } from './series.ts';
import { unitOf } from './sources/sources.ts';
import {
  type AlertedFiring,
  baselineOf,
  isReached,
  type Trigger,
  type TriggerMemory,
  type TriggerState,
  triggerRoles,
  wasAlreadyTrue,
} from './trigger.ts';
import { ruleFirings, type SnapshotFacts } from './trigger-limits.ts';

/** What an alert tells: a firing of a trigger with this role, or that the number went back after one. */
export const firingRoles = [...triggerRoles, 'recovery'] as const;
export type FiringRole = (typeof firingRoles)[number];

/** One firing, or one recovery, with its numbers frozen, in the units of its series. */
export interface Firing {
  triggerId: string;
  /** With the trigger's id, and the role of a recovery, it forms the alert's id. */
  generation: number;
  role: FiringRole;
  /** When the market had this value, epoch milliseconds. */
  observedAt: number;
  value: number;
  level: number;
  /** The number before a window transform; without a transform, the value itself. */
  base: number;
  /** The value that the change was measured from, null for a level. */
  baseline: number | null;
  /** How far back the values in the series' window reached, milliseconds; null without a window. */
  coveredMs: number | null;
  /** A rise from 0, which has no percentage. */
  isFromNone: boolean;
  /** The base plus the rule's fee; without a fee, the base. */
  withFee: number;
  /** The matching listings, cheapest first. */
  listings: readonly ListingMatch[];
  /** The price is that of one listing far under the rest: it may be mis-keyed. */
  isLone: boolean;
  /** Of a recovery: the firing that it ends. */
  backFrom?: AlertedFiring;
}

/** Generations of a further trigger per firing of its main trigger; steps are at least 0.5 %. */
export const FURTHER_GENERATIONS = 10_000;

export function advance(trigger: Trigger, state: TriggerState, facts: SnapshotFacts): Trigger {
  return { ...trigger, state, movedThrough: facts.observedAt };
}

export function arm(trigger: Trigger, facts: SnapshotFacts): Trigger {
  const armed = advance(trigger, 'armed', facts);
  return trigger.memory.pending === null ? armed : remember(armed, { pending: null });
}

/** Armed again under a new generation; takes over the firings of its further trigger. */
export function rearm(trigger: Trigger, facts: SnapshotFacts): Trigger {
  const firings = lastFirings(trigger, ruleFirings(trigger, facts));
  const armed = { ...arm(trigger, facts), generation: trigger.generation + 1 };
  return remember(withoutAlerted(armed), { firings });
}

/** The trigger without its firing to tell the end of. */
export function withoutAlerted(trigger: Trigger): Trigger {
  const { alerted: _told, ...memory } = trigger.memory;
  return { ...trigger, memory };
}

/**
 * The message that the number went back, at the snapshot that re-arms the trigger. Null if its firing raised
 * no alert, or if the number is missing: then it did not go back.
 */
export function recoveryOf(trigger: Trigger, value: number, facts: SnapshotFacts): Firing | null {
  const { alerted } = trigger.memory;
  if (trigger.tellRecovery !== true || alerted === undefined || facts.base === null) return null;
  return {
    ...freeze(trigger, value, { ...facts, listings: [], isLone: () => false }),
    role: 'recovery',
    generation: alerted.generation,
    isFromNone: false,
    backFrom: alerted,
  };
}

/** Pending: reached, and waiting for confirmation; keeps the baseline of the first sighting. */
export function pend(trigger: Trigger, count: number, facts: SnapshotFacts): Trigger {
  const baseline = trigger.memory.pending?.baseline ?? facts.baseline ?? null;
  const pending = { count, baseline, alreadyTrue: wasAlreadyTrue(trigger) };
  return remember(advance(trigger, 'pending', facts), { pending });
}

/** Sets the level and the rearm level a step away from a baseline. */
export function relevel(trigger: Trigger, baseline: number): Trigger {
  if (trigger.relative === null) return trigger;
  const { direction, relative } = trigger;
  const level = stepFrom(baseline, direction, relative.step);
  const rearmLevel = stepFrom(level, opposite(direction), relative.rearmMargin);
  const unit = unitOf(parseSeries(trigger.series).base);
  const reachable = reachableRearm(rearmLevel, { level, direction, unit });
  return remember({ ...trigger, level, rearmLevel: reachable }, { baseline });
}

/** The results of a firing: the alert's numbers, the trigger's next state, and a further trigger. */
export function fire(
  trigger: Trigger,
  value: number,
  facts: SnapshotFacts,
): { next: Trigger; firing: Firing; further: Trigger | null } {
  const firing = freeze(trigger, value, facts);
  const spoken = remember(trigger, {
    pending: null,
    firings: lastFirings(trigger, [...ruleFirings(trigger, facts), facts.observedAt]),
    announced: withListings(trigger, firing.listings),
  });
  const next = afterFiring(spoken, firing, facts);
  return { next, firing, further: furtherOf(trigger, next, firing) };
}

function afterFiring(spoken: Trigger, firing: Firing, facts: SnapshotFacts): Trigger {
  if (spoken.afterFiring === 'wait_for_rearm') {
    const fired = advance(spoken, 'fired', facts);
    const { generation, base, observedAt } = firing;
    return spoken.tellRecovery
      ? remember(fired, { alerted: { generation, base, observedAt } })
      : fired;
  }
  const armed = { ...arm(spoken, facts), generation: spoken.generation + 1 };
  return spoken.afterFiring === 'follow' ? relevel(armed, firing.value) : armed;
}

/** The trigger of the next further step. It starts armed, because its main trigger has fired. */
function furtherOf(main: Trigger, next: Trigger, firing: Firing): Trigger | null {
  if (main.repeat === null) return null;
  const { tellRecovery: _ofMain, ...spec } = withoutAlerted(next);
  const further: Trigger = {
    ...spec,
    role: 'further',
    triggerId: furtherTriggerId(main.triggerId),
    state: 'armed',
    generation: main.generation * FURTHER_GENERATIONS + 1,
    mainGeneration: main.generation,
    afterFiring: 'follow',
    relative: { step: main.repeat, rearmMargin: { bps: null, amount: null } },
    repeat: null,
  };
  return relevel(further, firing.value);
}

/** The numbers of a firing, whether it is sent or stopped by a limit. */
export function freeze(trigger: Trigger, value: number, facts: SnapshotFacts): Firing {
  const base = facts.base ?? value;
  const baseline = baselineOf(trigger, facts.baseline);
  const windowSince = facts.windowSince ?? null;
  return {
    triggerId: trigger.triggerId,
    generation: trigger.generation,
    role: trigger.role,
    observedAt: facts.observedAt,
    value,
    level: trigger.level,
    base,
    baseline,
    coveredMs: windowSince === null ? null : facts.observedAt - windowSince,
    isFromNone: baseline === 0,
    withFee: withFeeCents(base, trigger.feeBps),
    listings: (facts.listings ?? []).filter(({ priceCents }) => isReached(trigger, priceCents)),
    isLone: trigger.role !== 'no_data' && (facts.isLone?.() ?? false),
  };
}

/** Keeps as many firings as the rule's limits need: a cool-down needs only the last. */
function lastFirings({ gates }: Trigger, firings: readonly number[]): number[] {
  return firings.slice(-(gates.atMostPerDay ?? 1));
}

function withListings(trigger: Trigger, listings: readonly ListingMatch[]) {
  const named = listings.map(({ key, priceCents }) => ({ key, priceCents }));
  const before = trigger.memory.announced.filter(
    (old) => !named.some((listing) => listing.key === old.key),
  );
  return [...before, ...named].slice(-2 * MATCHES_KEPT);
}

function remember(trigger: Trigger, memory: Partial<TriggerMemory>): Trigger {
  return { ...trigger, memory: { ...trigger.memory, ...memory } };
}
