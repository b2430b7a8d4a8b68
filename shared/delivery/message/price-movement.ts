// Sums up how a number moved over several alerts in one message, since the last alert shows only the last
// move.
import { parseSeries } from '#shared/rules/series.ts';
import { baseKeyOf, unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { valueText } from './figures.ts';

/** Values in the unit of the alerts; cents for prices. */
export interface PriceMovement {
  times: number;
  lowest: number;
  highest: number;
  last: number;
  /** "Moved 3 times: lowest $70, highest $78, last $74". */
  text: string;
}

/**
 * The moves of each number that moved several times, by the id of the last sent alert about it.
 * @param all every alert of the message, including those that are left out.
 * @param told the alerts that are sent.
 */
export function movementsByAlert(
  all: readonly Alert[],
  told: readonly Alert[],
): Map<string, PriceMovement> {
  const found = new Map<string, PriceMovement>();
  if (all.length < 2) return found;
  const toldOf = Map.groupBy(told.filter(hasNumber), numberOf);
  for (const [number, alerts] of Map.groupBy(all.filter(hasNumber), numberOf)) {
    const last = toldOf.get(number)?.toSorted(byTime).at(-1);
    const moves = last && movesOf(alerts);
    if (moves) found.set(last.alertId, moves);
  }
  return found;
}

/** Alerts with the same observation time count as one move, whatever their number. */
function movesOf(alerts: readonly Alert[]): PriceMovement | undefined {
  const seen = new Map(alerts.toSorted(byTime).map((alert) => [alert.observedAt, alert]));
  const last = [...seen.values()].at(-1);
  if (!last || seen.size < 2) return undefined;
  const values = [...seen.values()].map(({ base }) => base);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const unit = unitOf(parseSeries(last.series).base);
  const words = (value: number) => valueText(unit, value);
  const range = `lowest ${words(lowest)}, highest ${words(highest)}, last ${words(last.base)}`;
  return {
    times: seen.size,
    lowest,
    highest,
    last: last.base,
    text: `Moved ${seen.size} times: ${range}`,
  };
}

/** Presence alerts and alerts about missing data have no number. */
function hasNumber({ role, series }: Alert): boolean {
  return role !== 'no_data' && parseSeries(series).base.kind !== 'presence';
}

function numberOf({ watchId, series }: Alert): string {
  return `${watchId}/${baseKeyOf(parseSeries(series).base)}`;
}

function byTime(a: Alert, b: Alert): number {
  return a.observedAt - b.observedAt;
}
