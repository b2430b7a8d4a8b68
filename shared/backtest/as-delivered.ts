// When the alerts of a backtest would have reached their owner: quiet hours and digests hold them, alerts of
// one moment share a message, and a held alert that is not true any more is left out.
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { isStillReached } from '#shared/rules/still-reached.ts';
import { hearingTimeOf } from '#shared/watchlist/hearing-time.ts';
import type { HearingTimes } from '#shared/watchlist/owner.ts';
import { frozenOf, type Recovery, type RuleAlerts } from './find-fires.ts';
import { newestThrough } from './newest-through.ts';

/** When an alert is told, in market time; epoch milliseconds. */
export interface DeliveredFire {
  at: number;
  /** Null if it goes out at once. */
  held: 'quiet_hours' | 'digest' | null;
  /** False for a held alert, or recovery, that is no longer true when it is due. */
  isTold: boolean;
}

export interface AsDelivered {
  /** One for each fire. */
  fires: DeliveredFire[];
  /** One for each recovery. */
  recoveries: DeliveredFire[];
  /** Alerts and recoveries of one moment share a message. */
  messages: number;
}

/** @param isUrgent urgent alerts ignore quiet hours and digests; recoveries never do. */
export function asDelivered(
  { fires, recoveries }: RuleAlerts,
  snapshots: readonly Snapshot[],
  { times, isUrgent }: { times: HearingTimes; isUrgent: boolean },
): AsDelivered {
  const deliver = (each: Recovery, isAtOnce: boolean): DeliveredFire => {
    const { observedAt } = each.firing;
    const hearing = isAtOnce ? undefined : hearingTimeOf(observedAt, times);
    if (!hearing) return { at: observedAt, held: null, isTold: true };
    const isTold = isTrueAt(each, newestThrough(snapshots, hearing.at));
    return { at: hearing.at, held: hearing.reason, isTold };
  };
  const alerts = fires.map((fire) => deliver(fire, isUrgent));
  const backs = recoveries.map((recovery) =>
    besides(deliver(recovery, false), heldWith(recovery, { fires, alerts })),
  );
  const told = [...alerts, ...backs].filter(({ isTold }) => isTold);
  const held = new Set(told.filter((each) => each.held !== null).map(({ at }) => at));
  const atOnce = told.filter((each) => each.held === null).length;
  return { fires: alerts, recoveries: backs, messages: atOnce + held.size };
}

/** When the alert that a recovery ends was delivered. */
function heldWith(
  { firing: { backFrom } }: Recovery,
  { fires, alerts }: { fires: RuleAlerts['fires']; alerts: readonly DeliveredFire[] },
): DeliveredFire | undefined {
  return alerts[fires.findIndex(({ firing }) => firing.observedAt === backFrom?.observedAt)];
}

/** A recovery that shares its message with its alert is left out with it. */
function besides(recovery: DeliveredFire, alert: DeliveredFire | undefined): DeliveredFire {
  const isShared = recovery.held !== null && alert?.held === recovery.held;
  return isShared && alert.at === recovery.at ? { ...recovery, isTold: false } : recovery;
}

/** A fire holds while its level is reached, a recovery while it is not. */
function isTrueAt(each: Recovery, newest: Snapshot | undefined): boolean {
  if (!newest || newest.observedAt <= each.firing.observedAt) return true;
  return isStillReached(frozenOf(each), newest) !== (each.firing.role === 'recovery');
}
