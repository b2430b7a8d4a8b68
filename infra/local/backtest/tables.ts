/** What `npm run backtest` prints; plain text, at most 80 columns. */
import type { Backtest } from '#shared/backtest/backtest.ts';
import type { CurvePoint } from '#shared/backtest/curve.ts';
import type { AmountKind } from '#shared/backtest/rule-amount.ts';
import type { Tested } from './halves.ts';

const barWidth = 30;
const dayMs = 86_400_000;

/** An amount as people write it. */
export function amountText(amount: number, kind: AmountKind): string {
  if (kind === 'count') return String(amount);
  return kind.endsWith('dollars') || kind === 'price'
    ? `$${amount.toFixed(2)}`
    : `${Number(amount.toFixed(2))} %`;
}

/** The curve of one event: an amount a line. */
export function curveTable(
  { curve, suggested, covered }: Backtest,
  { kind, own }: { kind: AmountKind; own: number },
): string[] {
  const most = Math.max(1, ...curve.map(({ count }) => count));
  const days = covered ? Math.round((covered.through - covered.from) / dayMs) : 0;
  return [
    `${'amount'.padStart(12)}${'alerts'.padStart(8)}${'a week'.padStart(8)}   over ${days} days`,
    ...curve.map((point) => {
      const mark = markOf(point, { suggested, own });
      return curveLine(point, { kind, most }) + mark;
    }),
  ];
}

function markOf(
  { amount }: CurvePoint,
  { suggested, own }: { suggested: CurvePoint | undefined; own: number },
): string {
  if (amount === suggested?.amount) return '  < suggested';
  return amount === own ? '  < the rule' : '';
}

function curveLine(
  { amount, count, perWeek }: CurvePoint,
  { kind, most }: { kind: AmountKind; most: number },
): string {
  const text = amountText(amount, kind).padStart(12);
  const rate = (perWeek === null ? '' : perWeek.toFixed(2)).padStart(8);
  return `${text}${String(count).padStart(8)}${rate}   ${'█'.repeat(Math.round((count / most) * barWidth))}`;
}

const spans = [
  { name: 'none', holds: (rate: number) => rate === 0 },
  { name: 'under 0.5 a week', holds: (rate: number) => rate > 0 && rate < 0.5 },
  { name: '0.5 to 2 a week', holds: (rate: number) => rate >= 0.5 && rate <= 2 },
  { name: 'over 2 a week', holds: (rate: number) => rate > 2 },
];

/** How the suggested amounts did in the later halves. */
export function laterTable(tested: readonly Tested[]): string[] {
  return spans.map(({ name, holds }) => {
    const count = tested.filter(({ perWeek }) => holds(perWeek)).length;
    const share = tested.length === 0 ? 0 : count / tested.length;
    const percent = `${Math.round(share * 100)} %`.padStart(6);
    return `  ${name.padEnd(18)}${String(count).padStart(6)}${percent}   ${'█'.repeat(Math.round(share * barWidth))}`;
  });
}

/** The median and the middle 80 % of the suggested amounts. */
export function amountsLine(tested: readonly Tested[], kind: AmountKind): string {
  const sorted = tested.map(({ amount }) => amount).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const [low, middle, high] = [at(0.1), at(0.5), at(0.9)].map((each) => amountText(each, kind));
  return `Suggested amount: ${middle} in the median game (${low} to ${high} in 8 of 10 games).`;
}
