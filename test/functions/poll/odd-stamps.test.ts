// Timestamps that can't be true, a service whose clock is off, and snapshots that are published late:
// against the marketplace itself, whose answers the tests change on their way.
import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const noMemory = { hour: startMs, standings: {} };

type Row = { timestamp: string } & Record<string, unknown>;

let tables: TestTables;
/** Changes the rows of every stats answer. */
let changeRows: (rows: Row[]) => Row[];

beforeEach(async () => {
  tables = await startTestTables();
  changeRows = (rows) => rows;
  return () => tables.stop();
});

function open(skewMs = 0): Polling {
  return openPolling(tables.stores, 1, {
    skewMs,
    intercept: async (request, pass) => {
      const answer = await pass();
      if (!/stats/.test(request.url) || !answer.ok) return answer;
      const body = (await answer.json()) as { data: Row[] };
      const headers = new Headers(answer.headers);
      headers.delete('content-length');
      return Response.json({ ...body, data: changeRows(body.data) }, { headers });
    },
  });
}

const feed = async () => {
  const found = await tables.stores.feeds.find(1, 'stats');
  if (!found) throw new Error('there is no feed');
  return found;
};
const storedMinutes = async () =>
  (await tables.stores.snapshots.between({ eventId: 1, kind: 'stats' }, 0, startMs * 2)).map(
    ({ observedAt }) => (observedAt - startMs) / minuteMs,
  );

/** A row of the market that the marketplace does not have. */
const aRow = (like: Row | undefined, at: number): Row => ({
  ...like,
  timestamp: new Date(at).toISOString(),
});

describe('a snapshot stamped in the future', () => {
  it.each([
    ['two hours ahead', '2026-03-01T14:00:00Z'],
    ['a year ahead', '2027-03-01T12:00:00Z'],
    ['in the year 9999', '9999-12-31T23:59:59Z'],
  ])('%s is left out and told, and costs no other snapshot', async (_name, stamp) => {
    const polling = open();
    changeRows = (rows) => [...rows, aRow(rows[0], Date.parse(stamp))];
    await polling.watch(1);
    for (let refresh = 1; refresh <= 8; refresh += 1) {
      polling.clock.now += 4 * minuteMs;
      polling.refresh(1, 100 - refresh);
      await polling.minute();
    }

    expect(await storedMinutes()).toEqual([4, 9, 14, 19, 24, 29, 34, 39]);
    expect(await feed()).toMatchObject({
      lastSnapshotAt: startMs + 39 * minuteMs,
      setAside: { future_stamp: { since: startMs + 5 * minuteMs } },
    });
    expect((await feed()).nextPollAt).toBeLessThanOrEqual(polling.clock.now + minuteMs);
    const spent = (await tables.stores.pulls.ofDay('2026-03-01')).map(({ pulls }) => pulls);
    expect(spent.reduce((sum, pulls) => sum + pulls, 0)).toBe(polling.charged());
  });

  it('stays left out when its time has come', async () => {
    const polling = open();
    changeRows = (rows) => [...rows, aRow(rows[0], startMs + 20 * minuteMs)];
    await polling.watch(1);
    polling.refresh(1, 100);
    for (let minute = 0; minute < 30; minute += 1) await polling.minute();

    expect(await storedMinutes()).toEqual([0]);
  });

  it('heals in a deployment that has stored it', async () => {
    const polling = open();
    await polling.watch(1);
    polling.refresh(1, 100);
    await polling.minute();
    const future = startMs + 8_760 * hourMs;
    const [stored] = await tables.stores.snapshots.after({ eventId: 1, kind: 'stats' }, 0, 1);
    if (!stored) throw new Error('nothing is stored');
    await tables.stores.snapshots.createAll([{ ...stored, observedAt: future }], startMs);
    await tables.stores.feeds.claim(await feed(), 'test', startMs + 10 * minuteMs);
    await tables.stores.feeds.finishPoll({ eventId: 1, kind: 'stats' }, 'test', {
      ...{ nextPollAt: future, nextReason: 'expected_refresh', failures: 0, micropulls: 0 },
      ...{ settles: true, lastSnapshotAt: future, rhythm: { gapsMs: [], lastRefreshAt: future } },
    });
    await polling.reconcile();
    polling.clock.now += 5 * minuteMs;
    polling.refresh(1, 90);
    await polling.minute();

    expect(await storedMinutes()).toEqual([0, 6]);
    expect((await feed()).lastSnapshotAt).toBe(startMs + 6 * minuteMs);
  });
});

describe('a service whose clock is off', () => {
  it.each([
    ['ten minutes ahead', -10 * minuteMs],
    ['two hours ahead', -2 * hourMs],
    ['ten minutes behind', 10 * minuteMs],
    ['two hours behind', 2 * hourMs],
  ])('%s gives every snapshot its true time, at once', async (_name, skewMs) => {
    const polling = open(skewMs);
    await polling.watch(1);
    polling.refresh(1, 100);
    await polling.minute();
    polling.clock.now += 4 * minuteMs;
    polling.refresh(1, 90);
    await polling.minute();

    const minutes = await storedMinutes();
    expect(minutes.map((each) => Math.round(each * 30) / 30 + 0)).toEqual([0, 5]);
    expect((await feed()).setAside).toBeUndefined();
  });
});

describe('a snapshot that is published late', () => {
  it('is stored in its place, once, and told to the evaluation', async () => {
    const polling = open();
    await polling.watch(1);
    polling.refresh(1, 100);
    await polling.minute();
    polling.clock.now += 20 * minuteMs;
    polling.refresh(1, 90);
    await polling.minute();
    polling.nudges.length = 0;
    const { evaluations } = tables.stores;
    const key = { eventId: 1, kind: 'stats' } as const;
    await evaluations.acquire(key, 'run', startMs, startMs + minuteMs);
    const evaluatedThrough = startMs + 21 * minuteMs;
    await evaluations.advance(key, 'run', {
      evaluatedThrough,
      memory: noMemory,
      cursorMemory: {},
      alerts: 0,
    });
    changeRows = (rows) => [...rows, aRow(rows[0], startMs + 10 * minuteMs)];
    for (let minute = 0; minute < 3; minute += 1) await polling.minute();

    expect(await storedMinutes()).toEqual([0, 10, 21]);
    expect(polling.nudges).toEqual([{ eventId: 1, kind: 'stats' }]);
    expect((await evaluations.find(key))?.lateFrom).toBe(startMs + 10 * minuteMs);
    expect((await feed()).lastSnapshotAt).toBe(startMs + 21 * minuteMs);
  });

  it('costs nothing to look for', async () => {
    const polling = open();
    await polling.watch(1);
    polling.refresh(1, 100);
    for (let minute = 0; minute < 10; minute += 1) await polling.minute();

    expect(polling.charged()).toBe(1);
    expect(await tables.stores.pulls.ofDay('2026-03-01')).toMatchObject([{ pulls: 1 }]);
  });
});
