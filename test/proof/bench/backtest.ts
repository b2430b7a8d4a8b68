// A curve of 40 levels over 13,000 snapshots with 8 zones, which is 90 days at one every ten minutes: the
// backtest, against a plain loop that compares each price with each level and knows one kind of rule. Rounds
// alternate; times are medians of processor time. The last line is JSON.
//
//   node test/proof/bench/backtest.ts [--quick]
import { runBacktest } from '#shared/backtest/backtest.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import type { MarketSnapshot, ZoneMetrics } from '#shared/rules/snapshot.ts';
import { median } from '#test/support/quantile.ts';

const rounds = process.argv.includes('--quick') ? 5 : 15;
const count = 13_000;
const levels = 40;
const everyMs = 600_000;
const startMs = Date.UTC(2026, 0, 1);
const zoneNames = ['Floor', 'Lower Bowl', 'Club', 'Suites', 'Upper Bowl', 'Balcony', 'GA', 'Pit'];

const rules: Record<string, Rule> = {
  'a level': { type: 'level', metric: 'get_in', at_or_below: 80 },
  'a zone’s level': { type: 'level', metric: 'get_in', zone: 'Club', at_or_below: 80 },
  'a drop within 24 h': {
    ...{ type: 'change', metric: 'get_in', drops_by: { percent: 5 } },
    from: { of: 'high', window: '24h' },
  },
  'a drop under the median of 7 days': {
    ...{ type: 'change', metric: 'get_in', drops_by: { percent: 5 } },
    from: { of: 'median', window: '7d' },
  },
};

/** A price that wanders, the same in each run. */
function market(): MarketSnapshot[] {
  let seed = 1;
  let cents = 20_000;
  return Array.from({ length: count }, (_, index) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    cents = Math.max(1_000, Math.round(cents * (1 + (seed / 2_147_483_648 - 0.5) * 0.02)));
    return {
      ...{ feedKind: 'stats', eventId: 7, observedAt: startMs + index * everyMs },
      metrics: { ...pricesOf(cents), total_listings_active: 400, listing_fill_rate: 5_000 },
      zones: Object.fromEntries(
        zoneNames.map((name, zone) => [name, pricesOf(cents + zone * 1_000)]),
      ),
    };
  });
}

function pricesOf(cents: number): ZoneMetrics {
  const metrics = { get_in: cents, get_in_qty2plus: cents + 100 };
  return { ...metrics, avg_price: cents + 5_000, median_price: cents + 3_000 };
}

/** The peer: crossings of each level with a rearm of 3 %. */
function plainLoop(snapshots: readonly MarketSnapshot[]): number {
  let fires = 0;
  for (let level = 0; level < levels; level += 1) {
    const cents = 4_000 + level * 500;
    let isArmed = true;
    for (const { metrics } of snapshots) {
      const price = metrics.get_in ?? 0;
      if (isArmed && price <= cents) {
        fires += 1;
        isArmed = false;
      } else if (!isArmed && price >= cents * 1.03) isArmed = true;
    }
  }
  return fires;
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const snapshots = market();
const input = { eventId: 7, snapshots, eventStartsAt: null };
const figures = [];
for (const [name, rule] of Object.entries(rules)) {
  const run = () => runBacktest(rule, input, { aimPerWeek: 1, latencyMs: 60_000 });
  const { curve } = await run();
  const times: number[] = [];
  const loops: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await cpuMs(run));
    loops.push(await cpuMs(() => plainLoop(snapshots)));
  }
  figures.push({
    rule: name,
    amounts: curve.length,
    'processor ms': Math.round(median(times)),
    'plain loop ms': Math.round(median(loops)),
  });
}
console.table(figures);
console.log(
  JSON.stringify({
    bench: 'backtest',
    snapshots: count,
    zones: zoneNames.length,
    cpuMs: Object.fromEntries(figures.map((row) => [row.rule, row['processor ms']])),
    loopMs: figures[0]?.['plain loop ms'],
  }),
);
