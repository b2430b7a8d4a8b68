// Only the dispatcher with very many events: real dispatch over memory stores; each dispatched
// feed is polled at once and due again after its latency. No market, no rules.
import { createDispatch } from '#functions/dispatch/dispatch.ts';
import type { PollMessage } from '#shared/polling/feed.ts';
import {
  createMemoryBudgetStore,
  createMemoryFeedStore,
  createMemoryMarketStateStore,
} from '#test/support/memory-stores.ts';
import { quantile } from '../../../support/quantile.ts';

const minuteMs = 60_000;

export interface DispatcherRow {
  events: number;
  callsPerMinute: number;
  /** Over the last half of the run. */
  dispatchedPerMinute: number;
  left: number;
  p50LateMinutes: number;
  p95LateMinutes: number;
  medianRunMs: number;
}

/** Runs `minutes` slots at one limit. Every event wants a poll every five minutes. */
export async function measureDispatcher(o: {
  events: number;
  callsPerMinute: number;
  minutes: number;
}): Promise<DispatcherRow> {
  const feeds = createMemoryFeedStore();
  const budget = createMemoryBudgetStore();
  const marketState = createMemoryMarketStateStore();
  // Dispatch uses four fifths of a bucket.
  const limits = { events_stats: { limit: o.callsPerMinute * 1.25, windowSeconds: 60 } };
  await marketState.change((state) => ({ ...state, limits }));
  const startMs = Date.parse('2026-11-02T00:00:00Z');
  const wishMs = 5 * minuteMs;
  for (let eventId = 1; eventId <= o.events; eventId += 1) {
    const dueAt = startMs + ((eventId * 7_919) % 5) * minuteMs;
    await feeds.wake({ eventId, kind: 'stats' }, wishMs / 1_000, dueAt);
  }
  const queue: PollMessage[] = [];
  const caps = { daily: 1e9, monthly: 1e9 };
  const dispatch = createDispatch({
    ...{ feeds, budget, marketState },
    readLimits: async () => ({ caps, exhausted: new Set() }),
    sendToPoll: async (messages) => {
      queue.push(...messages.map(({ body }) => body as PollMessage));
    },
  });
  const late: number[] = [];
  const runMs: number[] = [];
  let dispatched = 0;
  let left = 0;
  for (let minute = 0; minute < o.minutes; minute += 1) {
    const now = startMs + minute * minuteMs;
    const began = performance.now();
    const result = await dispatch('stats', String(now), now);
    runMs.push(performance.now() - began);
    left = result.left;
    if (minute >= o.minutes / 2) dispatched += result.dispatched;
    for (const { eventId, kind, claim } of queue.splice(0)) {
      if (minute >= o.minutes / 2) late.push((now - Number(claim.split('/')[1])) / minuteMs);
      const next = { nextPollAt: now + wishMs, nextReason: 'bench', lastPolledAt: now };
      await feeds.finishPoll({ eventId, kind }, claim, {
        ...next,
        ...{ failures: 0, micropulls: 0, settles: true },
      });
    }
    await budget.commitReservation('bench', { reserved: 0, spent: 0 });
  }
  return {
    events: o.events,
    callsPerMinute: o.callsPerMinute,
    dispatchedPerMinute: Math.round(dispatched / (o.minutes / 2)),
    left,
    p50LateMinutes: quantile(late, 0.5),
    p95LateMinutes: quantile(late, 0.95),
    medianRunMs: Math.round(quantile(runMs, 0.5)),
  };
}
