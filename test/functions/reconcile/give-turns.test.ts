// The turns of feeds under a budget that is short: for a part of the fleet as for the whole, and in bounded work.
import { describe, expect, it } from 'vitest';
import { createGiveTurns } from '#functions/reconcile/give-turns.ts';
import { newBudget } from '#shared/polling/budget.ts';
import type { NextPoll } from '#shared/polling/cadence.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const caps = { daily: 1_000, monthly: 20_000 };

/** Feeds whose turns lie a day ahead, one minute after the other, which is too late for a budget like this. */
const fleetOf = (feeds: number): Feed[] =>
  Array.from({ length: feeds }, (_, n) => ({
    ...{ eventId: n + 1, kind: 'stats', status: 'active', latencySeconds: 60, wishVersion: 1 },
    ...{ failures: 0, sharedMicropulls: 0, watchersChangedAt: now, watches: 1 },
    ...{ nextPollAt: now + (1_440 + n) * minuteMs, nextReason: 'stretched_by_budget' },
    lastPolledAt: now - 10 * minuteMs,
    rhythm: {
      gapsMs: Array.from({ length: 8 }, () => 30 * minuteMs),
      lastRefreshAt: now - 10 * minuteMs,
    },
  }));

interface Given {
  refusesFrom?: number;
  exhausted?: string[];
}

async function give(
  active: Feed[],
  share: number,
  { refusesFrom = Number.POSITIVE_INFINITY, exhausted = [] }: Given = {},
) {
  const moved: { feed: Feed; turn: NextPoll }[] = [];
  let price = 0;
  const giveTurns = createGiveTurns({
    feeds: {
      reschedule: async (feed, turn) => {
        if (moved.length >= refusesFrom) {
          throw Object.assign(new Error('too fast'), { name: 'ThrottlingException' });
        }
        moved.push({ feed, turn });
        return true;
      },
    },
    budget: {
      setPlan: async ({ pullPrice }) => {
        price = pullPrice;
      },
    },
  });
  const budget = { ...newBudget(now), learned: priorLearning };
  const terms = { budget, caps, exhausted: new Set(exhausted), freeWhenQuiet: false, share, now };
  const given = await giveTurns(active, terms);
  return { given, price, moved };
}

it('finds for a quarter of the fleet the price of the whole', async () => {
  const whole = await give(fleetOf(2_000), 1);
  const quarter = await give(fleetOf(500), 0.25);
  expect(whole.price).toBeGreaterThan(0);
  expect(quarter.price).toBeCloseTo(whole.price, 6);
});

it('moves at most a thousand feeds in a run, those first that are due soonest', async () => {
  const { given, moved } = await give(fleetOf(2_000).toReversed(), 1);
  const times = moved.map(({ feed, turn }) => Math.min(feed.nextPollAt ?? 0, turn.nextPollAt));
  expect(given.moved).toBe(1_000);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it('leaves the rest to the next run when the table refuses more writes', async () => {
  const { given, moved } = await give(fleetOf(300), 1, { refusesFrom: 40 });
  expect([given.moved, moved.length]).toEqual([40, 40]);
});

describe('an owner whose share of the day is used up', () => {
  const midnight = Date.parse('2026-03-02T00:00:00Z');
  /** Due soon, because the budget was roomier a moment ago. */
  const soon = (feeds: Feed[], ownerIds: string[]) =>
    feeds.map((feed) => ({ ...feed, ownerIds, nextPollAt: now + 20 * minuteMs }));
  const [anns, bobs] = [fleetOf(200), fleetOf(400).slice(200)];

  it('has its turns tomorrow, and the others are given the price without it', async () => {
    const fleet = [...soon(anns, ['ann']), ...soon(bobs, ['bob'])];
    const { price, moved } = await give(fleet, 1, { exhausted: ['ann'] });
    const turnsOf = (owner: string) =>
      moved.filter(({ feed }) => feed.ownerIds?.[0] === owner).map(({ turn }) => turn.nextPollAt);
    expect(turnsOf('ann')).toHaveLength(200);
    expect(Math.min(...turnsOf('ann'))).toBeGreaterThanOrEqual(midnight);
    expect(Math.min(...turnsOf('bob'))).toBeLessThan(midnight);
    const alone = await give(bobs, 1);
    expect(price).toBe(alone.price);
    expect(price).toBeLessThan((await give(fleet, 1)).price);
  });

  it('has them today where another owner watches the same', async () => {
    const fleet = soon(anns, ['ann', 'bob']);
    const { moved } = await give(fleet, 1, { exhausted: ['ann'] });
    expect(Math.min(...moved.map(({ turn }) => turn.nextPollAt))).toBeLessThan(midnight);
  });
});
