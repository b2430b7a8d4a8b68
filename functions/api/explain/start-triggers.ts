// How a rule's triggers stood before the first look of a range: as they were made, or as their last alert before
// it left them. What is stored now gives the rest: the baseline that a trigger keeps, the listings it announced.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { fire, relevel } from '#shared/rules/transitions.ts';
import { createTrigger, isReached, type Trigger, type TriggerSpec } from '#shared/rules/trigger.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';

export interface StartInput {
  watch: Watch;
  rule: WatchRule;
  /** The rule's triggers as stored now, by id. */
  stored: ReadonlyMap<string, Trigger>;
  /** The rule's alerts, oldest first. */
  alerts: readonly Alert[];
  /** The first snapshot that is replayed. */
  first: Snapshot;
  /** When the rule began to look, epoch milliseconds; 0 if that is not known. */
  begins: number;
  /** Whether the replay begins with the rule itself. */
  isNew: boolean;
  /** Reads the value of the trigger's series there. */
  valueAt: (trigger: Trigger) => number | null;
}

/** When the rule began: its triggers look at no price before. */
export function beginsAt(
  watch: Pick<Watch, 'createdAt'>,
  { triggerIds }: WatchRule,
  stored: ReadonlyMap<string, Trigger>,
): number {
  const main = stored.get(triggerIds[0] ?? '');
  return main?.createdAt ?? Date.parse(watch.createdAt);
}

/** The rule's triggers before the first snapshot. */
export function startTriggers(input: StartInput): Trigger[] {
  const { watch, rule, stored, begins, isNew } = input;
  return triggersWantedBy(watch, rule).flatMap(({ spec, identity }) => {
    const now = stored.get(identity.triggerId);
    const made = createTrigger(spec, identity, begins);
    if (isNew) return [made];
    return standingAt(input, { ...made, generation: now?.generation ?? 1 }, { spec, now });
  });
}

function standingAt(
  { alerts, first, valueAt }: StartInput,
  made: Trigger,
  { spec, now }: { spec: TriggerSpec; now: Trigger | undefined },
): Trigger[] {
  const own = alerts.filter(
    ({ triggerId, role }) => triggerId === made.triggerId && isFiring(role),
  );
  const before = own.findLast(({ observedAt }) => observedAt < first.observedAt);
  const next = own.find(({ observedAt }) => observedAt >= first.observedAt);
  const baseline = next?.baseline ?? now?.memory.baseline ?? null;
  const firings = own
    .filter(({ observedAt }) => observedAt < first.observedAt)
    .map(({ observedAt }) => observedAt);
  const announced = now?.memory.announced ?? [];
  const plain: Trigger = {
    ...{ ...made, state: 'armed', movedThrough: made.createdAt },
    memory: {
      ...made.memory,
      baseline: spec.relative === null ? null : baseline,
      firings,
      announced,
    },
  };
  const armed = baseline === null ? plain : relevel(plain, baseline);
  if (spec.afterFiring !== 'wait_for_rearm') return [armed];
  if (before?.observedAt === undefined) return [wasPassedOver(armed, valueAt, next, now)];
  const { observedAt, value, base } = before;
  const { next: fired, further } = fire(armed, value, {
    observedAt,
    base,
    baseline: before.baseline,
  });
  return further ? [fired, further] : [fired];
}

/** Without an alert, a trigger that is beyond its level was true when it was made, or its alert is too old to be read. */
function wasPassedOver(
  armed: Trigger,
  valueAt: StartInput['valueAt'],
  next: Alert | undefined,
  now: Trigger | undefined,
): Trigger {
  const value = valueAt(armed);
  const isQuiet = value !== null && isReached(armed, value) && next === undefined;
  return isQuiet && now?.state === 'fired' ? { ...armed, state: 'fired' } : armed;
}

function isFiring(role: Alert['role']): boolean {
  return role !== 'recovery';
}
