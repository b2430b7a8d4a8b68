// What the chart of an alert shows: its frozen values, their name, and the level as a line.
import type { ChartFacts, ChartLevel, ChartTone } from '#shared/charts/chart.ts';
import type { Unit } from '#shared/rules/metric.ts';
import { WHOLE_BPS } from '#shared/rules/money.ts';
import { type ChangeMeasure, parseSeries } from '#shared/rules/series.ts';
import { unitOf, wordsOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../alerts/alert.ts';
import { pointsText, shareText, valueText } from './message/figures.ts';
import { earlierValue } from './message/happening.ts';
import { scopeText } from './message/scope.ts';

/**
 * The facts of an alert's chart, for the picture and for its text (`chartAltText`).
 * @returns undefined for an alert without a chart.
 * @throws UnknownSeriesError
 */
export function chartFactsOf(alert: Alert): ChartFacts | undefined {
  const { chart } = alert;
  if (!chart) return undefined;
  const { base } = parseSeries(alert.series);
  const words = wordsOf(base);
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const scope = scopeText(base);
  const unit = unitOf(base);
  return {
    title: scope === undefined ? name : `${name}, ${scope}`,
    chart,
    tone: toneOf(alert),
    level: levelOf(alert, unit),
    valueText: (value) => valueText(unit, value),
  };
}

function toneOf(alert: Alert): ChartTone {
  if (alert.role === 'no_data') return 'none';
  const earlier = earlierValue(alert) ?? alert.chart?.points[0]?.[1] ?? alert.base;
  if (alert.base !== earlier) return alert.base < earlier ? 'fall' : 'rise';
  return alert.direction === 'down' ? 'fall' : 'rise';
}

function levelOf(alert: Alert, unit: Unit): ChartLevel | undefined {
  if (alert.role === 'no_data') return undefined;
  return alert.askedLevel === null
    ? changeLevel(alert, unit)
    : askedLevel(alert, alert.askedLevel, unit);
}

/** The chart has listed prices, so the line is drawn where the price with its fee is the asked level. */
function askedLevel({ feeBps }: Alert, level: number, unit: Unit): ChartLevel {
  const hasFee = unit === 'price' && feeBps > 0;
  const value = hasFee ? Math.floor((level * WHOLE_BPS) / (WHOLE_BPS + feeBps)) : level;
  const label = `${valueText(unit, level)}${hasFee ? ' with fee' : ''}`;
  return { value, label, words: `Your level: ${label}` };
}

/** Where a change from its baseline is as large as the rule asks. */
function changeLevel(alert: Alert, unit: Unit): ChartLevel | undefined {
  const { baseline, level } = alert;
  const { transform } = parseSeries(alert.series);
  if (baseline === null || baseline === 0 || !transform || transform.measure === 'span') return;
  const { measure } = transform;
  const before = valueText(unit, baseline);
  if (measure === 'below_low' || measure === 'above_high') {
    const name = measure === 'below_low' ? 'lowest' : 'highest';
    return {
      value: baseline,
      label: `${name} before: ${before}`,
      words: `The ${name} before: ${before}`,
    };
  }
  const { distance, text } = distanceOf(measure, { baseline, level, unit });
  const isBelow = measure.startsWith('change') ? alert.base < baseline : measure.startsWith('drop');
  const value = Math.round(isBelow ? baseline - distance : baseline + distance);
  const label = `${valueText(unit, value)} (${text} ${isBelow ? 'below' : 'above'} ${before})`;
  return { value, label, words: `Alert level: ${label}` };
}

function distanceOf(
  measure: ChangeMeasure,
  { baseline, level, unit }: { baseline: number; level: number; unit: Unit },
): { distance: number; text: string } {
  if (measure.endsWith('_pct')) {
    const share = level / WHOLE_BPS;
    return { distance: baseline * share, text: shareText(share) };
  }
  return { distance: level, text: unit === 'rate' ? pointsText(level) : valueText(unit, level) };
}
