// The content of an alert's message, the same for every channel; renderers only lay it out.
import { METRICS, type Unit } from '#shared/rules/metric.ts';
import { formatCents } from '#shared/rules/money.ts';
import { type BaseSeries, parseSeries, unitOf } from '#shared/rules/series.ts';
import type { Alert } from './alert.ts';

/** Ready text for people, and the facts that machines want beside it. */
export interface AlertMessage {
  /** What happened, in one line a person can act on. */
  headline: string;
  eventName: string;
  /** The zone, or the whole event. */
  scope: string;
  /** The rule in one English sentence. */
  sentence: string;
  value: string;
  previousValue: string | undefined;
  /** The level that was set; undefined for a rule about a change. */
  level: string | undefined;
  /** How old the observation was when the alert was raised, such as "2 min". */
  age: string;
}

/** Makes the message of an alert; all numbers are the alert's own, frozen ones. */
export function composeMessage(alert: Alert): AlertMessage {
  const { base, transform } = parseSeries(alert.series);
  const format = formatterOf(unitOf(base));
  const scope = scopeOf(base);
  const place = scope === undefined ? alert.eventName : `${alert.eventName}, ${scope}`;
  const level = transform === null ? format(alert.level) : undefined;
  const value = format(alert.base);
  const earlier = alert.baseline ?? alert.previousBase;
  const asked = level === undefined ? `your rule: ${alert.sentence}` : `your level was ${level}`;
  const already = alert.alreadyTrue ? ' (already so when the rule was made)' : '';
  const change = describeChange(alert.base, earlier, format);
  return {
    headline: `${place}: ${wordsOf(base)} ${value}${change}; ${asked}${already}`,
    eventName: alert.eventName,
    scope: scope ?? 'whole event',
    sentence: alert.sentence,
    value,
    previousValue: earlier === null ? undefined : format(earlier),
    level,
    age: describeAge(alert.firedAt - alert.observedAt),
  };
}

function formatterOf(unit: Unit): (value: number) => string {
  if (unit === 'price') return formatCents;
  if (unit === 'count') return String;
  const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
  return (basisPoints) => percent.format(basisPoints / 10_000);
}

function scopeOf(base: BaseSeries): string | undefined {
  return 'zone' in base && base.zone !== null ? base.zone : undefined;
}

function wordsOf(base: BaseSeries): string {
  if (base.kind === 'metric') return METRICS[base.metric].words.toLowerCase();
  return base.kind === 'listings' && base.measure !== 'count' ? 'cheapest match' : 'listings';
}

/** ", down 18% from $90.00"; nothing where there is no earlier value or no change. */
function describeChange(
  value: number,
  earlier: number | null,
  format: (value: number) => string,
): string {
  if (earlier === null || earlier === value) return '';
  const direction = value < earlier ? 'down' : 'up';
  if (earlier === 0) return `, ${direction} from ${format(earlier)}`;
  const share = Math.abs(value - earlier) / earlier;
  const percent = new Intl.NumberFormat('en-US', {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  }).format(share);
  return `, ${direction} ${percent} from ${format(earlier)}`;
}

function describeAge(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
