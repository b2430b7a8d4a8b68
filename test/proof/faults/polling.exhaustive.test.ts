// Polling under faults: no snapshot lost or doubled, no refresh paid twice, and at the end our ledger
// equals the marketplace's own.
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountCheck } from '#functions/reconcile/check-account.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import {
  hourMs,
  minuteMs,
  openPolling,
  type Polling,
  type PollingOptions,
  startMs,
} from '#test/support/polling.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

/** A killed process is not the fault of the current item. */
class Killed extends Error {
  override readonly name = 'AbortError';
}

let tables: TestTables | undefined;

afterEach(async () => {
  await tables?.stop();
  tables = undefined;
});

async function open(events: number, options: PollingOptions = {}): Promise<Polling> {
  tables = await startDynaliteTables();
  return openPolling(tables.stores, events, options);
}

/** The minutes at which snapshots of an event are stored. */
async function storedMinutes({ stores }: Polling, eventId = 1, kind: FeedKind = 'stats') {
  const stored = await stores.snapshots.between({ eventId, kind }, 0, startMs + 10_000 * hourMs);
  return stored.map(({ observedAt }) => (observedAt - startMs) / minuteMs);
}

/** Both ledgers after the hourly check. */
async function compareLedgers(polling: Polling) {
  polling.clock.now += 61 * minuteMs;
  const account = (await polling.reconcile()).account as AccountCheck | undefined;
  return { account, charged: polling.charged() };
}

/** @returns whether the work was killed. */
async function surviving(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}

describe('a worker killed after any single step', () => {
  /** Two refreshes, polled minute by minute; killed after step number `killAt`. */
  async function run(killAt: number) {
    let steps = Number.NEGATIVE_INFINITY;
    let killedAfter: string | undefined;
    const polling = await open(1, {
      afterStep: (step) => {
        steps += 1;
        if (steps !== killAt) return;
        killedAfter = step;
        throw new Killed(step);
      },
    });
    await polling.reconcile();
    steps = 0;
    await polling.watch(1);
    for (const price of [100, 90]) {
      polling.refresh(1, price);
      if (await surviving(() => polling.minute())) {
        await polling.drain();
        polling.clock.now += 6 * minuteMs;
      }
      polling.clock.now += minuteMs;
    }
    const total = steps;
    steps = Number.NEGATIVE_INFINITY;
    polling.clock.now += 6 * minuteMs;
    await polling.minute();
    await polling.minute();
    const refreshes = polling.market.store.all<{ at: number }>(
      'SELECT at FROM snapshots ORDER BY at',
    );
    const minutes = refreshes.map(({ at }) => (at - startMs) / minuteMs);
    const outcome = {
      killedAfter,
      stored: await storedMinutes(polling),
      minutes,
      ...(await compareLedgers(polling)),
    };
    await tables?.stop();
    tables = undefined;
    return { total, ...outcome };
  }

  it('leaves every snapshot stored once and both ledgers equal', async () => {
    const undisturbed = await run(0);
    const outcomes = [undisturbed];
    for (let step = 1; step <= undisturbed.total; step += 1) outcomes.push(await run(step));
    const wrong = outcomes.filter(
      ({ stored, minutes, account, charged }) =>
        JSON.stringify(stored) !== JSON.stringify(minutes) ||
        charged > 2 ||
        account?.ledgerPulls !== charged ||
        account.drift,
    );

    expect(wrong).toEqual([]);
    expect(undisturbed.charged).toBe(2);
    expect(outcomes.filter(({ killedAfter }) => killedAfter).length).toBeGreaterThan(20);
  });
});

describe('the marketplace down for an hour', () => {
  it('costs a handful of calls, one notice each way, and no snapshot', async () => {
    let isDown = false;
    let callsWhileDown = 0;
    const polling = await open(6, {
      intercept: async (_request, pass) => {
        if (!isDown) return pass();
        callsWhileDown += 1;
        return new Response('<html>bad gateway</html>', {
          status: 502,
          headers: { 'content-type': 'text/html' },
        });
      },
    });
    await polling.reconcile();
    for (let eventId = 1; eventId <= 6; eventId += 1) await polling.watch(eventId);
    const refreshAll = () => {
      for (let eventId = 1; eventId <= 6; eventId += 1) polling.refresh(eventId, 100);
    };
    refreshAll();
    await polling.minute();
    isDown = true;
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute % 10 === 0) refreshAll();
      await polling.minute();
    }
    isDown = false;
    for (let minute = 0; minute < 45; minute += 1) await polling.minute();

    expect(callsWhileDown).toBeLessThan(30);
    expect(await storedMinutes(polling, 5)).toEqual([0, 1, 11, 21, 31, 41, 51]);
    expect(polling.charged()).toBe(12);
    expect(await compareLedgers(polling)).toMatchObject({
      account: { ledgerPulls: 12, usagePulls: 12, drift: false },
    });
    const told = await toldKinds(polling);
    expect(told.filter((kind) => kind === 'marketplace_down')).toHaveLength(1);
    expect(told.filter((kind) => kind === 'marketplace_back')).toHaveLength(1);
    expect(told).toHaveLength(2);
  });
});

describe('a storm of 429', () => {
  it('slows all workers for as long as it asks, and loses nothing', async () => {
    let storms = 3;
    const callTimes: number[] = [];
    const polling: Polling = await open(6, {
      intercept: async (request, pass) => {
        if (!request.url.includes('/stats')) return pass();
        callTimes.push((polling.clock.now - startMs) / minuteMs);
        if (storms === 0) return pass();
        storms -= 1;
        return Response.json(
          { error: { type: 'rate_limit_error', code: 'rate_limited', message: 'slow down' } },
          { status: 429, headers: { 'retry-after': '150' } },
        );
      },
    });
    await polling.reconcile();
    for (let eventId = 1; eventId <= 6; eventId += 1) {
      await polling.watch(eventId);
      polling.refresh(eventId, 100);
    }
    for (let minute = 0; minute < 20; minute += 1) await polling.minute();

    const refused = callTimes.slice(0, 3);
    expect(new Set(refused).size).toBe(3);
    expect(
      callTimes.every(
        (at, index) => index === 0 || index > 3 || at - (callTimes[index - 1] ?? 0) >= 2.5,
      ),
    ).toBe(true);
    for (let eventId = 1; eventId <= 6; eventId += 1) {
      expect(await storedMinutes(polling, eventId)).toEqual([0]);
    }
    expect(await compareLedgers(polling)).toMatchObject({
      account: { ledgerPulls: 6, usagePulls: 6, drift: false },
      charged: 6,
    });
  });
});

describe('a clock a minute off', () => {
  it.each([-minuteMs, minuteMs])('by %d ms stores and pays all the same', async (skewMs) => {
    const polling = await open(1, { skewMs });
    await polling.reconcile();
    await polling.watch(1);
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute % 7 === 0) polling.refresh(1, 100 + minute);
      await polling.minute();
    }
    for (let minute = 0; minute < 10; minute += 1) await polling.minute();

    expect(await storedMinutes(polling)).toHaveLength(9);
    expect(await compareLedgers(polling)).toMatchObject({
      account: { ledgerPulls: 9, usagePulls: 9, drift: false },
      charged: 9,
    });
  });
});

describe('duplicate schedules', () => {
  it('dispatch each feed once, at once and 90 seconds later', async () => {
    const polling = await open(20);
    for (let eventId = 1; eventId <= 20; eventId += 1) {
      await polling.watch(eventId);
      polling.refresh(eventId, 100);
    }
    polling.clock.now += minuteMs;
    const both = await Promise.all([polling.dispatch(), polling.dispatch()]);
    polling.clock.now += 90_000;
    const late = await polling.dispatch();
    await polling.drain();

    expect(both.reduce((sum, { dispatched }) => sum + dispatched, 0)).toBe(20);
    expect(late.dispatched).toBe(0);
    expect(polling.charged()).toBe(20);
  });
});

describe('an account that can’t be used', () => {
  it.each([
    ['lowBalance' as const, 5, 'Polling is paused: the marketplace account is out of funds'],
    ['frozen' as const, 0, 'Polling is paused: the marketplace account is out of funds'],
    ['unsubscribed' as const, 0, 'Polling is paused: the marketplace account has no API access'],
  ])(
    '%s: all charged polls wait, the operator is told once, watchers are not',
    async (key, paid, title) => {
      let calls = 0;
      const polling = await open(12, {
        key,
        intercept: (request, pass) => {
          if (request.url.includes('/stats')) calls += 1;
          return pass();
        },
      });
      for (let eventId = 1; eventId <= 12; eventId += 1) {
        await polling.watch(eventId);
        polling.refresh(eventId, 100);
      }
      for (let minute = 0; minute < 30; minute += 1) await polling.minute();
      const titles = await toldTitles(polling);

      expect(polling.charged()).toBe(paid);
      expect(calls).toBeLessThan(paid + 9);
      expect(titles).toEqual([title]);
    },
  );

  it('resumes by itself once it is topped up', async () => {
    const polling = await open(8, { key: 'lowBalance' });
    for (let eventId = 1; eventId <= 8; eventId += 1) {
      await polling.watch(eventId);
      polling.refresh(eventId, 100);
    }
    for (let minute = 0; minute < 12; minute += 1) await polling.minute();
    expect(polling.charged()).toBe(5);
    polling.market.store.run(
      `INSERT INTO ledger (account_id, at, reason, pulls, quota_pulls, amount)
       SELECT id, ?, 'top-up', 0, 0, 100 FROM accounts WHERE key_name = 'lowBalance'`,
      polling.clock.now,
    );
    for (let minute = 0; minute < 12; minute += 1) await polling.minute();

    expect(polling.charged()).toBe(8);
    expect((await polling.stores.marketState.read()).pause).toBeUndefined();
    expect(await toldKinds(polling)).toEqual(['account_paused', 'account_resumed']);
  });
});

async function told(polling: Polling) {
  const shards = Array.from({ length: 16 }, (_, shard) => shard);
  const found = await Promise.all(
    shards.map((shard) => polling.stores.notices.unsent(shard, polling.clock.now + hourMs, 100)),
  );
  return found.flat().sort((a, b) => a.createdAt - b.createdAt);
}
const toldKinds = async (polling: Polling) => (await told(polling)).map(({ kind }) => kind);
const toldTitles = async (polling: Polling) => (await told(polling)).map(({ title }) => title);
