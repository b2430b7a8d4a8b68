// A short budget is spent over the whole day, and each pull right behind a refresh: the real dispatch, turns and poll
// on a virtual clock, for random fleets and caps, from the first day on, with rhythms unknown and lost, new watches
// and an outage of ours.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { runFleet } from '#test/proof/bench/polling/fleet.ts';
import type { Market, MarketEvent } from '#test/proof/bench/polling/market.ts';
import type { PaidPull } from '#test/proof/bench/polling/served-market.ts';
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
  /** Refreshes before the start: with fewer than two the rhythm is unknown. */
  refreshesBefore: number;
  /** The market of the event rests for half a day. */
  rests: boolean;
  /** Whole hours from the start to the first watch. */
  watchedAfterHours: number;
}

const outage = { from: startMs + 27 * 3_600_000, to: startMs + 31 * 3_600_000 };
const rest = { from: startMs + 15 * 3_600_000, to: startMs + 24 * 3_600_000 };

const aFleet = fc.record({
  events: fc.array(
    fc.record({
      gapMinutes: fc.oneof(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 60, max: 720 })),
      phase: fc.double({ min: 0, max: 0.999, noNaN: true }),
      jitterSeconds: fc.integer({ min: 0, max: 20 }),
      levelShare: fc.double({ min: 0.5, max: 0.99, noNaN: true }),
      refreshesBefore: fc.oneof(fc.constant(0), fc.constant(1), fc.integer({ min: 2, max: 6 })),
      rests: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
      watchedAfterHours: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        fc.integer({ min: 1, max: 30 }),
      ),
    }),
    { minLength: 5, maxLength: 20 },
  ),
  pullsPerEvent: fc.double({ min: 0.3, max: 4, noNaN: true }),
});

const alike = (length: number, refreshes: Pick<EventPlan, 'gapMinutes' | 'refreshesBefore'>) =>
  Array.from(
    { length },
    (): EventPlan => ({
      ...{ ...refreshes, phase: 0.1, jitterSeconds: 5, levelShare: 0.9 },
      ...{ rests: false, watchedAfterHours: 0 },
    }),
  );
const examples = [
  // No rhythm is known on the first day, and its cap is used up before its end.
  { events: alike(30, { gapMinutes: 900, refreshesBefore: 0 }), pullsPerEvent: 1.2 },
  // Each rhythm is known from the start.
  { events: alike(10, { gapMinutes: 30, refreshesBefore: 6 }), pullsPerEvent: 3 },
];

/** Events whose refreshes do not come together, whatever the phases are. */
function anEvent(plan: EventPlan, index: number): MarketEvent {
  const { gapMinutes, phase, jitterSeconds, refreshesBefore, rests } = plan;
  const gapMs = gapMinutes * minuteMs;
  const firstMs = startMs + (((phase + 0.618 * index) % 1) - refreshesBefore) * gapMs;
  const count = Math.ceil((days * dayMs) / gapMs) + refreshesBefore;
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
  const isThere = ({ observedAt }: { observedAt: number }) =>
    !(rests && observedAt > rest.from && observedAt < rest.to);
  return { eventId: index + 1, startsAt: startMs + 30 * dayMs, series: series.filter(isThere) };
}

/** Whether the pulls before had brought four gaps; the first pull of each event brought what was there at the start. */
function isRhythmKnown(
  { at, eventId }: PaidPull,
  paid: readonly PaidPull[],
  events: readonly MarketEvent[],
): boolean {
  const earlier = paid.filter((pull) => pull.eventId === eventId && pull.at < at);
  const seenThrough = Math.max(startMs, ...earlier.map(({ newestAt }) => newestAt));
  const { series = [] } = events[eventId - 1] ?? {};
  return series.filter(({ observedAt }) => observedAt <= seenThrough).length >= 5;
}

/** A first pull is at once where the cap allows it, so it is not counted. */
async function measure(plans: readonly EventPlan[], daily: number) {
  const events = plans.map(anEvent);
  const endMs = startMs + days * dayMs;
  const market: Market = { name: 'random fleet', startMs, endMs, events };
  const watchers = plans.map(({ levelShare }, index): Watcher => {
    const at_or_below = Math.round(100 * levelShare);
    const rule = ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below });
    return { watchId: `wat_${index}`, eventId: index + 1, latencySeconds: 60, rule };
  });
  const { paid } = await runFleet(
    market,
    watchers,
    { daily, monthly: daily * 31 },
    {
      isFirstFree: true,
      watchedFrom: (eventId) =>
        startMs + (plans[eventId - 1]?.watchedAfterHours ?? 0) * 60 * minuteMs,
      isDown: (now) => now >= outage.from && now < outage.to,
    },
  );
  const ages = paid
    .filter((pull) => isRhythmKnown(pull, paid, events))
    .map(({ at, newestAt, eventId }) => {
      const { gapMinutes = 1 } = plans[eventId - 1] ?? {};
      return (at - newestAt) / (gapMinutes * minuteMs);
    });
  const byDay = Map.groupBy(paid, ({ at }) => Math.floor(at / dayMs));
  return { paid, ages, perDay: [...byDay.values()].map(({ length }) => length) };
}

it('spreads a short budget from the first day on, right behind refreshes, and never passes the cap', async () => {
  let known = 0;
  await fc.assert(
    fc.asyncProperty(aFleet, async ({ events, pullsPerEvent }) => {
      const daily = Math.max(5, Math.round(pullsPerEvent * events.length));
      const { paid, ages, perDay } = await measure(events, daily);

      expect(Math.max(0, ...perDay)).toBeLessThanOrEqual(daily);
      known += ages.length;
      // Of one or two pulls the median says nothing.
      if (ages.length >= 5) expect(median(ages)).toBeLessThan(0.1);
      const share = (daily * 5) / 1_440;
      // Below one pull in five minutes a share can't be kept: then a few may come together by chance.
      expect(busiestFiveMinutes(paid)).toBeLessThanOrEqual(Math.max(4, 3 * share));
    }),
    { numRuns: 6, endOnFailure: true, examples: examples.map((each) => [each]) },
  );
  expect(known).toBeGreaterThan(40);
});
