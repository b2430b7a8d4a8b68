// When the alerts of a backtest would have reached their owner: quiet hours and digests hold them, alerts of
// one moment share a message, and a held alert that is not true any more is left out.
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { isStillReached } from '#shared/rules/still-reached.ts';
import { hearingTimeOf } from '#shared/watchlist/hearing-time.ts';
import type { HearingTimes } from '#shared/watchlist/owner.ts';
import { type Fire, frozenOf } from './find-fires.ts';
import { newestThrough } from './newest-through.ts';

/** When an alert is told, in market time; epoch milliseconds. */
export interface DeliveredFire {
  at: number;
  /** Null if it goes out at once. */
  held: 'quiet_hours' | 'digest' | null;
  /** False for a held alert that is no longer true when it is due. */
  isTold: boolean;
}

export interface AsDelivered {
  /** One for each fire. */
  fires: DeliveredFire[];
  /** Alerts of one moment share a message. */
  messages: number;
}

/** @param isUrgent urgent alerts ignore quiet hours and digests. */
export function asDelivered(
  fires: readonly Fire[],
  snapshots: readonly Snapshot[],
  { times, isUrgent }: { times: HearingTimes; isUrgent: boolean },
): AsDelivered {
  const delivered = fires.map((fire): DeliveredFire => {
    const { observedAt } = fire.firing;
    const hearing = isUrgent ? undefined : hearingTimeOf(observedAt, times);
    if (!hearing) return { at: observedAt, held: null, isTold: true };
    const isTold = isTrueAt(fire, newestThrough(snapshots, hearing.at));
    return { at: hearing.at, held: hearing.reason, isTold };
  });
  const told = delivered.filter(({ isTold }) => isTold);
  const held = new Set(told.filter((each) => each.held !== null).map(({ at }) => at));
  const atOnce = told.filter((each) => each.held === null).length;
  return { fires: delivered, messages: atOnce + held.size };
}

function isTrueAt(fire: Fire, newest: Snapshot | undefined): boolean {
  if (!newest || newest.observedAt <= fire.firing.observedAt) return true;
  return isStillReached(frozenOf(fire), newest);
}
