// The one amount of a rule that is turned up or down: by the bars of how often, or by the line on the chart.
import { changeIn, levelIn, type RuleDraft, sideOf, withFields, withSide } from './rule-draft.ts';
import { written } from './sentence-parts.ts';

/** The field of the amount, and the part of the rule that has it. */
function placeIn(draft: RuleDraft): { part?: 'drops_by' | 'rises_by'; field: string } {
  if (draft.type === 'change') {
    const { way, by } = changeIn(draft);
    return { part: way, field: by.percent === undefined ? 'amount' : 'percent' };
  }
  if (draft.type === 'extreme') return { field: 'min_amount' };
  if (draft.type !== 'any_change') return { field: sideOf(draft) };
  return { field: draft.min_percent === undefined ? 'min_amount' : 'min_percent' };
}

/** As the API's preview varies it; undefined for a rule without one. */
export function amountIn(draft: RuleDraft): number | undefined {
  const { part, field } = placeIn(draft);
  const holder: object = (part ? draft[part] : draft) ?? {};
  const amount: unknown = Reflect.get(holder, field);
  return typeof amount === 'number' ? written(amount) : undefined;
}

/** The rule with another amount. */
export function withAmount(draft: RuleDraft, amount: number): RuleDraft {
  const { part, field } = placeIn(draft);
  if (!part) return withFields(draft, { [field]: amount });
  return withFields(draft, { [part]: { ...draft[part], [field]: amount } });
}

/** Where the level is on a chart of listed prices: without the fee that the rule adds. undefined for a rule about a change. */
export function lineOf(draft: RuleDraft): number | undefined {
  const level = hasLine(draft) ? levelIn(draft) : undefined;
  return level === undefined ? undefined : level / feeFactor(draft);
}

/** The rule whose line is at this listed price. */
export function withLine(draft: RuleDraft, price: number): RuleDraft {
  const level = Math.round(price * feeFactor(draft) * 100) / 100;
  return withSide(draft, sideOf(draft), level);
}

function hasLine({ type, becomes }: RuleDraft): boolean {
  return ['level', 'listing', 'fill_rate'].includes(type) || (type === 'supply' && !becomes);
}

function feeFactor({ fee_percent: percent }: RuleDraft): number {
  return 1 + (written(percent) ?? 0) / 100;
}

/** The metric whose chart fits a rule: its own, or get-in for single listings. */
export function chartMetricOf({ type, metric, min_quantity, matching }: RuleDraft): string {
  if (metric === 'get_in' && min_quantity === 2) return 'get_in_qty2plus';
  if (metric) return metric;
  if (type === 'fill_rate') return 'listing_fill_rate';
  return type === 'supply' && !matching ? 'total_listings_active' : 'get_in';
}

/** The zone whose chart fits a rule; undefined: the event. */
export function chartZoneOf({ zone, zones, matching }: RuleDraft): string | undefined {
  const all = [...(zone === undefined ? [] : [zone]), ...(zones ?? matching?.zones ?? [])];
  return all.length === 1 ? all[0] : undefined;
}
