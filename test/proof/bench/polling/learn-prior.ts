/**
 * Learns what Getin knows of prices before it has seen one, from the tuning halves of the recorded games and the
 * simulator, and prints it as the numbers of shared/polling/value/prior.ts.
 *
 *   node test/proof/bench/polling/learn-prior.ts
 */
import { moveSpans } from '#shared/polling/value/price-memory.ts';
import { passageTable } from '#shared/polling/value/prior.ts';
import { type Market, recordedMarket, simulateMarket } from './market.ts';
import { hearAll, makeWatchers } from './watchers.ts';

const dayMs = 86_400_000;
/** As the memory of prices does. */
const largestMove = 0.3;
const watchesPerEvent = 10;

/** The log prices of each event, and the time between two of them. */
function pricesOf({ events }: Market) {
  return events.flatMap(({ series }) => {
    const cents = series.flatMap(({ metrics }) => metrics.get_in ?? metrics.avg_price ?? []);
    const [first, last] = [series[0]?.observedAt ?? 0, series.at(-1)?.observedAt ?? 0];
    if (cents.length < 5) return [];
    return { logs: cents.map(Math.log), gapMs: (last - first) / (series.length - 1) };
  });
}

function varianceOver(logs: readonly number[], span: number): number | undefined {
  const most = largestMove * Math.sqrt(span);
  const moves = logs.slice(span).map((log, index) => log - (logs[index] ?? log));
  if (moves.length < span) return undefined;
  const squares = moves.map((move) => Math.max(-most, Math.min(most, move)) ** 2);
  return squares.reduce((sum, each) => sum + each, 0) / squares.length;
}

/** The mean by logarithms, as fleet-learning.ts takes it. */
function usual(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined && value > 1e-10);
  return Math.exp(known.reduce((sum: number, each) => sum + Math.log(each ?? 1), 0) / known.length);
}

/** How often a price came so many deviations below where it was, within 4 refreshes. */
function passages(all: ReturnType<typeof pricesOf>): number[] {
  const span = 4;
  const counts = passageTable.depths.map(() => 0);
  let starts = 0;
  for (const { logs } of all) {
    const deviation = Math.sqrt(varianceOver(logs, span) ?? 0);
    if (deviation < 1e-5) continue;
    for (let at = 0; at + span < logs.length; at += 4) {
      const fall = (logs[at] ?? 0) - Math.min(...logs.slice(at + 1, at + span + 1));
      starts += 1;
      for (const [index, depth] of passageTable.depths.entries()) {
        if (depth === 0 || fall >= depth * deviation) counts[index] = (counts[index] ?? 0) + 1;
      }
    }
  }
  return counts.map((count) => count / Math.max(1, starts));
}

async function learn(market: Market, seed: number) {
  const all = pricesOf(market);
  const watchers = makeWatchers(market, market.events.length * watchesPerEvent, seed);
  const heard = await hearAll(market, watchers);
  const days = market.events.reduce(
    (sum, { startsAt }) => sum + (Math.min(market.endMs, startsAt) - market.startMs) / dayMs,
    0,
  );
  const variance = (span: number) => all.map(({ logs }) => varianceOver(logs, span));
  return {
    market: market.name,
    variancePerDay: usual(
      all.map(({ logs, gapMs }) => ((varianceOver(logs, 1) ?? 0) * dayMs) / gapMs),
    ),
    growth: moveSpans.slice(1).map((span, index) => {
      const [short, long] = [variance(moveSpans[index] ?? 1), variance(span)];
      return usual(long.map((each, at) => each && each / (short[at] ?? Number.NaN)));
    }),
    alertsPerWatchDay: heard.length / watchesPerEvent / days,
    chances: passages(all),
  };
}

const simulated = simulateMarket({ events: 60, days: 7, seed: 1 });
const recorded = recordedMarket({ events: 300, days: 20, half: 'tuning' });
const learned = [await learn(simulated, 1), ...(recorded ? [await learn(recorded, 1)] : [])];
for (const each of learned)
  console.log(
    JSON.stringify(each, (_key, value) =>
      typeof value === 'number' ? Number(value.toPrecision(3)) : value,
    ),
  );
