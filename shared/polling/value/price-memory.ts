// What a feed remembers of its event's price: how far it moves in 1, 4, 16 and 64 refreshes, and its range over a
// day and a week. Few numbers, each new price changes them; no list of prices is kept. Pure.

/** The numbers of refreshes over which moves are measured. */
export const moveSpans = [1, 4, 16, 64] as const;

/** The highest and the lowest log price of the current block of time, and of the block before it. */
interface Range {
  /** Epoch milliseconds. */
  startsAt: number;
  high: number;
  low: number;
  highBefore: number;
  lowBefore: number;
}

/** Prices are natural logarithms of cents. */
export interface PriceMemory {
  firstAt: number;
  last: number;
  /** Refreshes since the first. */
  steps: number;
  /** For each span: the price at its last multiple, the sum of squared moves, and how many moves; both fade. */
  from: number[];
  squares: number[];
  counts: number[];
  day: Range;
  week: Range;
}

const dayMs = 86_400_000;
/** A mis-keyed price moves the volatility no more than this, the logarithm of 1.35, a step. */
const largestMove = 0.3;
/** Moves after which an old one counts half; of longer spans there are fewer. */
const halfLife = [64, 48, 24, 12];

/** The memory after one more price, at a time (epoch ms); a missing price changes nothing. */
export function rememberPrice(
  before: PriceMemory | undefined,
  { at, cents }: { at: number; cents: number | null },
): PriceMemory | undefined {
  if (cents === null || cents <= 0) return before;
  const price = Math.log(cents);
  if (!before) return firstMemory(price, at);
  const memory = {
    ...before,
    ...{ steps: before.steps + 1, last: price },
    from: [...before.from],
    squares: [...before.squares],
    counts: [...before.counts],
    day: within(before.day, { at, price, blockMs: dayMs / 2 }),
    week: within(before.week, { at, price, blockMs: 3.5 * dayMs }),
  };
  for (const [index, span] of moveSpans.entries()) {
    if (memory.steps % span === 0) measureMove(memory, index, price);
  }
  return memory;
}

function firstMemory(price: number, at: number): PriceMemory {
  const range = { startsAt: at, high: price, low: price, highBefore: price, lowBefore: price };
  const none = moveSpans.map(() => 0);
  return {
    ...{ firstAt: at, last: price, steps: 0, from: moveSpans.map(() => price) },
    ...{ squares: none, counts: none, day: range, week: range },
  };
}

function measureMove(memory: PriceMemory, index: number, price: number): void {
  const span = moveSpans[index] ?? 1;
  const most = largestMove * Math.sqrt(span);
  const move = Math.max(-most, Math.min(most, price - (memory.from[index] ?? price)));
  const kept = 0.5 ** (1 / (halfLife[index] ?? 1));
  memory.squares[index] = (memory.squares[index] ?? 0) * kept + move * move;
  memory.counts[index] = (memory.counts[index] ?? 0) * kept + 1;
  memory.from[index] = price;
}

function within(
  range: Range,
  { at, price, blockMs }: { at: number; price: number; blockMs: number },
): Range {
  if (at < range.startsAt + blockMs) {
    return { ...range, high: Math.max(range.high, price), low: Math.min(range.low, price) };
  }
  return {
    ...{ startsAt: at, high: price, low: price },
    ...{ highBefore: range.high, lowBefore: range.low },
  };
}

/** The range over about a day or a week, as log prices. */
export function rangeOf(memory: PriceMemory, span: 'day' | 'week'): { high: number; low: number } {
  const { high, low, highBefore, lowBefore } = memory[span];
  return { high: Math.max(high, highBefore), low: Math.min(low, lowBefore) };
}

/** What the fleet knows of moves, for feeds that have seen few. */
export interface UsualMoves {
  /** The variance of log prices over a day. */
  variancePerDay: number;
  /** The variance over each span, in that of the span before: 4 for a price that never turns back. */
  growth: number[];
}

/** So many moves of the fleet's size count beside the feed's own. */
const fleetMoves = [5, 10, 20, 20];

/** The variance over each span: the feed's own as far as it is known, else the fleet's. */
export function variancesOf(
  memory: PriceMemory,
  { variancePerDay, growth }: UsualMoves,
  gapMs: number,
): number[] {
  let usual = (variancePerDay * gapMs) / dayMs;
  return moveSpans.map((_, index) => {
    if (index > 0) usual *= growth[index - 1] ?? 1;
    const beside = fleetMoves[index] ?? 1;
    usual =
      ((memory.squares[index] ?? 0) + beside * usual) / ((memory.counts[index] ?? 0) + beside);
    return Math.max(usual, 1e-10);
  });
}

/** The standard deviation of the log price after so many refreshes, between and beyond the spans. */
export function deviationAfter(variances: readonly number[], refreshes: number): number {
  const next = moveSpans.findIndex((span) => span >= refreshes);
  const index = next === -1 ? moveSpans.length - 1 : Math.max(1, next);
  const [low, high] = [variances[index - 1] ?? 0, variances[index] ?? 0];
  const [from, to] = [moveSpans[index - 1] ?? 1, moveSpans[index] ?? 1];
  const power = Math.min(1, Math.log(Math.max(high, low) / low) / Math.log(to / from));
  return Math.sqrt(low * (Math.max(1, refreshes) / from) ** power);
}
