// Every end has a way back: an event that is not known for a moment, one that is put off, one that goes
// on to sell after its start.
import { beforeEach, describe, expect, it } from 'vitest';
import { anEvent } from '#test/marketplace/support/market.ts';
import { hourMs, minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let polling: Polling;
let isUnknown: boolean;

beforeEach(async () => {
  tables = await startTestTables();
  isUnknown = false;
  polling = openPolling(tables.stores, 1, {
    intercept: async (request, pass) =>
      isUnknown && request.url.includes('/stats') ? notFound() : pass(),
  });
  await tables.stores.watches.create({
    ...{ watchId: 'wat_1', ownerId: 'own_00000000000000000000000000000abc', eventId: 1, rules: [] },
    ...{ channelIds: [], status: 'active', latencySeconds: 60, version: 1, tags: [] },
    ...{ createdAt: new Date(startMs).toISOString(), updatedAt: new Date(startMs).toISOString() },
  } as never);
  await polling.watch(1);
  polling.refresh(1, 100);
  await polling.minute();
  return () => tables.stop();
});

function notFound(): Response {
  const error = { type: 'not_found', code: 'event_not_found', message: 'no such event' };
  return Response.json({ error }, { status: 404 });
}

const feed = async () => await tables.stores.feeds.find(1, 'stats');
/** Passes time in steps, polling whatever is due after each. */
async function pass(hours: number, stepHours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed += stepHours) {
    polling.clock.now += stepHours * hourMs;
    await polling.minute();
  }
}
async function reconcileRound(): Promise<void> {
  for (let turn = 0; turn < 16; turn += 1) {
    polling.clock.now += 5 * minuteMs;
    await polling.reconcile();
  }
}

describe('an event that the marketplace does not know', () => {
  it('goes on after one such answer between good ones', async () => {
    isUnknown = true;
    await polling.minute();
    isUnknown = false;
    polling.refresh(1, 90);
    for (let minute = 0; minute < 6; minute += 1) await polling.minute();

    expect(await feed()).toMatchObject({ status: 'active', failures: 0 });
    expect((await feed())?.missing).toBeUndefined();
    expect((await tables.stores.snapshots.newest({ eventId: 1, kind: 'stats' }))?.observedAt).toBe(
      startMs + 2 * minuteMs,
    );
  });

  it('ends after a day of them, and goes on as soon as it is known again', async () => {
    isUnknown = true;
    for (let minute = 0; minute < 30; minute += 1) await polling.minute();
    expect(await feed()).toMatchObject({ status: 'active', missing: { looks: 3 } });
    await pass(30, 1);
    expect(await feed()).toMatchObject({ status: 'not_found' });
    await pass(48, 8);
    expect(await feed()).toMatchObject({ status: 'not_found' });
    isUnknown = false;
    await pass(24, 8);

    expect(await feed()).toMatchObject({ status: 'active' });
    expect(polling.charged()).toBe(1);
  });
});

describe('an event that is over by its date', () => {
  const facts = { eventId: 1, name: 'Event 1' };

  it('goes on while it still has tickets for sale', async () => {
    await tables.stores.eventFacts.keep({
      ...{ ...facts, startsAt: startMs - 12 * hourMs, updatedAt: startMs * 2 },
    });
    await reconcileRound();
    expect((await feed())?.status).toBe('active');
  });

  it('is asked for again before it ends, and goes on at the date that search says', async () => {
    await tables.stores.eventFacts.keep({ ...facts, date: '2026-02-01', updatedAt: startMs - 1 });
    polling.market.ingest.accept({ events: [{ ...anEvent(1), event_date: '2026-05-01' }] });
    await reconcileRound();

    expect((await feed())?.status).toBe('active');
    expect((await tables.stores.eventFacts.find(1))?.date).toBe('2026-05-01');
  });

  it('is polled again once it has a new date', async () => {
    await tables.stores.feeds.retire(
      { eventId: 1, kind: 'stats' },
      'ended',
      startMs + 999 * hourMs,
    );
    const ended = { ...facts, date: '2026-02-01', updatedAt: startMs };
    await tables.stores.eventFacts.keep(ended);
    await tables.stores.eventFacts.keep({ ...ended, date: '2026-05-01', updatedAt: startMs + 1 });
    await reconcileRound();

    expect((await feed())?.status).toBe('active');
  });

  it.each(['stats', 'listings'] as const)(
    'is polled again as soon as the catalog has its new date: %s',
    async (kind) => {
      const key = { eventId: 1, kind };
      await polling.watch(1, 60, kind);
      await tables.stores.feeds.retire(key, 'ended', startMs + 999 * hourMs);
      await tables.stores.eventFacts.keep({ ...facts, date: '2026-02-01', updatedAt: startMs });
      polling.market.ingest.accept({ events: [{ ...anEvent(1), event_date: '2026-05-01' }] });
      // One run, which looks at the feed before it reads the catalog.
      polling.clock.now = startMs + 5 * minuteMs;
      await polling.reconcile();

      expect((await tables.stores.feeds.find(1, kind))?.status).toBe('active');
    },
  );

  it('is looked at once a day, for nothing, and goes on when tickets are for sale again', async () => {
    await tables.stores.feeds.retire(
      { eventId: 1, kind: 'stats' },
      'ended',
      polling.clock.now + 24 * hourMs,
    );
    await pass(72, 12);
    expect(await feed()).toMatchObject({ status: 'ended', nextReason: 'over' });
    expect(polling.charged()).toBe(1);
    for (let step = 0; step < 3; step += 1) {
      polling.clock.now += 11 * hourMs;
      polling.refresh(1, 80 - step);
      await polling.minute();
    }

    expect((await feed())?.status).toBe('active');
  });
});
