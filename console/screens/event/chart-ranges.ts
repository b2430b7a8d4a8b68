// The ranges of the chart of an event; the address keeps the one that is chosen.
import { filter, place } from '../../router.ts';

export const dayMs = 86_400_000;

/** As the API names them. */
export const ranges = [
  { value: '24h', text: '24 h', days: 1 },
  { value: '3d', text: '3 d', days: 3 },
  { value: '7d', text: '7 d', days: 7 },
  { value: '30d', text: '30 d', days: 30 },
  { value: 'all', text: 'all', days: 730 },
] as const;
export type ChartRange = (typeof ranges)[number];
const usual = ranges[3];

/** The range of the address. */
export function chosenRange(): ChartRange {
  const asked = place.value.query.get('range');
  return ranges.find(({ value }) => value === asked) ?? usual;
}

export function chooseRange(value: ChartRange['value']): void {
  filter({ range: value === usual.value ? '' : value });
}
