// Says what happened, for every form of rule: a short lead with the price first, why it is told, and the same
// in full for the body of a message.
import type { Unit } from '#shared/rules/metric.ts';
import { parseSeries, type Transform } from '#shared/rules/series.ts';
import { type BaseSeries, filterOf, unitOf, wordsOf } from '#shared/rules/sources/sources.ts';
import type { SpanName } from '#shared/rules/window.ts';
import type { Alert } from '../../alerts/alert.ts';
import { moneyText, percentText, pointsText, shareText, sinceText, valueText } from './figures.ts';
import { seatText } from './seat-text.ts';
import { baselineText, extremeWords } from './window-text.ts';

export type Way = 'down' | 'up';

/** What happened, in words that don't name the event. */
export interface Happening {
  /** "$74"; "Sold out". */
  value: string;
  /** The value with what it did, at most some 25 characters: "$74 ▼ 18%", "$74 new low". */
  lead: string;
  way: Way | undefined;
  /** Why it is told, for the headline: "under your $80"; empty if the lead says it all. */
  why: string;
  /** All of it: "▼ 18% from $90 since Feb 28, 2:00 PM EST, under your $80". */
  detail: string;
}

const arrows: Record<Way, string> = { down: '▼', up: '▲' };

/** The earlier value: the baseline of a change, the value of a recovery's alert, else the previous snapshot's. */
export function earlierValue({ baseline, previousBase, role }: Alert): number | null {
  const isFromBefore = role === 'no_data' || role === 'recovery';
  return isFromBefore ? previousBase : (baseline ?? previousBase);
}

/** @param timeZone the reader's IANA zone. */
export function happeningOf(alert: Alert, timeZone: string): Happening {
  const { base, transform } = parseSeries(alert.series);
  if (alert.role === 'no_data') return noData(alert, base);
  if (base.kind === 'presence') return presence(alert);
  if (alert.role === 'recovery') return recovery(alert, base, timeZone);
  const isSupply = unitOf(base) === 'count';
  if (isSupply && alert.base === 0) return plain('Sold out', 'no listing is left');
  if (!isSupply && filterOf(base) !== undefined) return newListing(alert);
  if (transform && 'window' in transform && transform.measure !== 'span') {
    return extreme(alert, transform);
  }
  return change(alert, { base, transform, timeZone });
}

/** A happening that is no number. */
function plain(value: string, why: string): Happening {
  return { value, lead: value, way: undefined, why, detail: why };
}

function noData(alert: Alert, base: BaseSeries): Happening {
  const earlier = alert.previousBase;
  const was = earlier === null ? '' : ` (was ${valueText(unitOf(base), earlier)})`;
  return plain(`No ${wordsOf(base)}`, `nothing is for sale there${was}`);
}

function presence({ direction }: Alert): Happening {
  return direction === 'down'
    ? plain('Sold out', 'the last listing is gone')
    : plain('For sale', 'the first listing appeared');
}

function recovery(alert: Alert, base: BaseSeries, timeZone: string): Happening {
  const value = valueText(unitOf(base), alert.base);
  const earlier = earlierValue(alert);
  const way = wayFrom(earlier, alert.base) ?? (alert.direction === 'down' ? 'up' : 'down');
  const from =
    earlier === null
      ? ''
      : ` from ${valueText(unitOf(base), earlier)}${sinceWords(alert, timeZone)}`;
  const why = levelText(alert, base) ?? '';
  const detail = sentenceOf([`went back${from}`, feeText(alert, base), why]);
  return { value, lead: `${withNoun(value, base)} ${arrows[way]} went back`, way, why, detail };
}

function newListing(alert: Alert): Happening {
  const { base } = parseSeries(alert.series);
  const value = moneyText(alert.base);
  const [cheapest] = alert.listings;
  const seat = cheapest && seatText(cheapest);
  const level = levelText(alert, base);
  const detail = sentenceOf(['new cheapest listing', feeText(alert, base), level]);
  return {
    ...{ value, lead: `${value} listing`, way: undefined, detail },
    why: sentenceOf([seat, level]),
  };
}

type Extreme = Extract<Transform, { window: SpanName }>;

function extreme(alert: Alert, { measure, window }: Extreme): Happening {
  const { base } = parseSeries(alert.series);
  const unit = unitOf(base);
  const isLow = measure === 'below_low';
  const value = valueText(unit, alert.base);
  const words = extremeWords(isLow ? 'low' : 'high', window, alert.coveredMs);
  const before =
    alert.baseline === null
      ? undefined
      : `${valueText(unit, Math.abs(alert.baseline - alert.base))} ${isLow ? 'below' : 'above'} the one before (${valueText(unit, alert.baseline)})`;
  const way = isLow ? 'down' : 'up';
  const lead = `${withNoun(value, base)} ${arrows[way]} new ${isLow ? 'low' : 'high'}${loneText(alert)}`;
  // The lead says that it is a new low.
  const why = sentenceOf([metricText(base), words.replace(/^a new (low|high) /, ''), before]);
  const detail = sentenceOf([metricText(base), words, before, feeText(alert, base)]);
  return { value, lead, way, why, detail };
}

interface Change {
  base: BaseSeries;
  transform: Transform | null;
  timeZone: string;
}

function change(alert: Alert, { base, transform, timeZone }: Change): Happening {
  const unit = unitOf(base);
  const earlier = earlierValue(alert);
  const way = wayFrom(earlier, alert.base);
  const value = valueText(unit, alert.base);
  const level = levelText(alert, base);
  const lone = loneText(alert);
  if (earlier === null || way === undefined) {
    const why = sentenceOf([metricText(base), level]);
    const lead = `${withNoun(value, base)}${lone}`;
    return { value, lead, way, why, detail: sentenceOf([feeText(alert, base), why]) };
  }
  const further = alert.role === 'further' ? ' further' : '';
  const by = earlier === 0 ? 'from none' : distanceText(alert, unit, earlier, transform) + further;
  const window = windowText(alert, transform);
  const from = fromText(alert, { unit, earlier, window, timeZone });
  const moved = `${arrows[way]} ${by}`;
  return {
    ...{ value, way },
    lead: `${withNoun(value, base)} ${moved}${lone}`,
    why: sentenceOf([metricText(base), level ?? (window === undefined ? undefined : from)]),
    detail: sentenceOf([metricText(base), `${moved} ${from}`.trim(), feeText(alert, base), level]),
  };
}

/** Said with the price, because a reader of a digest sees no more. */
function loneText({ loneListing }: Alert): string {
  return loneListing ? ', one listing' : '';
}

interface ChangeFrom {
  unit: Unit;
  earlier: number;
  window: string | undefined;
  timeZone: string;
}

/** "from $90 since Feb 28, 2:00 PM EST"; "from the high of the last 24 hours, $100". */
function fromText(alert: Alert, { unit, earlier, window, timeZone }: ChangeFrom): string {
  const since = sinceWords(alert, timeZone);
  if (earlier === 0) return since.trim();
  const value = valueText(unit, earlier);
  return window === undefined ? `from ${value}${since}` : `from ${window}, ${value}`;
}

/** Where the number went; undefined if that is not known. */
function wayFrom(earlier: number | null, now: number): Way | undefined {
  if (earlier === null || earlier === now) return undefined;
  return now < earlier ? 'down' : 'up';
}

/** "under your $80": the level as its owner set it, fee included; undefined for a rule without a level. */
function levelText(alert: Alert, base: BaseSeries): string | undefined {
  const { askedLevel, role, alreadyTrue } = alert;
  if (askedLevel === null || (role !== 'main' && role !== 'recovery')) return undefined;
  const unit = unitOf(base);
  const now = unit === 'price' ? alert.withFee : alert.base;
  const side = now < askedLevel ? 'under' : now > askedLevel ? 'over' : 'at';
  const already = alreadyTrue ? ', already so when the rule was made' : '';
  return `${side} your ${valueText(unit, askedLevel)}${already}`;
}

/** "$243 with your 35% fee"; undefined without a fee. */
function feeText({ feeBps, withFee }: Alert, base: BaseSeries): string | undefined {
  if (feeBps === 0 || unitOf(base) !== 'price') return undefined;
  return `${moneyText(withFee)} with your ${percentText(feeBps)} fee`;
}

/** "2 matching listings", "61.5% fill rate", "$74": a price is the get-in unless the text says more. */
function withNoun(value: string, base: BaseSeries): string {
  return unitOf(base) === 'price' ? value : `${value} ${wordsOf(base)}`;
}

/** The price metric, where it is another than the get-in. */
function metricText(base: BaseSeries): string | undefined {
  const words = wordsOf(base);
  return unitOf(base) === 'price' && words !== 'get-in' ? words : undefined;
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
function sinceWords({ earlierAt, observedAt }: Alert, timeZone: string): string {
  return earlierAt === undefined ? '' : ` ${sinceText(earlierAt, observedAt, timeZone)}`;
}

/** "the high of the last 24 hours"; undefined if the change is not measured from a window. */
function windowText({ coveredMs }: Alert, transform: Transform | null): string | undefined {
  if (!transform || !('baseline' in transform) || !('window' in transform.baseline)) return;
  return baselineText(transform.baseline.of, transform.baseline.window, coveredMs);
}

function sentenceOf(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}
