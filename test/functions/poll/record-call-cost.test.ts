// What a call cost, and whom: the budget, the ledger and the owners' shares.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallCost, createRecordCallCost } from '#functions/poll/record-call-cost.ts';
import { reservationKey } from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { sharerOf } from '#shared/polling/pull-sharers.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const day = '2026-03-01';
const caps = { daily: 100, monthly: 1_000 };
const reservation = reservationKey(now + 3_600_000, 'stats');
const cost: CallCost = {
  ...{ claim: 'clm_1', at: now, pulls: 1, reason: 'data', state: 'settled' },
  reservation,
};

let tables: TestTables;
let eventId = 0;
beforeAll(async () => {
  tables = await startTestTables();
  await tables.stores.budget.current(now);
});
afterAll(() => tables.stop());
beforeEach(() => {
  eventId += 1;
});

/** A feed that watches of these owners want; a share is the owner's part of the daily cap. */
async function aFeed(owners: readonly string[], ownerShares: Record<string, number> = {}) {
  const { stores } = tables;
  await stores.budget.replaceSettings(await stores.budget.settings(), { ownerShares });
  for (const [index, ownerId] of owners.entries()) {
    const wish = { eventId, kind: 'stats' as const, watchId: `wat_${index}`, latencySeconds: 60 };
    await stores.subscriptions.add({ ...wish, ownerId }, now);
  }
  const feed = await stores.feeds.find(eventId, 'stats');
  if (!feed) throw new Error('no feed');
  return feed;
}

const settle = (feed: Feed, changes: Partial<CallCost> = {}) =>
  createRecordCallCost(tables.stores)(feed, { ...cost, claim: `clm_${eventId}`, ...changes });
const charged = (ownerId: string, of = day) => tables.stores.budget.spentByOwner(of, ownerId);
const budget = async () => {
  const { daySpent, dayCommitted, reservations } = await tables.stores.budget.current(now);
  return { daySpent, dayCommitted, reserved: reservations[reservation] ?? 0 };
};
const ledger = async () =>
  (await tables.stores.pulls.ofDay(day)).filter((pull) => pull.eventId === eventId);

it('notes when the last call was sent that was answered', async () => {
  const feed = await aFeed(['own_answered']);
  const lastAnswerAt = async () => (await tables.stores.budget.read())?.lastAnswerAt;
  await settle(feed, { isAnswered: true, at: now - 60_000 });
  await settle(feed, { claim: 'clm_lost', state: 'unsettled' });
  expect(await lastAnswerAt()).toBe(now - 60_000);
});

describe('a call that cost a pull', () => {
  it('charges each owner who has a share in proportion to its watches, and no other', async () => {
    const owners = ['own_a1', 'own_a1', 'own_a1', 'own_b1', 'own_none'];
    const feed = await aFeed(owners, { own_a1: 0.5, own_b1: 0.1, own_other: 0.1 });
    const shared = await settle(feed);

    expect(shared).toEqual({
      micropulls: 200_000,
      ownerIds: ['own_a1', 'own_b1', 'own_none'],
      watches: 5,
    });
    expect(
      await Promise.all(['own_a1', 'own_b1', 'own_none', 'own_other'].map((id) => charged(id))),
    ).toEqual([0.6, 0.2, 0, 0]);
  });

  it('names the watches that needed it in its row, by hashes', async () => {
    await settle(await aFeed(['own_c1', 'own_c1', 'own_c2']));

    const [row] = await ledger();
    expect(row?.sharers).toEqual({
      [sharerOf('own_c1')]: [sharerOf('wat_0'), sharerOf('wat_1')],
      [sharerOf('own_c2')]: [sharerOf('wat_2')],
    });
  });

  it('charges the day on which it went out', async () => {
    const feed = await aFeed(['own_day'], { own_day: 0.5 });
    await settle(feed, { at: Date.parse('2026-02-28T23:59:59Z'), pulls: 2 });

    expect(await charged('own_day', '2026-02-28')).toBe(2);
    expect(await charged('own_day')).toBe(0);
  });

  it('charges no owner by a name that every object has', async () => {
    const feed = await aFeed(['constructor'], { own_a2: 0.5 });
    await settle(feed);

    expect(await charged('constructor')).toBe(0);
  });

  it('charges nobody where no shares are set', async () => {
    const feed = await aFeed(['own_free']);
    await settle(feed);

    expect(await charged('own_free')).toBe(0);
    expect(await ledger()).toMatchObject([{ pulls: 1, watches: 1, state: 'settled' }]);
  });

  it('is charged to owners and shared once, however often it is settled', async () => {
    const feed = await aFeed(['own_twice', 'own_twice2'], { own_twice: 1, own_twice2: 1 });
    const first = await settle(feed);
    const second = await settle(feed);

    expect([first.micropulls, second.micropulls]).toEqual([500_000, 0]);
    expect(await Promise.all([charged('own_twice'), charged('own_twice2')])).toEqual([0.5, 0.5]);
    expect(await ledger()).toHaveLength(1);
  });

  it('names eight owners, and no more than eight', async () => {
    const eight = Array.from({ length: 8 }, (_, index) => `own_${index}`);
    expect((await settle(await aFeed(eight))).ownerIds).toEqual(eight);
    eventId += 1;
    expect((await settle(await aFeed([...eight, 'own_8']))).ownerIds).toBe('many');
  });

  it('notes in the ledger what it was for', async () => {
    const feed = await aFeed(['own_row']);
    await createRecordCallCost(tables.stores)(feed, {
      ...{ claim: 'clm_row', at: now, pulls: 1, reason: 'worker_lost', state: 'unsettled' },
      refreshAt: now - 60_000,
    });

    expect(await ledger()).toMatchObject([
      {
        ...{ eventId, kind: 'stats', pulls: 1, pulledAt: now, watches: 1 },
        ...{ reason: 'worker_lost', state: 'unsettled', refreshAt: now - 60_000 },
      },
    ]);
  });
});

describe('the budget', () => {
  const reserve = () => tables.stores.budget.reserve({ key: reservation, wanted: 1, caps }, now);

  it('turns a reserved pull into a spent one', async () => {
    const feed = await aFeed(['own_budget']);
    await reserve();
    const before = await budget();
    await settle(feed);

    expect(await budget()).toEqual({
      daySpent: before.daySpent + 1,
      dayCommitted: before.dayCommitted,
      reserved: before.reserved - 1,
    });
  });

  it('takes back the reservation of a call that cost nothing, and notes no pull', async () => {
    const feed = await aFeed(['own_empty'], { own_empty: 1 });
    await reserve();
    const before = await budget();
    expect(await settle(feed, { pulls: 0 })).toEqual({ micropulls: 0 });

    expect(await budget()).toEqual({
      daySpent: before.daySpent,
      dayCommitted: before.dayCommitted - 1,
      reserved: before.reserved - 1,
    });
    expect(await ledger()).toEqual([]);
    expect(await charged('own_empty')).toBe(0);
  });

  it('counts a pull without a reservation, and leaves the reservations of others', async () => {
    const feed = await aFeed(['own_lapsed']);
    await reserve();
    const before = await budget();
    await settle(feed, { reservation: undefined });

    expect(await budget()).toEqual({
      daySpent: before.daySpent + 1,
      dayCommitted: before.dayCommitted + 1,
      reserved: before.reserved,
    });
  });
});
