// One bad item keeps none of the others of its step from being handled, and is reported.
import { beforeEach, describe, expect, it } from 'vitest';
import { alone } from '#functions/reconcile/each-alone.ts';
import { createReadCatalog } from '#functions/reconcile/read-catalog.ts';
import type { WatchedFeed } from '#functions/reconcile/read-fleet.ts';
import { releaseDeliveries } from '#functions/reconcile/release-deliveries.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import type { DailyCsvRow } from '#shared/marketplace/daily-csv.ts';
import { newMarketState } from '#shared/polling/market-state.ts';

const now = Date.parse('2026-03-05T12:00:00Z');
const hourMs = 3_600_000;

let faults: FaultReport[];
beforeEach(() => {
  faults = [];
  return listenForFaults((report) => faults.push(report));
});

describe('alone', () => {
  const place = { step: 'subscriptions', ids: { watchId: 'wat_1' } };

  it('answers what the work answers', async () => {
    expect(await alone(place, async () => 7)).toBe(7);
    expect(faults).toEqual([]);
  });

  it('reports a permanent fault with its place and goes on', async () => {
    expect(await alone(place, () => Promise.reject(new TypeError('odd')))).toBeUndefined();
    expect(faults).toMatchObject([
      {
        thing: 'reconcile_item',
        reason: 'subscriptions: TypeError: odd',
        ids: { step: 'subscriptions', watchId: 'wat_1' },
      },
    ]);
  });

  it('passes a transient failure on', async () => {
    const failure = Object.assign(new Error('slow'), { name: 'ThrottlingException' });
    await expect(alone(place, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(faults).toEqual([]);
  });
});

describe('releasing deliveries', () => {
  const due = ['a', 'bad', 'c'].map((deliveryId) => ({
    ...{ deliveryId, ownerId: 'own_1', channelKind: 'slack', createdAt: now - hourMs },
  }));
  const deliveries = { overdue: async () => due as never };

  it('hands on all the others when the queue refuses one', async () => {
    const sent: unknown[] = [];
    const send = async (messages: readonly { body: unknown }[]) => {
      const bodies = messages.map(({ body }) => body as { deliveryId: string });
      if (bodies.some(({ deliveryId }) => deliveryId === 'bad')) throw new TypeError('odd');
      sent.push(...bodies.map(({ deliveryId }) => deliveryId));
    };
    const senders = { slack: send } as never;
    expect(await releaseDeliveries({ deliveries, senders }, 0, now)).toBe(2);
    expect(sent).toEqual(['a', 'c']);
    expect(faults).toMatchObject([{ ids: { step: 'deliveries', deliveryId: 'bad' } }]);
  });
});

describe('the daily catalog', () => {
  const row = (event_id: string, changes: DailyCsvRow = {}): DailyCsvRow => ({
    ...{ event_id, event_name: 'Finals', event_date: '2026-06-04', event_time: '19:30' },
    ...changes,
  });
  const watched = async () =>
    [1, 2, 3].map((eventId) => ({ eventId, kind: 'stats' }) as WatchedFeed);
  let state = newMarketState;
  let kept: number[];
  let found: number[];
  beforeEach(() => {
    state = newMarketState;
    kept = [];
    found = [];
  });

  function readerOf(readRows: (tell: (line: number) => void) => AsyncIterable<DailyCsvRow>) {
    return createReadCatalog({
      readMarketplace: async () => ({ dailyCsv: async () => ({ rows: readRows }) }) as never,
      marketState: {
        read: async () => state,
        change: async (change: (current: typeof state) => typeof state) => {
          state = change(state);
        },
      } as never,
      eventFacts: {
        keep: async ({ eventId }: { eventId: number }) => {
          if (eventId === 2) throw new TypeError('odd');
          kept.push(eventId);
          return true;
        },
      } as never,
      catalog: {
        write: async (entries) => {
          found.push(...entries.map(({ event_id }) => event_id));
          return entries.length;
        },
      },
      reviveEnded: async () => false,
    });
  }

  it('keeps the other rows and reports the bad one', async () => {
    const read = readerOf(async function* () {
      yield* [row('1'), row('2'), row('3')];
    });
    expect(await read(watched, { now, deadlineMs: now + 1 })).toBe(2);
    expect(kept).toEqual([1, 3]);
    // Searches find all three: the fault was in the facts of a watched event.
    expect(found).toEqual([1, 2, 3]);
    expect(faults).toMatchObject([
      { thing: 'reconcile_item', ids: { step: 'catalog', eventId: 2 } },
    ]);
  });

  it('reports the line of a row that does not fit the header', async () => {
    const read = readerOf(async function* (tell) {
      tell(7);
      yield row('1');
    });
    expect(await read(watched, { now, deadlineMs: now + 1 })).toBe(1);
    expect(faults).toMatchObject([{ thing: 'catalog_row', ids: { line: 7 } }]);
  });

  it('is read again an hour after a read that failed, and a day after one that did not', async () => {
    let reads = 0;
    const read = readerOf(async function* () {
      reads += 1;
      if (reads === 1) throw new Error('broken off');
      yield row('1');
    });
    const at = (time: number) => read(watched, { now: time, deadlineMs: time + 1 });
    await expect(at(now)).rejects.toThrow('broken off');
    expect(await at(now + hourMs - 1)).toBeUndefined();
    expect(await at(now + hourMs)).toBe(1);
    expect(await at(now + 2 * hourMs)).toBeUndefined();
    expect(reads).toBe(2);
  });
});
