// A short budget is spent over the whole day, and each pull right behind a refresh: the real dispatch, turns and poll
// on a virtual clock, for random fleets and caps.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { runFleet } from '#test/proof/bench/polling/fleet.ts';
import type { Market, MarketEvent } from '#test/proof/bench/polling/market.ts';
import { busiestFiveMinutes } from '#test/proof/bench/polling/tight-caps.ts';
import type { Watcher } from '#test/proof/bench/polling/watchers.ts';
import { median } from '#test/support/quantile.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const startMs = Date.parse('2026-03-01T00:00:00Z');
const days = 2;

interface EventPlan {
  gapMinutes: number;
  phase: number;
  jitterSeconds: number;
  levelShare: number;
}

const aFleet = fc.record({
  events: fc.array(
    fc.record({
      gapMinutes: fc.oneof(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 60, max: 360 })),
      phase: fc.double({ min: 0, max: 0.999, noNaN: true }),
      jitterSeconds: fc.integer({ min: 0, max: 20 }),
      levelShare: fc.double({ min: 0.5, max: 0.99, noNaN: true }),
    }),
    { minLength: 5, maxLength: 20 },
  ),
  pullsPerEvent: fc.double({ min: 0.3, max: 4, noNaN: true }),
});

/** Events whose refreshes do not come together, whatever the phases are. */
function anEvent({ gapMinutes, phase, jitterSeconds }: EventPlan, index: number): MarketEvent {
  const gapMs = gapMinutes * minuteMs;
  const firstMs = startMs - 5 * gapMs + ((phase + 0.618 * index) % 1) * gapMs;
  const count = Math.ceil((days * dayMs) / gapMs) + 5;
  const series = Array.from({ length: count }, (_, tick) => {
    const late = jitterSeconds * 1_000 * Math.abs(Math.sin(index + tick));
    const price = Math.round(10_000 * (1 + 0.1 * Math.sin(index + tick / 9)));
    const prices = { get_in: price, get_in_qty2plus: price, avg_price: price, median_price: price };
    return {
      ...{ feedKind: 'stats' as const, eventId: index + 1, zones: {} },
      observedAt: Math.round(firstMs + tick * gapMs + late),
      metrics: { ...prices, total_listings_active: 5, listing_fill_rate: 5_000 },
    };
  });
  return { eventId: index + 1, startsAt: startMs + 30 * dayMs, series };
}

/** The pulls once every event has its turns; the first half day is for that. */
async function measure(plans: readonly EventPlan[], daily: number) {
  const events = plans.map(anEvent);
  const endMs = startMs + days * dayMs;
  const market: Market = { name: 'random fleet', startMs, endMs, events };
  const watchers = plans.map(({ levelShare }, index): Watcher => {
    const at_or_below = Math.round(100 * levelShare);
    const rule = ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below });
    return { watchId: `wat_${index}`, eventId: index + 1, latencySeconds: 60, rule };
  });
  const run = await runFleet(
    market,
    watchers,
    { daily, monthly: daily * 31 },
    { isFirstFree: true },
  );
  const paid = run.paid.filter(({ at }) => at >= startMs + dayMs / 2);
  const gapOf = (eventId: number) => (plans[eventId - 1]?.gapMinutes ?? 1) * minuteMs;
  const ages = paid.map(({ at, newestAt, eventId }) => (at - newestAt) / gapOf(eventId));
  const byDay = Map.groupBy(run.paid, ({ at }) => Math.floor(at / dayMs));
  return { paid, ages, perDay: [...byDay.values()].map(({ length }) => length) };
}

it('spends a short budget over the day, right behind refreshes, and never passes the cap', async () => {
  let pulls = 0;
  await fc.assert(
    fc.asyncProperty(aFleet, async ({ events, pullsPerEvent }) => {
      const daily = Math.max(10, Math.round(pullsPerEvent * events.length));
      const { paid, ages, perDay } = await measure(events, daily);
      pulls += paid.length;

      expect(Math.max(...perDay)).toBeLessThanOrEqual(daily);
      expect(median(ages)).toBeLessThan(0.1);
      const share = (daily * 5) / 1_440;
      // Below one pull in five minutes a share can't be kept: then a few may come together by chance.
      expect(busiestFiveMinutes(paid)).toBeLessThanOrEqual(Math.max(4, 3 * share));
    }),
    { numRuns: 4, endOnFailure: true },
  );
  expect(pulls).toBeGreaterThan(40);
});
