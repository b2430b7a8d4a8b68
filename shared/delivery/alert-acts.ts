// What a reader can do about an alert by the links of its message. Each link leads to the alert's page, which
// asks for a press; nothing is done by opening it.
import { MAX_PRICE } from '#shared/rules/language/rule-limits.ts';
import { changedByPercent } from '#shared/rules/money.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { centsOf } from '#shared/rules/units.ts';
import type { Alert } from '../alerts/alert.ts';
import { moneyText } from './message/figures.ts';

/** What `do=` names in the address of an alert's page (`AlertLinks.pageUrl`). */
export const alertActs = {
  bought: 'bought',
  newLow: 'new_low',
  level: 'level',
  snooze: 'snooze',
} as const;
export type AlertAct = (typeof alertActs)[keyof typeof alertActs];

/** An act with the words of its button. */
export interface OfferedAct {
  act: AlertAct;
  label: string;
}

/** The parts of an alert that decide what can be done about it. */
export type ActedAlert = Pick<
  Alert,
  'series' | 'direction' | 'role' | 'base' | 'baseline' | 'askedLevel'
>;

/** The acts that a message offers for an alert, the most useful first. */
export function offeredActs(alert: ActedAlert): OfferedAct[] {
  const level = alert.askedLevel === null ? undefined : nextLevel(alert, alert.askedLevel);
  return [
    { act: alertActs.bought, label: 'Bought it' },
    ...(canGoLower(alert) ? [{ act: alertActs.newLow, label: 'Silent until a new low' }] : []),
    ...(level === undefined ? [] : [{ act: alertActs.level, label: levelLabel(level) }]),
    { act: alertActs.snooze, label: 'Snooze a day' },
  ];
}

/** "Level to $114"; from cents. */
export function levelLabel(cents: number): string {
  return `Level to ${moneyText(cents)}`;
}

/** Whether the alert told of a price that fell, so that its rule can wait for a lower one. */
export function canGoLower(alert: ActedAlert): boolean {
  // No price is under one cent.
  return isPriceAlert(alert) && wayOf(alert) === 'down' && alert.base > 1;
}

const levelStepPercent = 5;

/**
 * The level 5 % further in the direction of the alert's rule, in cents; undefined if the alert's rule has no
 * price as its level, or if the step is under a cent.
 * @param level the level as the owner wrote it, cents.
 */
export function nextLevel(alert: ActedAlert, level: number): number | undefined {
  if (!isPriceAlert(alert)) return undefined;
  const percent = wayOf(alert) === 'down' ? -levelStepPercent : levelStepPercent;
  const next = changedByPercent(level, percent);
  return next < 1 || next > centsOf(MAX_PRICE) || next === level ? undefined : next;
}

/** A recovery, and an alert that there is no price any more, have no price to go on from. */
function isPriceAlert({ series, role }: ActedAlert): boolean {
  return (role === 'main' || role === 'further') && unitOf(parseSeries(series).base) === 'price';
}

/** A series of drops rises when its price falls, so the direction of its trigger says nothing. */
function wayOf({ series, direction, base, baseline }: ActedAlert): 'down' | 'up' {
  const { transform } = parseSeries(series);
  if (transform === null) return direction;
  switch (transform.measure) {
    case 'drop':
    case 'drop_pct':
    case 'below_low':
      return 'down';
    case 'rise':
    case 'rise_pct':
    case 'above_high':
      return 'up';
    default:
      return baseline !== null && base < baseline ? 'down' : 'up';
  }
}
