/** A trigger after a move, as a value. Decides on none; see decide.ts. */
import { ruleFirings, type SnapshotFacts } from './gates.ts';
import { rearmFrom, stepFrom } from './level.ts';
import { type ListingMatch, MATCHES_KEPT } from './listings-snapshot.ts';
import { withFeeCents } from './money.ts';
import {
  baselineOf,
  furtherTriggerId,
  isReached,
  type Trigger,
  type TriggerMemory,
  type TriggerRole,
  type TriggerState,
  wasAlreadyTrue,
} from './trigger.ts';

/** One firing with its numbers frozen, in the units of its series. */
export interface Firing {
  triggerId: string;
  /** With the trigger's id, the name of the alert. */
  generation: number;
  role: TriggerRole;
  /** When the market had this value, epoch milliseconds. */
  observedAt: number;
  value: number;
  level: number;
  /** The number under a window transform; the value itself without one. */
  base: number;
  /** The value that the change was measured from, null for a level. */
  baseline: number | null;
  /** A rise from nothing, of which no percentage can be told. */
  isFromNone: boolean;
  /** The base with the rule's fee; equal to it without one. */
  withFee: number;
  /** The listings that are meant, cheapest first. */
  listings: readonly ListingMatch[];
}

/** Generations of a further trigger per firing of its main one; steps are at least 0.5 %. */
const FURTHER_GENERATIONS = 10_000;

export function advance(trigger: Trigger, state: TriggerState, facts: SnapshotFacts): Trigger {
  return { ...trigger, state, movedThrough: facts.observedAt };
}

export function arm(trigger: Trigger, facts: SnapshotFacts): Trigger {
  const armed = advance(trigger, 'armed', facts);
  return trigger.memory.pending === null ? armed : remember(armed, { pending: null });
}

/** Back behind its rearm level, under a new generation; takes over what its further trigger said. */
export function rearm(trigger: Trigger, facts: SnapshotFacts): Trigger {
  const firings = lastFirings(trigger, ruleFirings(trigger, facts));
  return remember({ ...arm(trigger, facts), generation: trigger.generation + 1 }, { firings });
}

/** Reached, and waiting for later snapshots; keeps the baseline that it was first reached from. */
export function pend(trigger: Trigger, count: number, facts: SnapshotFacts): Trigger {
  const baseline = trigger.memory.pending?.baseline ?? facts.baseline ?? null;
  const pending = { count, baseline, alreadyTrue: wasAlreadyTrue(trigger) };
  return remember(advance(trigger, 'pending', facts), { pending });
}

/** With its level, and rearm level, a step away from a baseline. */
export function relevel(trigger: Trigger, baseline: number): Trigger {
  if (trigger.relative === null) return trigger;
  const { direction, relative } = trigger;
  const level = stepFrom(baseline, direction, relative.step);
  const rearmLevel = rearmFrom(level, direction, relative.rearmMargin);
  return remember({ ...trigger, level, rearmLevel }, { baseline });
}

/** What a firing leaves: the alert's numbers, the trigger after it, and a further trigger. */
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
  if (spoken.afterFiring === 'wait_for_rearm') return advance(spoken, 'fired', facts);
  const armed = { ...arm(spoken, facts), generation: spoken.generation + 1 };
  return spoken.afterFiring === 'follow' ? relevel(armed, firing.value) : armed;
}

/** The trigger of the next further step: armed from the start, because its main trigger has spoken. */
function furtherOf(main: Trigger, next: Trigger, firing: Firing): Trigger | null {
  if (main.repeat === null) return null;
  const further: Trigger = {
    ...next,
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

/** The numbers of a firing, whether it is told or kept back. */
export function freeze(trigger: Trigger, value: number, facts: SnapshotFacts): Firing {
  const base = facts.base ?? value;
  const baseline = baselineOf(trigger, facts.baseline);
  return {
    triggerId: trigger.triggerId,
    generation: trigger.generation,
    role: trigger.role,
    observedAt: facts.observedAt,
    value,
    level: trigger.level,
    base,
    baseline,
    isFromNone: baseline === 0,
    withFee: withFeeCents(base, trigger.feeBps),
    listings: (facts.listings ?? []).filter(({ priceCents }) => isReached(trigger, priceCents)),
  };
}

/** As many as the rule's limits may ask about: a cool-down asks for the last one. */
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
