// The wished latency is kept: the real dispatch, poll, cadence and matching on a virtual clock, over
// markets whose rhythm changes at any time, with budget and rate limit free.
import fc from 'fast-check';
import { expect } from 'vitest';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { runFleet } from '#test/proof/bench/polling/fleet.ts';
import type { Market, MarketEvent } from '#test/proof/bench/polling/market.ts';
import { hearAll, type Watcher } from '#test/proof/bench/polling/watchers.ts';

export const minuteMs = 60_000;
const startMs = Date.parse('2026-03-01T00:00:00Z');
const unlimited = { daily: 1e9, monthly: 1e9 };
/** From a refresh to the run of dispatch that polls it: the runs are a minute apart. */
export const stepsMs = minuteMs;

/** Cheap at every other refresh, so that every other refresh is an alert. */
function aSnapshot(eventId: number, observedAt: number, index: number): MarketSnapshot {
  const price = index % 2 === 0 ? 10_000 : 5_000;
  const prices = { get_in: price, get_in_qty2plus: price, avg_price: price, median_price: price };
  return {
    ...{ feedKind: 'stats', eventId, observedAt, zones: {} },
    metrics: { ...prices, total_listings_active: 5, listing_fill_rate: 5_000 },
  };
}

/** An event that refreshes after each of these gaps; the first refreshes are from before the start. */
function anEvent(eventId: number, gapsMs: readonly number[], historyMs: number): MarketEvent {
  let at = startMs - historyMs;
  const series = gapsMs.map((gapMs, index) => {
    at += gapMs;
    return aSnapshot(eventId, at, index);
  });
  return { eventId, startsAt: startMs + 90 * 86_400_000, series };
}

/** The longest wait of any alert beyond its subscription, and the alerts that were told and missed. */
export async function measureLatency(
  events: { gapsMs: number[]; historyMs: number; latencySeconds: number }[],
) {
  const series = events.map(({ gapsMs, historyMs }, index) =>
    anEvent(index + 1, gapsMs, historyMs),
  );
  const lastAt = Math.max(...series.map((event) => event.series.at(-1)?.observedAt ?? startMs));
  const longestMs = Math.max(...events.map(({ latencySeconds }) => latencySeconds)) * 1_000;
  const endMs = lastAt + longestMs + 2 * minuteMs;
  const market: Market = { name: 'random rhythms', startMs, endMs, events: series };
  const watchers: Watcher[] = events.map(({ latencySeconds }, index) => ({
    ...{ watchId: `wat_${index + 1}`, eventId: index + 1, latencySeconds },
    rule: ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below: 60 }),
  }));
  const expected = await hearAll(market, watchers);
  const { told } = await runFleet(market, watchers, unlimited);
  const latencyOf = new Map(watchers.map((each) => [each.watchId, each.latencySeconds * 1_000]));
  const beyondMs = told.map(
    ({ watchId, observedAt, toldAt }) => toldAt - observedAt - (latencyOf.get(watchId) ?? 0),
  );
  const missed = expected.filter(({ alert }) => !told.some((each) => each.alert === alert));
  return { beyondMs: Math.max(Number.NEGATIVE_INFINITY, ...beyondMs), told, missed };
}

const slow = fc.integer({ min: 60, max: 180 });
const fast = fc.integer({ min: 2, max: 10 });
const day = fc.integer({ min: 1_000, max: 1_500 });

/** Stretches of one pace each, in an order that nothing tells beforehand; minutes. */
const anyRhythm = fc
  .array(
    fc.oneof(
      fc.array(slow, { minLength: 1, maxLength: 10 }),
      fc.array(fast, { minLength: 1, maxLength: 20 }),
      fc.array(day, { minLength: 1, maxLength: 1 }),
    ),
    { minLength: 2, maxLength: 5 },
  )
  .map((stretches) => stretches.flat());

/** Fixed, so that a failure of CI can be repeated; look for more with other seeds. */
const seed = 20261128;

/** Runs some fleets of up to eight events, each with a rhythm of its own. @returns how many alerts there were */
export async function expectLatencyKept(fleets: number): Promise<number> {
  let alerts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          gapsMs: fc
            .tuple(anyRhythm, fc.integer({ min: 0, max: 59_999 }))
            .map(([gaps, jitterMs]) => gaps.map((gap) => gap * minuteMs + jitterMs)),
          historyMs: fc.integer({ min: 0, max: 1_500 }).map((minutes) => minutes * minuteMs),
          latencySeconds: fc.constantFrom(60, 90, 300, 900, 3_600),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      async (events) => {
        const { beyondMs, told, missed } = await measureLatency(events);
        alerts += told.length;
        expect(missed).toEqual([]);
        expect(beyondMs).toBeLessThanOrEqual(stepsMs);
      },
    ),
    { numRuns: fleets, seed },
  );
  return alerts;
}
