/**
 * For each cell of the modifier table that is accepted: a rule, what the market does, and the snapshots at
 * which the rule alerts with and without the modifier. Runs nothing.
 */
import type { Modifier, RuleKind } from '#shared/rules/language/modifier-table.ts';
import type { FilterSummary } from '#shared/rules/listings-snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { aSnapshot, MINUTE, START } from './market.ts';

type Json = Record<string, unknown>;

/** One snapshot a minute: a number, or no value. 100 is far from every rule's level, 79 and less reach it. */
export type Step = number | null;

interface Proof {
  fields: Json;
  steps: Step[];
  /** The snapshots that are there before the rule is made. @default 0 */
  before?: number;
  /** Indexes of the snapshots with an alert or a recovery. */
  with: number[];
  without: number[];
}

const drop = { type: 'change', metric: 'get_in', drops_by: { percent: 10 } };
const ofHour = { from: { of: 'high', window: '1h' }, min_history_hours: 0.01 };

/** A rule of each kind. */
export const rulesByKind: Record<RuleKind, Json> = {
  level: { type: 'level', metric: 'get_in', at_or_below: 80 },
  window_percent: { ...drop, ...ofHour },
  window_amount: { ...drop, drops_by: { amount: 10 }, ...ofHour },
  previous_snapshot: { ...drop, from: { of: 'previous_snapshot' } },
  last_alert: { ...drop, from: { of: 'last_alert' } },
  watch_start: { ...drop, from: { of: 'watch_start' } },
  any_change: { type: 'any_change', metric: 'get_in' },
  extreme: {
    ...{ type: 'extreme', metric: 'get_in', new: 'low', within: '1h' },
    min_history_hours: 0.01,
  },
  supply: { type: 'supply', at_or_below: 80 },
  supply_matching: { type: 'supply', matching: {}, at_or_below: 80 },
  becomes: { type: 'supply', zone: 'Floor', becomes: 'available' },
  becomes_matching: { type: 'supply', matching: {}, becomes: 'available' },
  fill_rate: { type: 'fill_rate', at_or_below: 80 },
  listing: { type: 'listing', at_or_below: 80 },
};

export const isOfListings = (kind: RuleKind) => kind === 'listing' || kind.endsWith('_matching');

/** The snapshot of a step; `before` is the step before it. */
export function snapshotOf(kind: RuleKind, index: number, step: Step, before: Step): Snapshot {
  const at = START + index * MINUTE;
  if (isOfListings(kind)) {
    const filters = { all: summaryOf(kind, step ?? 100, before ?? 100) };
    return { feedKind: 'listings', eventId: 7, observedAt: at, filters };
  }
  const scaled = step === null ? null : step * 100;
  const isThere = step !== null && step < 100;
  const floor = isThere ? { Floor: { get_in: scaled } } : {};
  const zones = step === null ? {} : { Balcony: { get_in: 5_000 }, ...floor };
  return aSnapshot(
    at,
    {
      get_in: scaled,
      total_listings_active: kind === 'supply' ? step : 30,
      listing_fill_rate: scaled,
    },
    zones,
  );
}

function summaryOf(kind: RuleKind, step: number, before: number): FilterSummary {
  const place = { zone: 'Floor', section: '1', row: 'A', quantity: 2 };
  const priceCents = step * 100;
  const match = { ...place, key: `${step}@2026`, priceCents };
  const isGone = kind === 'becomes_matching' && step === 100;
  return {
    count: isGone ? 0 : step,
    cheapestCents: priceCents,
    newCheapestCents: step === before ? null : priceCents,
    matches: [match],
  };
}

const thrice = [100, 79, 100, 70, 100, 60];
const conditions = (kind: RuleKind, count: number): Json[] => [
  isOfListings(kind)
    ? { type: 'listings', at_least: count }
    : { type: 'supply', metric: 'total_listings_active', at_or_above: count },
];

/** The proof of each modifier, but for `urgent`, which changes the alert and not when it is raised. */
const usual: Record<Exclude<Modifier, 'urgent'>, (kind: RuleKind) => Proof> = {
  all_of: (kind) => ({
    ...{ fields: { all_of: conditions(kind, 1_000) }, steps: [100, 79] },
    ...{ with: [], without: [1] },
  }),
  any_of: (kind) => ({
    ...{ fields: { any_of: conditions(kind, 1_000) }, steps: [100, 79] },
    ...{ with: [], without: [1] },
  }),
  'when_already_true: fire': (kind) => ({
    ...{ fields: { when_already_true: 'fire' }, steps: [100, 79, 100, 70], before: 2 },
    ...{ with: [1, 3], without: firesWhenMade(kind) ? [1, 3] : [3] },
  }),
  'when_already_true: wait': (kind) => ({
    ...{ fields: { when_already_true: 'wait' }, steps: [100, 79, 100, 70], before: 2 },
    ...{ with: [3], without: firesWhenMade(kind) ? [1, 3] : [3] },
  }),
  'on_no_data: alert': () => ({
    ...{ fields: { on_no_data: 'alert' }, steps: [100, null, 100], with: [1], without: [] },
  }),
  'on_no_data: clear': () => ({
    ...{ fields: { on_no_data: 'clear' }, steps: [100, 79, null, 79] },
    ...{ with: [1, 3], without: [1] },
  }),
  confirmations: () => ({
    ...{ fields: { confirmations: 2 }, steps: [100, 79, 79, 79], with: [2], without: [1] },
  }),
  rearm_percent: () => ({
    ...{ fields: { rearm_percent: 20 }, steps: [100, 79, 94, 79], with: [1], without: [1, 3] },
  }),
  rearm_amount: () => ({
    ...{ fields: { rearm_amount: 20 }, steps: [100, 79, 94, 79], with: [1], without: [1, 3] },
  }),
  cool_down_minutes: () => ({
    ...{ fields: { cool_down_minutes: 60 }, steps: thrice, with: [1], without: [1, 3, 5] },
  }),
  at_most_per_day: () => ({
    ...{ fields: { at_most_per_day: 1 }, steps: thrice, with: [1], without: [1, 3, 5] },
  }),
  'tell_recovery: true': () => ({
    ...{ fields: { tell_recovery: true }, steps: [100, 79, 100], with: [1, 2], without: [1] },
  }),
  within_days_of_event: () => ({
    ...{ fields: { within_days_of_event: 1 }, steps: [100, 79], with: [], without: [1] },
  }),
  expires_at: () => ({
    fields: { expires_at: new Date(START + 1.5 * MINUTE).toISOString() },
    ...{ steps: [100, 79, 100, 70], with: [1], without: [1, 3] },
  }),
  repeat_every_further_percent: () => ({
    ...{ fields: { repeat_every_further_percent: 5 }, steps: [100, 79, 70] },
    ...{ with: [1, 2], without: [1] },
  }),
  fee_percent: () => ({
    ...{ fields: { fee_percent: 10 }, steps: [100, 79], with: [], without: [1] },
  }),
  min_history_hours: () => ({
    ...{ fields: { min_history_hours: 0.25 }, steps: [100, 79], with: [], without: [1] },
  }),
};

function firesWhenMade(kind: RuleKind): boolean {
  return ['level', 'supply', 'supply_matching', 'fill_rate', 'listing'].includes(kind);
}

/** Where a kind differs: a price that goes back up is a change too; margins of a change are smaller. */
const own: Partial<Record<RuleKind, Partial<Record<Modifier, Partial<Proof>>>>> = {
  any_change: {
    'when_already_true: fire': { with: [1, 2, 3], without: [2, 3] },
    'when_already_true: wait': { with: [2, 3], without: [2, 3] },
    cool_down_minutes: { without: [1, 2, 3, 4, 5] },
    at_most_per_day: { without: [1, 2, 3, 4, 5] },
    expires_at: { without: [1, 2, 3] },
  },
  window_percent: { rearm_percent: { fields: { rearm_percent: 5 } } },
  window_amount: {
    rearm_percent: { with: [1, 3], without: [1] },
    rearm_amount: { fields: { rearm_amount: 2 }, with: [1, 3], without: [1] },
  },
};

export function proofOf(modifier: Exclude<Modifier, 'urgent'>, kind: RuleKind): Proof {
  return { ...usual[modifier](kind), ...own[kind]?.[modifier] };
}

/** A value of each modifier, for a rule that refuses it. */
export function fieldsOf(modifier: Modifier, kind: RuleKind): Json {
  return modifier === 'urgent' ? { urgent: true } : usual[modifier](kind).fields;
}
