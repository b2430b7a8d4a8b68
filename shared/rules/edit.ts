/** What becomes of a trigger whose rule is edited, or whose stored values are not its rule's. Decides no firing. */
import { isDeepStrictEqual } from 'node:util';
import { createTrigger, type Trigger, type TriggerIdentity, type TriggerSpec } from './trigger.ts';

/**
 * The trigger with a new spec. Where what it watches and its level stay, its state stays. A level
 * that a fired trigger has spoken about already, because it is no stricter than the old one, is no
 * news: it stays fired. Everything else is a new question: the trigger is held against the market
 * afresh, under a new generation, so that its next alert is not the old one's.
 */
export function editTrigger(trigger: Trigger, spec: TriggerSpec, editedAt: number): Trigger {
  if (staysAsked(trigger, spec)) return { ...trigger, ...spec, ...levelsOf(trigger, spec) };
  const { triggerId, watchId, ruleId, ownerId, eventId } = trigger;
  const identity = { triggerId, watchId, ruleId, ownerId, eventId };
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

/** A relative level is the trigger's own; the spec only says how far it is from its baseline. */
function levelsOf(trigger: Trigger, spec: TriggerSpec): Pick<Trigger, 'level' | 'rearmLevel'> {
  const { level, rearmLevel } = spec.relative === null ? spec : trigger;
  return { level, rearmLevel };
}

/** The API's clock may be this far ahead of the one that a stored time is compared with. */
const clockToleranceMs = 3_600_000;

/**
 * Whether a stored trigger has what its rule gives it. A relative level is the trigger's own, and a
 * trigger made in the future would be silent until then.
 */
export function asksTheSame(
  trigger: Trigger,
  { level, rearmLevel, ...wanted }: TriggerIdentity & Partial<TriggerSpec>,
  now: number,
): boolean {
  const levels = wanted.relative === null ? { level, rearmLevel } : {};
  const stored = asStored(trigger);
  return (
    trigger.createdAt <= now + clockToleranceMs &&
    Object.entries(asStored({ ...wanted, ...levels })).every(([name, value]) =>
      isDeepStrictEqual(stored[name], value),
    )
  );
}

/** The trigger under its own names again, made at this time at the latest. */
export function withIdentity(trigger: Trigger, identity: TriggerIdentity, now: number): Trigger {
  return { ...trigger, ...identity, createdAt: Math.min(trigger.createdAt, now) };
}

/** As a table keeps it: without what is undefined, and with one zero. */
function asStored(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}
