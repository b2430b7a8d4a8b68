// What a rule would have told, in words.
import type { RulePreview } from '../../api/calls.ts';
import { inUnit, plural } from '../../words/amounts.ts';
import { span } from '../../words/times.ts';

const dayMs = 86_400_000;
const tens = ['Not once', 'Once', 'Twice'];

/** `Not once`, `Twice`, `7 times`. */
export function timesText(count: number): string {
  return tens[count] ?? `${count} times`;
}

/** The time that the answer is about: `in 30 days`, or `in the 4 d that are known`. */
export function rangeText({ from, to }: Pick<RulePreview, 'from' | 'to'>, days: number): string {
  if (!from || !to) return '';
  const known = Date.parse(to) - Date.parse(from);
  return known < (days - 1) * dayMs ? `in the ${span(known)} that are known` : `in ${days} days`;
}

/** `, last on Nov 26 at $118; the lowest after that was $112`. @param day the day of a time */
export function lastText({ fires, unit }: RulePreview, day: (at: number) => string): string {
  const counted = fires.filter((fire) => !fire.already_true);
  const last = counted.at(-1);
  if (!last) return '';
  const after = last.lowest_after;
  const rest = after ? `; the lowest after that was ${inUnit(after.value, unit)}` : '';
  return `, ${counted.length > 1 ? 'last ' : ''}on ${day(Date.parse(last.observed_at))} at ${inUnit(last.value, unit)}${rest}`;
}

/** How the alerts would have come: `In 2 messages, because quiet hours or a digest hold some.`; empty if each by itself. */
export function heldText({ count, messages, recoveries }: RulePreview): string {
  if (messages === null || messages >= count + recoveries.length) return '';
  return `They would have come in ${plural(messages, 'message')}, because quiet hours or a digest hold some.`;
}

/** Whether older prices can be bought for the answer. */
export function canBuy(
  { from, bought }: RulePreview,
  isOfListings: boolean,
  wanted: number,
): boolean {
  return !bought && !isOfListings && (!from || Date.parse(from) - wanted > dayMs);
}

/** An amount as people set it: whole dollars from 20 on, a tenth of a percent, a whole number. */
export function roundAmount(amount: number, unit: RulePreview['unit']): number {
  const step = unit === 'count' || (unit === 'dollars' && amount >= 20) ? 1 : 0.1;
  return Number(Math.max(step, Math.round(amount / step) * step).toFixed(1));
}

type CurvePoint = RulePreview['curve'][number];

/** The points of a curve around an amount: at most so many, each with an amount of its own. */
export function pointsAround(
  curve: readonly CurvePoint[],
  own: number | undefined,
  { most, unit }: { most: number; unit: RulePreview['unit'] },
): CurvePoint[] {
  const isOwn = ({ amount }: CurvePoint) => amount === own;
  const all = [...Map.groupBy(curve, ({ amount }) => roundAmount(amount, unit)).values()].flatMap(
    (same) => same.find(isOwn) ?? same.slice(0, 1),
  );
  const at = all.findIndex(isOwn);
  const first = Math.max(0, Math.min(Math.max(at, 0) - Math.floor(most / 2), all.length - most));
  return all.slice(first, first + most);
}
