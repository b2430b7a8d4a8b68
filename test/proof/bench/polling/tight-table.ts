// Prints the rows of tight caps as a table.
import { type SeedsFor, seedsFor, type TightRow } from './tight-caps.ts';

const columns = [
  ...['market', 'pulls an event and day', 'mean min', 'p50', 'p95', 'in the optimum'],
  ...['in equal gaps at true rates', 'every event in turn, mean', 'data’s age, median min'],
  ...['busiest 5 min', 'even share', 'missed'],
];

/** The lines above the rows; they say which seeds are measured. */
export function tightHeading(half: SeedsFor): string {
  const [own, other] =
    half === 'judging' ? (['judging', 'tuning'] as const) : (['tuning', 'judging'] as const);
  return [
    `\ntight caps, seeds ${seedsFor[own].join(', ')} (${own}; ${other} has ${seedsFor[other].join(', ')}, and the other half of the recorded games)`,
    `| ${columns.join(' | ')} |`,
    `|${columns.map((_, index) => (index === 0 ? ' --- ' : ' ---: ')).join('|')}|`,
  ].join('\n');
}

/** One row; a dash where the optimum is too short to compare with. */
export function tightLine(row: TightRow): string {
  const minutes = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const cells = [
    ...[row.market, row.pulls, minutes(row.mean), minutes(row.p50), minutes(row.p95)],
    ...[row.inOptimum === null ? '–' : row.inOptimum.toFixed(1), row.inEqualGaps.toFixed(2)],
    ...[minutes(row.inTurn), row.age.toFixed(1), row.busiest, row.share.toFixed(2), row.missed],
  ];
  return `| ${cells.join(' | ')} |`;
}
