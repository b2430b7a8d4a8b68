// A restored trigger goes on from the alerts that it raised after the moment of the backup: it then neither raises one of
// them again nor gives a new alert the id of an old one. Pure.
import { fire, rearm } from '#shared/rules/transitions.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { type Alert, alertBefore, generationOf } from './alert.ts';

export interface ContinuedTrigger {
  trigger: Trigger;
  /** The trigger of the next further step, if the rule repeats and its last alert made one. */
  further: Trigger | null;
}

/**
 * The trigger after these alerts of its own, in any order. Alerts that it had raised before the backup change nothing, so
 * a repeat changes nothing either.
 */
export function continueTrigger(restored: Trigger, alerts: readonly Alert[]): ContinuedTrigger {
  const later = alerts
    .filter((alert) => isLater(restored, alert))
    .toSorted((a, b) => a.observedAt - b.observedAt);
  return later.reduce<ContinuedTrigger>(
    ({ trigger, further }, alert) => after(trigger, alert, further),
    {
      trigger: restored,
      further: null,
    },
  );
}

/** A limit stopped a silenced alert, so it moved nothing. */
function isLater({ triggerId, movedThrough }: Trigger, alert: Alert): boolean {
  if (alert.triggerId !== triggerId || alert.unsentReason !== undefined) return false;
  return alert.observedAt > (movedThrough ?? Number.NEGATIVE_INFINITY);
}

function after(trigger: Trigger, alert: Alert, further: Trigger | null): ContinuedTrigger {
  const { observedAt, value, base, baseline, listings } = alert;
  const firingId = alertBefore(alert) ?? alert.alertId;
  const asThen = { ...trigger, generation: generationOf({ alertId: firingId }) };
  const facts = { observedAt, base, baseline, listings };
  if (alert.role === 'recovery') return { trigger: rearm(asThen, facts), further: null };
  const { next, further: nextStep } = fire(asThen, value, facts);
  return { trigger: next, further: nextStep ?? further };
}
