/**
 * Changes a trigger whose rule was edited, or whose stored values differ from its rule. Decides no firing.
 */
import { isDeepStrictEqual } from 'node:util';
import { withoutAlerted } from './transitions.ts';
import { createTrigger, type Trigger, type TriggerIdentity, type TriggerSpec } from './trigger.ts';

/**
 * The trigger with a new spec. It keeps its state if its series and level stay the same. A fired trigger
 * whose new level is no stricter stays fired, because it has alerted about that level already; if anything
 * of its spec changed, its recovery is not told. Any other edit starts again: the trigger is new, under a new
 * generation, so that its next alert has a new id.
 */
export function editTrigger(trigger: Trigger, spec: TriggerSpec, editedAt: number): Trigger {
  if (staysAsked(trigger, spec)) {
    const { tellRecovery: _former, ...kept } = hasSpec(trigger, spec)
      ? trigger
      : withoutAlerted(trigger);
    return { ...kept, ...spec, ...levelsOf(trigger, spec) };
  }
  const { triggerId, watchId, ruleId, ownerId, eventId, siblingId, shard } = trigger;
  const identity = {
    ...{ triggerId, watchId, ruleId, ownerId, eventId },
    ...(siblingId !== undefined && { siblingId }),
    ...(shard !== undefined && { shard }),
  };
  const fresh = createTrigger(spec, identity, editedAt);
  const { firings, announced } = trigger.memory;
  return {
    ...fresh,
    generation: trigger.generation + 1,
    memory: { ...fresh.memory, firings, announced },
  };
}

function staysAsked(trigger: Trigger, spec: TriggerSpec): boolean {
  const isSameSeries = trigger.series === spec.series && trigger.direction === spec.direction;
  if (!isSameSeries || trigger.afterFiring !== spec.afterFiring) return false;
  if (trigger.relative !== null || spec.relative !== null) {
    return JSON.stringify(trigger.relative) === JSON.stringify(spec.relative);
  }
  return trigger.level === spec.level || (trigger.state === 'fired' && isNoStricter(trigger, spec));
}

function isNoStricter(trigger: Trigger, spec: TriggerSpec): boolean {
  return spec.direction === 'down' ? spec.level >= trigger.level : spec.level <= trigger.level;
}

/** The trigger keeps a relative level itself; the spec has only the distance from the baseline. */
function levelsOf(trigger: Trigger, spec: TriggerSpec): Pick<Trigger, 'level' | 'rearmLevel'> {
  const { level, rearmLevel } = spec.relative === null ? spec : trigger;
  return { level, rearmLevel };
}

/** How far the API's clock may be ahead of the clock that a stored time is compared with. */
const clockToleranceMs = 3_600_000;

/**
 * Whether a stored trigger matches its rule. Relative levels and the shard are not compared, because the trigger keeps
 * them. A trigger that was made in the future does not match: it would be silent until then.
 */
export function asksTheSame(
  trigger: Trigger,
  wanted: TriggerIdentity & Partial<TriggerSpec>,
  now: number,
): boolean {
  return trigger.createdAt <= now + clockToleranceMs && hasSpec(trigger, wanted);
}

/** Whether the trigger has each of these fields; an absent `tellRecovery` counts too. */
function hasSpec(
  trigger: Trigger,
  {
    level,
    rearmLevel,
    tellRecovery,
    shard: _kept,
    ...wanted
  }: Partial<TriggerIdentity & TriggerSpec>,
): boolean {
  const levels = wanted.relative === null ? { level, rearmLevel } : {};
  const stored = asStored(trigger);
  return (
    trigger.tellRecovery === tellRecovery &&
    Object.entries(asStored({ ...wanted, ...levels })).every(([name, value]) =>
      isDeepStrictEqual(stored[name], value),
    )
  );
}

/** Restores the trigger's ids, and limits its creation time to now. The trigger stays in its shard. */
export function withIdentity(trigger: Trigger, identity: TriggerIdentity, now: number): Trigger {
  const { siblingId: _former, ...rest } = trigger;
  const { shard: _placed, ...ids } = identity;
  return { ...rest, ...ids, createdAt: Math.min(trigger.createdAt, now) };
}

/** The value as a table stores it: without undefined fields, and -0 as 0. */
function asStored(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}
