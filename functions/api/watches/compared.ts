// A rule beside its number at the newest snapshot: what the words of a standing are made of. Types only.
import type { Rule } from '#shared/rules/language/rule.ts';
import type { Unit } from '#shared/rules/metric.ts';
import type { Reading } from '#shared/rules/reading.ts';
import type { Trigger, TriggerSpec } from '#shared/rules/trigger.ts';

/** A reading with the time of its snapshot, epoch milliseconds. */
export interface TimedReading extends Reading {
  observedAt: number;
}

/** Everything that the words of a standing need. */
export interface Compared {
  rule: Rule;
  spec: TriggerSpec;
  trigger: Trigger | undefined;
  reading: TimedReading | undefined;
  unit: Unit;
  value: number | null;
  level: number | null;
  isReached: boolean | null;
}
