/**
 * The series that a rule or condition watches. Shared by rules and their conditions; makes no triggers.
 */

import { coverageCondition } from '../coverage.ts';
import type { PriceMetricName } from '../metric.ts';
import {
  type Baseline,
  type ChangeMeasure,
  type SeriesKey,
  seriesKeyOf,
  type Transform,
} from '../series.ts';
import { listingSeries as seriesOfFilter } from '../sources/listings.ts';
import { type BaseSeries, unitOf } from '../sources/sources.ts';
import type { TriggerCondition } from '../trigger.ts';
import { type Cents, type Count, centsOf, count, type Rate, rateOf } from '../units.ts';
import { sideOf } from './asked-side.ts';
import { filterKeyOf, type ListingFilter } from './listing-filter.ts';
import type { LeafCondition, RuleCondition } from './rule-modifiers.ts';
import type { RuleBaseline, RuleChange } from './rule-parts.ts';

interface PriceSubject {
  metric: PriceMetricName | 'total_listings_active';
  zone?: string | undefined;
  min_quantity?: 1 | 2 | undefined;
}

/** The series of a price metric, for the event or a zone; the get-in for two has its own series. */
export function subjectSeries({ metric, zone, min_quantity }: PriceSubject): BaseSeries {
  const isPair = metric === 'get_in' && min_quantity === 2;
  return { kind: 'metric', metric: isPair ? 'get_in_qty2plus' : metric, zone: zone ?? null };
}

export function listingSeries(
  measure: 'new_cheapest' | 'count',
  filter: ListingFilter,
): BaseSeries {
  return seriesOfFilter(measure, filterKeyOf(filter));
}

export function keyOf(base: BaseSeries, transform: Transform | null = null): SeriesKey {
  return seriesKeyOf({ base, transform, noValue: 'none' });
}

/** An amount of a rule about a price or a count, in the unit of its series: dollars become cents. */
export function amountIn(base: BaseSeries, amount: number): Cents | Count {
  return unitOf(base) === 'price' ? centsOf(amount) : count(Math.ceil(amount));
}

interface ChangeFields {
  drops_by?: RuleChange | undefined;
  rises_by?: RuleChange | undefined;
}

/** The direction and size of a change. */
export function readChange({ drops_by, rises_by }: ChangeFields): {
  way: 'drop' | 'rise';
  by: RuleChange;
} {
  return drops_by ? { way: 'drop', by: drops_by } : { way: 'rise', by: rises_by ?? {} };
}

/** The baseline in the form of a series; null if the trigger keeps it. */
export function seriesBaseline(from: RuleBaseline): Baseline | null {
  if (from.of === 'previous_snapshot') return { of: 'previous' };
  return 'window' in from ? from : null;
}

/** The series and level of a change from a baseline in the snapshot's history. */
export type ChangeLevel = { way: 'drop' | 'rise'; measure: ChangeMeasure; series: SeriesKey } & (
  | {
      isPercent: true;
      level: Rate;
      /** The smallest change, in the number's unit. */
      least: Cents | Count | null;
    }
  | { isPercent: false; level: Cents | Count; least: null }
);

export function changeLevel(
  base: BaseSeries,
  baseline: Baseline,
  change: ChangeFields,
): ChangeLevel {
  const { way, by } = readChange(change);
  if (by.percent === undefined) {
    const level = amountIn(base, by.amount ?? 0);
    const series = keyOf(base, { measure: way, baseline });
    return { way, measure: way, series, isPercent: false, level, least: null };
  }
  const measure = `${way}_pct` as const;
  const least = by.min_amount === undefined ? null : amountIn(base, by.min_amount);
  const series = keyOf(base, { measure, baseline });
  return { way, measure, series, isPercent: true, level: rateOf(by.percent), least };
}

/** Combines a rule's conditions and `besides` into one; null if there are none. */
export function compileConditions(
  allOf: readonly RuleCondition[],
  anyOf: readonly RuleCondition[],
  besides: readonly (TriggerCondition | null)[],
): TriggerCondition | null {
  const parts = [
    ...besides.filter((beside) => beside !== null),
    ...allOf.map(compileCondition),
    ...(anyOf.length > 0 ? [{ any: anyOf.map(compileCondition) }] : []),
  ];
  return parts.length > 1 ? { all: parts } : (parts[0] ?? null);
}

function compileCondition(condition: RuleCondition): TriggerCondition {
  if (!('conditions' in condition)) return compileLeaf(condition);
  const parts = condition.conditions.map(compileCondition);
  return condition.type === 'all_of' ? { all: parts } : { any: parts };
}

function compileLeaf(leaf: LeafCondition): TriggerCondition {
  switch (leaf.type) {
    case 'level':
      return { series: keyOf(subjectSeries(leaf)), ...sideOf(leaf, centsOf) };
    case 'supply':
      return {
        series: keyOf({ kind: 'metric', metric: leaf.metric, zone: null }),
        ...sideOf(leaf, count),
      };
    case 'fill_rate':
      return {
        series: keyOf({ kind: 'metric', metric: 'listing_fill_rate', zone: null }),
        ...sideOf(leaf, rateOf),
      };
    case 'listings':
      return {
        series: keyOf(listingSeries('count', leaf)),
        direction: 'up',
        level: leaf.at_least,
      };
    case 'change':
      return compileChangeLeaf(leaf);
  }
}

function compileChangeLeaf(leaf: Extract<LeafCondition, { type: 'change' }>): TriggerCondition {
  const baseline = seriesBaseline(leaf.from) ?? { of: 'previous' };
  const base = subjectSeries(leaf);
  const { way, series, level, least } = changeLevel(base, baseline, leaf);
  const parts: TriggerCondition[] = [{ series, direction: 'up', level }];
  if (least !== null) {
    const amount = keyOf(base, { measure: way, baseline });
    parts.push({ series: amount, direction: 'up', level: least });
  }
  if ('window' in baseline) parts.push(coverageCondition(base, baseline.window));
  const [only] = parts;
  return only && parts.length === 1 ? only : { all: parts };
}
