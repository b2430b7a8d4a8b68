// Listings polls against the marketplace: paid on refresh only, kept as what the filters ask for, and
// armed by the cheap stats call.
import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import type { ListingsSnapshot } from '#shared/rules/listings-snapshot.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import { minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

/** Arms a listing rule, as a first look has left it. */
async function armRule(rule: object): Promise<void> {
  const [spec] = compileRule(ruleSchema.parse({ type: 'listing', ...rule }));
  if (!spec) throw new Error('the rule has no trigger');
  const triggerId = `trg_${JSON.stringify(rule).length}`;
  const identity = { triggerId, watchId: 'wat_1', ruleId: 'rul_1', ownerId: 'own_1', eventId: 1 };
  await tables.stores.triggers.create({
    ...createTrigger(spec, identity, startMs),
    state: 'armed',
  });
}

async function stored(): Promise<ListingsSnapshot[]> {
  const found = await tables.stores.snapshots.between(
    { eventId: 1, kind: 'listings' },
    0,
    startMs * 2,
  );
  return found.filter((each) => each.feedKind === 'listings');
}

describe('a listings poll', () => {
  it('is paid when the market has refreshed, and free when not', async () => {
    const polling = openPolling(tables.stores, 1);
    await armRule({ at_or_below: 90 });
    await polling.watch(1, 60, 'listings');
    polling.refresh(1, 80, [95]);
    const [first] = await polling.minute(['listings']);
    const [second] = await polling.minute(['listings']);

    expect(first).toMatchObject({ outcome: 'polled', pulls: 1, newSnapshots: 1 });
    expect(second).toMatchObject({ outcome: 'polled', pulls: 0, newSnapshots: 0 });
    expect(polling.charged('listings')).toBe(1);
  });

  it('that the network sent twice is in the ledger, although the answer that arrived calls it free', async () => {
    let copies = 2;
    const polling = openPolling(tables.stores, 1, {
      intercept: async (request, pass) => {
        for (; request.url.includes('/listings') && copies > 1; copies -= 1) await pass();
        return pass();
      },
    });
    await armRule({ at_or_below: 90 });
    await polling.watch(1, 60, 'listings');
    polling.refresh(1, 80, [95]);
    const [poll] = await polling.minute(['listings']);
    await polling.reconcile();

    expect(poll).toMatchObject({ outcome: 'polled', pulls: 0, newSnapshots: 1 });
    expect(polling.charged('listings')).toBe(1);
    expect(await tables.stores.pulls.ofDay('2026-03-01')).toMatchObject([
      { kind: 'listings', pulls: 1, reason: 'possibly_charged', state: 'unsettled' },
    ]);
    expect((await tables.stores.budget.read())?.daySpent).toBe(1);
  });

  it('whose worker died after it stored the snapshot is matched without another refresh', async () => {
    const steps: string[] = [];
    let isDeadly = false;
    const polling = openPolling(tables.stores, 1, {
      afterStep: (step) => {
        const hasStored = steps.at(-1) === 'snapshots.createAll';
        steps.push(step);
        if (!isDeadly || !hasStored) return;
        isDeadly = false;
        throw new Error('the worker died');
      },
    });
    await armRule({ at_or_below: 90 });
    await polling.watch(1, 60, 'listings');
    polling.refresh(1, 80, [95]);
    await polling.minute(['listings']);
    polling.nudges.length = 0;

    polling.clock.now += minuteMs;
    polling.refresh(1, 70, [70]);
    isDeadly = true;
    await expect(polling.minute(['listings'])).rejects.toThrow('the worker died');
    polling.queue.length = 0;
    polling.clock.now += 6 * minuteMs;
    await polling.minute(['listings']);

    const [newest] = (await stored()).slice(-1);
    expect(polling.nudges).toContainEqual({ eventId: 1, kind: 'listings' });
    expect(await tables.stores.feeds.find(1, 'listings')).toMatchObject({
      lastSnapshotAt: newest?.observedAt,
    });
    expect(polling.charged('listings')).toBe(2);
  });

  it('keeps the matches of the filters in use, not the rows', async () => {
    const polling = openPolling(tables.stores, 1);
    await armRule({ at_or_below: 90, sections: ['101'] });
    await armRule({ at_or_below: 90, sections: ['VIP'] });
    await polling.watch(1, 60, 'listings');
    polling.refresh(1, 80, [95]);
    await polling.minute(['listings']);
    const [snapshot] = await stored();

    expect(snapshot?.observedAt).toBe(startMs);
    expect(Object.entries(snapshot?.filters ?? {}).map(([key, { count }]) => [key, count])).toEqual(
      [
        ['sections=101', 2],
        ['sections=VIP', 0],
      ],
    );
  });

  it('looks again, for free, when a filter is new at the same refresh', async () => {
    const polling = openPolling(tables.stores, 1);
    await armRule({ at_or_below: 90 });
    await polling.watch(1, 60, 'listings');
    polling.refresh(1, 80);
    await polling.minute(['listings']);
    await armRule({ at_or_below: 90, sections: ['101'] });
    await polling.watch(1, 60, 'listings', 'wat_2');
    await polling.minute(['listings']);

    expect((await stored()).map(({ filters }) => Object.keys(filters).sort())).toEqual([
      ['all', 'sections=101'],
    ]);
    expect(polling.charged('listings')).toBe(1);
    expect(polling.nudges).toHaveLength(2);
  });

  it('walks every page of a large event', async () => {
    const polling = openPolling(tables.stores, 1);
    await armRule({ at_or_below: 5_000 });
    await polling.watch(1, 60, 'listings');
    polling.refresh(
      1,
      100,
      Array.from({ length: 2_499 }, (_, index) => 101 + index),
    );
    await polling.minute(['listings']);

    expect((await stored())[0]?.filters.all?.count).toBe(2_500);
    expect(polling.charged('listings')).toBe(1);
  });
});

describe('stats arm listings', () => {
  /** The cheapest ticket over an hour and a half: far from the rule's 90, and near it for a while. */
  const prices = Array.from({ length: 18 }, (_, index) =>
    index >= 10 && index < 14 ? 85 : 200 + index,
  );

  async function run(kinds: FeedKind[]) {
    const polling = openPolling(tables.stores, 1);
    await armRule({ at_or_below: 90 });
    for (const kind of kinds) await polling.watch(1, 60, kind);
    for (const price of prices) {
      polling.refresh(1, price);
      for (let minute = 0; minute < 5; minute += 1) await polling.minute(kinds);
    }
    const cheapest = (await stored()).map(({ filters }) => filters.all?.cheapestCents ?? null);
    return {
      listings: polling.charged('listings'),
      reachable: cheapest.filter((cents) => cents !== null && cents <= 9_000).length,
    };
  }

  it('listings alone are paid for at every refresh', async () => {
    expect(await run(['listings'])).toEqual({ listings: 18, reachable: 4 });
  }, 60_000);

  it('with stats, only while something may be in reach, and nothing in reach is missed', async () => {
    const { listings, reachable } = await run(['stats', 'listings']);

    expect(reachable).toBe(4);
    expect(listings).toBeLessThan(8);
  }, 60_000);

  it('at once when the price comes near', async () => {
    const polling: Polling = openPolling(tables.stores, 1);
    await armRule({ at_or_below: 90 });
    await polling.watch(1, 60, 'stats');
    await polling.watch(1, 60, 'listings');
    for (const price of [200, 201]) {
      polling.refresh(1, price);
      for (let minute = 0; minute < 5; minute += 1) await polling.minute(['stats', 'listings']);
    }
    const asleep = await tables.stores.feeds.find(1, 'listings');
    polling.refresh(1, 88);
    for (let minute = 0; minute < 2; minute += 1) await polling.minute(['stats', 'listings']);

    expect(asleep).toMatchObject({ isOutOfReach: true, nextReason: 'out_of_reach' });
    expect((asleep?.nextPollAt ?? 0) - polling.clock.now).toBeGreaterThan(60 * minuteMs);
    expect((await stored()).at(-1)?.filters.all?.cheapestCents).toBe(8_800);
  });
});
