// Says what happened: the middle part of an alert's headline, for every form of rule.
import type { Unit } from '#shared/rules/metric.ts';
import { parseSeries, type Transform } from '#shared/rules/series.ts';
import { type BaseSeries, filterOf, unitOf, wordsOf } from '#shared/rules/sources/sources.ts';
import type { SpanName } from '#shared/rules/window.ts';
import type { Alert } from '../../alerts/alert.ts';
import { moneyText, pointsText, shareText, sinceText, valueText } from './figures.ts';
import { nameText } from './plain-text.ts';
import { baselineText, extremeWords } from './window-text.ts';

/** The alert's number, formatted by its unit, with the price including the fee if there is a fee. */
export function toldValue(alert: Alert): string {
  const { base } = parseSeries(alert.series);
  const told = valueText(unitOf(base), alert.base);
  if (alert.feeBps === 0 || unitOf(base) !== 'price') return told;
  return `${told} (${moneyText(alert.withFee)} with your ${shareText(alert.feeBps / 10_000)} fee)`;
}

/** The earlier value: the baseline of a change, the value of a recovery's alert, else the previous snapshot's. */
export function earlierValue({ baseline, previousBase, role }: Alert): number | null {
  const isFromBefore = role === 'no_data' || role === 'recovery';
  return isFromBefore ? previousBase : (baseline ?? previousBase);
}

/** The reader's time zone, and the moment (epoch ms) that "yesterday" is counted from. */
export interface Calendar {
  now: number;
  timeZone: string;
}

/** "get-in $74, down 18% from $90 since yesterday"; "get-in $70, a new low within 7 days, …". */
export function happeningText(alert: Alert, calendar: Calendar): string {
  const lone = alert.loneListing ? ', one listing far under the rest' : '';
  return `${movementText(alert, calendar)}${lone}`;
}

function movementText(alert: Alert, calendar: Calendar): string {
  const { base, transform } = parseSeries(alert.series);
  if (alert.role === 'no_data') return noDataText(alert, base);
  if (alert.role === 'recovery') return recoveryText(alert, base, calendar);
  if (base.kind === 'presence') {
    return alert.direction === 'up' ? 'the first listing appeared' : 'the last listing is gone';
  }
  const isSupply = unitOf(base) === 'count';
  if (isSupply && alert.base === 0) return 'sold out: no listing is left';
  if (!isSupply && filterOf(base) !== undefined) return listingText(alert);
  const now = `${wordsOf(base)} ${toldValue(alert)}`;
  if (transform && 'window' in transform && transform.measure !== 'span') {
    return extremeText(alert, transform, now);
  }
  return `${now}${changeText(alert, transform, calendar)}`;
}

function noDataText(alert: Alert, base: BaseSeries): string {
  const earlier = alert.previousBase;
  const was = earlier === null ? '' : ` (was ${valueText(unitOf(base), earlier)})`;
  return `no ${wordsOf(base)} any more${was}: nothing is for sale there`;
}

/** "get-in went back to $85 from $74 in the last 42 min". */
function recoveryText(alert: Alert, base: BaseSeries, calendar: Calendar): string {
  const earlier = earlierValue(alert);
  const from = earlier === null ? '' : ` from ${valueText(unitOf(base), earlier)}`;
  return `${wordsOf(base)} went back to ${toldValue(alert)}${from}${sinceWords(alert, calendar)}`;
}

function listingText(alert: Alert): string {
  const [cheapest] = alert.listings;
  if (!cheapest) return `cheapest match ${toldValue(alert)}`;
  const seat = `section ${nameText(cheapest.section)}, row ${nameText(cheapest.row)}`;
  return `new cheapest listing ${toldValue(alert)} (${seat}, ${ticketsText(cheapest.quantity)})`;
}

/** "1 ticket", "2 tickets". */
export function ticketsText(quantity: number): string {
  return `${valueText('count', quantity)} ${quantity === 1 ? 'ticket' : 'tickets'}`;
}

type Extreme = Extract<Transform, { window: SpanName }>;

function extremeText(alert: Alert, { measure, window }: Extreme, now: string): string {
  const isLow = measure === 'below_low';
  const words = extremeWords(isLow ? 'low' : 'high', window, alert.coveredMs);
  if (alert.baseline === null) return `${now}, ${words}`;
  const { base } = parseSeries(alert.series);
  const by = valueText(unitOf(base), Math.abs(alert.baseline - alert.base));
  const before = valueText(unitOf(base), alert.baseline);
  return `${now}, ${words}, ${by} ${isLow ? 'below' : 'above'} the one before (${before})`;
}

/** ", down 18% from $90 since yesterday"; empty without an earlier value or without a change. */
function changeText(alert: Alert, transform: Transform | null, calendar: Calendar): string {
  const earlier = earlierValue(alert);
  if (earlier === null || earlier === alert.base) return '';
  const way = alert.base < earlier ? 'down' : 'up';
  const window = windowText(alert, transform);
  // The window already says when.
  const since = window === undefined ? sinceWords(alert, calendar) : '';
  if (earlier === 0) return `, ${way} from none${since}`;
  const further = alert.role === 'further' ? ' a further' : '';
  const unit = unitOf(parseSeries(alert.series).base);
  const share = distanceText(alert, unit, earlier, transform);
  const from = `${window === undefined ? '' : `${window}, `}${valueText(unit, earlier)}`;
  return `, ${way}${further} ${share} from ${from}${since}`;
}

/** "18%" of a price; "3" listings, unless the rule is in percent; "1.5 points" of a rate. */
function distanceText(
  { base }: Alert,
  unit: Unit,
  earlier: number,
  transform: Transform | null,
): string {
  const difference = Math.abs(base - earlier);
  if (unit === 'rate') return pointsText(difference);
  const isInPercent = transform?.measure.endsWith('_pct') ?? false;
  if (unit === 'count' && !isInPercent) return valueText(unit, difference);
  return shareText(difference / earlier);
}

/** Empty if the earlier value is not the value of one moment. */
function sinceWords({ earlierAt }: Alert, { now, timeZone }: Calendar): string {
  return earlierAt === undefined ? '' : ` ${sinceText(earlierAt, now, timeZone)}`;
}

/** "the high of the last 24 hours"; undefined if the change is not measured from a window. */
function windowText({ coveredMs }: Alert, transform: Transform | null): string | undefined {
  if (!transform || !('baseline' in transform) || !('window' in transform.baseline)) return;
  return baselineText(transform.baseline.of, transform.baseline.window, coveredMs);
}
