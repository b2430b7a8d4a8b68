// Our books against the marketplace's own.
import { beforeEach, describe, expect, it } from 'vitest';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import {
  hourMs,
  minuteMs,
  openPolling,
  type Polling,
  type PollingOptions,
} from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

const open = (options: PollingOptions = {}): Polling => openPolling(tables.stores, 2, options);

const noticeKinds = async (polling: Polling) => {
  const shards = Array.from({ length: 16 }, (_, shard) => shard);
  const found = await Promise.all(
    shards.map((shard) => tables.stores.notices.unsent(shard, polling.clock.now + hourMs, 100)),
  );
  return found.flat().map(({ kind }) => kind);
};

describe('the hourly check', () => {
  it('takes over plan, limits and billing period', async () => {
    const polling = open();
    await polling.reconcile();

    expect(await tables.stores.marketState.read()).toMatchObject({
      plan: 'tiered',
      limits: { events_stats: { limit: 500, windowSeconds: 60 } },
    });
    expect(await tables.stores.budget.read()).toMatchObject({
      periodStart: Date.parse('2026-03-01T12:00:00Z'),
      periodEnd: Date.parse('2026-04-01T12:00:00Z'),
    });
  });

  it('finds ledger and usage equal after charged and free polls', async () => {
    const polling = open();
    await polling.reconcile();
    await polling.watch(1);
    for (let minute = 0; minute < 6; minute += 1) {
      if (minute % 2 === 0) polling.refresh(1, 100 + minute);
      await polling.minute();
    }
    polling.clock.now += hourMs;

    expect((await polling.reconcile()).account).toEqual({
      ledgerPulls: 3,
      usagePulls: 3,
      drift: false,
    });
  });

  it('tells the operator with both numbers when somebody else uses the key', async () => {
    const polling = open();
    await polling.reconcile();
    polling.refresh(1, 100);
    await polling.client().statsPage(1, { lastPaidSnapshotAt: null });
    polling.clock.now += hourMs;
    const { account } = await polling.reconcile();

    expect(account).toEqual({ ledgerPulls: 0, usagePulls: 1, drift: true });
    const told = await tables.stores.notices.find('usage_drift/2026-03-01');
    expect(told?.text).toContain('Our ledger has 0 pulls');
    expect(told?.text).toContain('GET /v1/usage says 1');
  });

  it('takes what was charged before the first check for nobody’s drift', async () => {
    const polling = open();
    polling.refresh(1, 100);
    await polling.client().statsPage(1, { lastPaidSnapshotAt: null });
    await polling.reconcile();
    polling.clock.now += hourMs;

    expect((await polling.reconcile()).account).toEqual({
      ledgerPulls: 0,
      usagePulls: 0,
      drift: false,
    });
  });

  it.each(['stats', 'listings'] as const)(
    'settles a call of %s whose answer was lost, and that the client made again for nothing new',
    async (kind) => {
      let calls = 0;
      const polling = open({
        retries: 1,
        intercept: async (request, pass) => {
          const answer = await pass();
          if (!request.url.includes(`/${kind}`)) return answer;
          calls += 1;
          if (calls === 2) throw new TypeError('fetch failed');
          return answer;
        },
      });
      await polling.reconcile();
      await polling.watch(1, 60, kind);
      polling.refresh(1, 100);
      await polling.minute([kind]);
      await polling.minute([kind]);
      polling.clock.now += hourMs;

      expect(calls).toBe(3);
      expect((await polling.reconcile()).account).toEqual({
        ledgerPulls: 1,
        usagePulls: 1,
        drift: false,
      });
    },
  );

  it('counts polls from the period’s begin on, also where the service’s clock is ahead', async () => {
    const polling: Polling = open({
      skewMs: -10 * minuteMs,
      intercept: async (_request, pass) => {
        const answer = await pass();
        const date = new Date(polling.clock.now + 10 * minuteMs).toUTCString();
        answer.headers.set('date', date);
        return answer;
      },
    });
    await polling.reconcile();
    await polling.watch(1);
    polling.refresh(1, 100);
    await polling.minute();
    polling.clock.now += hourMs;

    expect((await polling.reconcile()).account).toEqual({
      ledgerPulls: 1,
      usagePulls: 1,
      drift: false,
    });
  });

  it('runs once an hour', async () => {
    const polling = open();
    await polling.reconcile();
    polling.clock.now += 59 * minuteMs;
    expect((await polling.reconcile()).account).toBeUndefined();
  });
});

describe('the budget’s notices', () => {
  it('come once at 50, 80 and 100% of the day’s cap', async () => {
    const polling = open({ caps: { daily: 10, monthly: 1_000 } });
    await polling.watch(1);
    for (let minute = 0; minute < 12; minute += 1) {
      polling.refresh(1, 100 + minute);
      await polling.minute();
      await polling.reconcile();
      // Paced, the day would not reach its cap: this one is spent as fast as it goes.
      await tables.stores.budget.setPlan({ pullPrice: 0, learned: priorLearning });
    }
    const ids = ['50', '80', '100'].map((share) => `budget_share_reached/day/2026-03-01/${share}`);
    const told = await Promise.all(ids.map((id) => tables.stores.notices.find(id)));

    expect(told.map((notice) => notice?.title)).toEqual([
      "50% of the day's pulls are spent",
      "80% of the day's pulls are spent",
      "100% of the day's pulls are spent",
    ]);
    expect(polling.charged()).toBe(10);
    expect((await noticeKinds(polling)).length).toBe(3);
  });
});
