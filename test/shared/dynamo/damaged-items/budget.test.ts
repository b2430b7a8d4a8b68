// What the stores of pulls and their caps make of an item that is damaged in one field.
import { describe, expect, it } from 'vitest';
import { reservationKey } from '#shared/polling/budget.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { timing } from '#shared/timing.ts';
import {
  damages,
  day,
  eachDamageOf,
  now,
  openDamage,
} from '#test/support/damaged-items/open-damage.ts';

const { opened, damage } = openDamage();
const dayMs = 86_400_000;
const caps = { daily: 10, monthly: 15 };

describe('a damaged item', () => {
  const aPull = (claim: string, pulls = 1) =>
    pullOf({
      ...{ claim, eventId: 7, kind: 'stats', pulls, reason: 'test', state: 'settled' },
      ...{ pulledAt: now - 3_600_000, watches: 1 },
    });

  const budgetFields = [
    ...['dayStart', 'daySpent', 'dayCommitted', 'periodStart', 'periodEnd', 'periodSpent'],
    ...['periodCommitted', 'reservations', 'pullPrice', 'moves'],
  ];
  it.each(eachDamageOf(budgetFields))(
    'budget is healed from the ledger: %s %s',
    async (field, _change, value) => {
      const { budget, pulls } = opened.tables.stores;
      const key = reservationKey(now + timing.claimLeaseMs, 'stats');
      expect(await budget.reserve({ key, wanted: 6, caps }, now)).toBe(6);
      for (const claim of ['a', 'b', 'c', 'd']) {
        await budget.commitReservation(key, { reserved: 1, spent: 1 });
        await pulls.create(aPull(claim));
      }
      await damage('BUDGET', 'BUDGET', field, value);
      // A call that was under way ends while the budget is damaged.
      await budget.commitReservation(key, { reserved: 1, spent: 1 });
      await pulls.create(aPull('e'));

      const later = now + 2 * timing.claimLeaseMs;
      await budget.reserve({ key: reservationKey(later + 1, 'x'), wanted: 99, caps }, now);
      const found = await budget.current(now);
      expect(found.dayCommitted).toBeLessThanOrEqual(10 + (field === 'reservations' ? 1 : 0));
      expect(found.daySpent).toBe(5);
      expect(found.periodSpent).toBe(5);
      // When the reservations of that time have lapsed, exactly the rest of the cap can be had.
      const rest = await budget.current(later + 2);
      expect([rest.daySpent, rest.dayCommitted]).toEqual([5, 5]);
      expect(await budget.reserve({ key, wanted: 99, caps }, later + 2)).toBe(5);
      // A count of moves that is gone begins again with the next one: nothing is decided by it.
      if (field !== 'moves' || value) expect(opened.faults.length).toBeGreaterThan(0);
    },
  );

  it('budget gives nothing while it can’t tell what is reserved', async () => {
    const { budget } = opened.tables.stores;
    const key = reservationKey(now + timing.claimLeaseMs, 'stats');
    await budget.reserve({ key, wanted: 6, caps }, now);
    await damage('BUDGET', 'BUDGET', 'reservations', 'odd');
    await damage('BUDGET', 'BUDGET', 'dayCommitted', 'odd');
    expect(await budget.reserve({ key, wanted: 1, caps }, now)).toBe(0);
    expect(await budget.reserve({ key, wanted: 1, caps }, now + timing.claimLeaseMs + 1)).toBe(1);
  });

  it.each([
    ['32 days is kept', 32 * dayMs, now - dayMs],
    ['a millisecond more is replaced by the month', 32 * dayMs + 1, Date.parse('2026-03-01')],
  ])('budget whose period of %s', async (_what, lengthMs, start) => {
    const { budget } = opened.tables.stores;
    const period = { start: now - dayMs, end: now - dayMs + lengthMs };
    await budget.recount(await budget.current(now), { daySpent: 0, periodSpent: 0, period });
    await damage('BUDGET', 'BUDGET', 'daySpent', 'odd');
    expect((await budget.current(now)).periodStart).toBe(start);
  });

  it('budget counts its healing as a change', async () => {
    const { budget } = opened.tables.stores;
    await budget.current(now);
    await budget.setPlan({ pullPrice: 1_000, learned: priorLearning });
    const { moves } = await budget.current(now);
    await damage('BUDGET', 'BUDGET', 'daySpent', 'odd');
    expect((await budget.current(now)).moves).toBe(moves + 1);
  });

  it('row of the ledger counts one pull', async () => {
    await opened.tables.stores.pulls.create(aPull('a', 5));
    const { callId } = aPull('a');
    for (const field of ['pulls', 'eventId', 'kind', 'state', 'pulledAt', 'watches']) {
      await damage(`LEDGER#${day}`, `PULL#${callId}`, field);
    }
    expect(await opened.tables.stores.pulls.ofDay(day)).toMatchObject([
      {
        ...{ callId, eventId: 7, kind: 'stats', pulls: 1, state: 'settled', watches: 0 },
        pulledAt: Date.parse('2026-03-05T00:00:00Z'),
      },
    ]);
  });

  it('cap set by API leaves the deployment’s, and a damaged share is none', async () => {
    const { budget } = opened.tables.stores;
    const ownerShares = { own_1: 0.5, own_2: 0.2 };
    await budget.replaceSettings({ revision: 0 }, { daily: 5, monthly: 9, ownerShares });
    await damage('BUDGET', 'SETTINGS', 'daily', 'odd');
    await damage('BUDGET', 'SETTINGS', 'ownerShares', { own_1: 'odd', own_2: 0.2 });
    expect(await budget.settings()).toEqual({
      ...{ daily: undefined, monthly: 9, ownerShares: { own_2: 0.2 }, revision: 1 },
    });
  });

  it.each(damages)('day of an owner starts again: %s', async (_change, value) => {
    const { budget } = opened.tables.stores;
    await budget.chargeOwner(day, 'own_1', 3_000_000);
    await damage(`BUDGET#${day}`, 'OWNER#own_1', 'micropulls', value);
    expect(await budget.spentByOwner(day, 'own_1')).toBe(0);
    expect(await budget.chargeOwnerWithin(day, 'own_1', { pulls: 1, most: 5 })).toBe(true);
    await damage(`BUDGET#${day}`, 'OWNER#own_1', 'micropulls', value);
    await budget.chargeOwner(day, 'own_1', 2_000_000);
    expect(await budget.spentByOwner(day, 'own_1')).toBe(2);
  });

  it.each(eachDamageOf(['total', 'byOwner']))(
    'window of shared calls is counted again: %s %s',
    async (field, _change, value) => {
      const { windowShares } = opened.tables.stores;
      await windowShares.add(await windowShares.read('search', 60), 'own_1');
      await damage('WINDOW#search', '60', field, value);
      expect(await windowShares.add(await windowShares.read('search', 60), 'own_2')).toBe(true);
      expect((await windowShares.read('search', 60)).byOwner).toMatchObject({ own_2: 1 });
    },
  );
});
