import { describe, expect, it } from 'vitest';
import { ContractError, CursorError } from '#shared/marketplace/errors.ts';
import type { WalkRestart } from '#shared/marketplace/walk.ts';
import {
  aSnapshot,
  aStatsPage,
  createBench,
  envelope,
  json,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const A = aSnapshot('2026-10-20T10:00:00Z');
const B = aSnapshot('2026-10-20T11:00:00Z');
const C = aSnapshot('2026-10-20T12:00:00Z');
const MORE = { has_more: true, next_cursor: 'c1' };
const LAST = { has_more: false, next_cursor: null };
const next = (...data: unknown[]) => ({ event_id: 7, data, ...LAST });
const invalidCursor = json(envelope('invalid_request', 'invalid_cursor', 'starting_after'), 400);
const timesOf = (rows: { timestamp: string }[]) => rows.map((row) => row.timestamp.slice(11, 13));

describe('a walk', () => {
  it('gives the rows of all pages and is complete', async () => {
    const service = await startFakeService(json(aStatsPage([A], MORE)), json(next(B, C)));
    const walk = createBench(service.url).client.stats(7);
    expect(timesOf(await walk.toArray())).toEqual(['10', '11', '12']);
    expect(walk).toMatchObject({ isComplete: true, rowCount: 3, restarts: [] });
  });

  it('sends filter and page size again with every cursor', async () => {
    const page = { service_event_id: 7, sh_event_id: 8, vs_event_id: null, event_id: 7, data: [] };
    const first = { total_count: 0, has_refreshed: false, last_refreshed_at: null };
    const service = await startFakeService(
      json({ ...page, ...first, ...MORE }),
      json({ ...page, ...LAST }),
    );
    const ref = { marketplaceEventId: 8 };
    await createBench(service.url).client.listings(ref, { active: true, limit: 1000 }).toArray();
    expect(service.seen.map((request) => request.query)).toEqual([
      { id_type: 'marketplace', active: 'true', limit: '1000' },
      { id_type: 'marketplace', active: 'true', limit: '1000', starting_after: 'c1' },
    ]);
  });

  it('gives the first page without fetching it twice', async () => {
    const service = await startFakeService(json(aStatsPage([A], MORE)), json(next(B)));
    const walk = createBench(service.url).client.stats(7);
    expect(await walk.first()).toMatchObject({ availableZones: ['Lower'], totalCount: 1 });
    expect(timesOf(await walk.toArray())).toEqual(['10', '11']);
    expect(walk.firstPage?.availableZones).toEqual(['Lower']);
    expect(service.seen).toHaveLength(2);
  });

  it('counts its cost as soon as the first page arrived', async () => {
    const service = await startFakeService(json(aStatsPage([A], MORE)));
    const walk = createBench(service.url).client.stats(7, { lastPaidSnapshotAt: null });
    expect(walk.cost).toEqual({ pulls: 0, reason: 'free' });
    await walk.first();
    expect(walk.cost).toEqual({ pulls: 1, reason: 'data' });
  });

  it('fetches no further page when it is stopped', async () => {
    const service = await startFakeService(json(aStatsPage([A, B], MORE)));
    const walk = createBench(service.url).client.stats(7);
    for await (const row of walk) {
      expect(row.timestamp).toBe(A.timestamp);
      break;
    }
    expect(service.seen).toHaveLength(1);
    expect(walk.isComplete).toBe(false);
  });

  it('continues after an empty page in the middle', async () => {
    const service = await startFakeService(json(aStatsPage([], MORE)), json(next(B)));
    expect(timesOf(await createBench(service.url).client.stats(7).toArray())).toEqual(['11']);
  });

  it('is walked once', async () => {
    const service = await startFakeService(json(aStatsPage([A])));
    const walk = createBench(service.url).client.stats(7);
    await walk.toArray();
    await expect(walk.toArray()).rejects.toThrow('a walk can be read once');
  });

  it('stays incomplete when a page fails', async () => {
    const service = await startFakeService(json(aStatsPage([A], MORE)), raw('', 500));
    const walk = createBench(service.url).client.stats(7);
    await expect(walk.toArray()).rejects.toMatchObject({ name: 'ServerError' });
    expect(walk).toMatchObject({ isComplete: false, rowCount: 1 });
  });
});

describe('a walk whose cursor expires', () => {
  it('restarts, gives no row twice and tells the caller', async () => {
    const restarts: WalkRestart[] = [];
    const service = await startFakeService(
      json(aStatsPage([A, B], MORE)),
      invalidCursor,
      json(aStatsPage([A, B], { ...MORE, next_cursor: 'c2' })),
      json(next(C)),
    );
    const walk = createBench(service.url).client.stats(7, {
      lastPaidSnapshotAt: null,
      onRestart: (restart) => restarts.push(restart),
    });
    expect(timesOf(await walk.toArray())).toEqual(['10', '11', '12']);
    expect(restarts).toMatchObject([{ rowCount: 2, cause: { name: 'CursorError' } }]);
    expect(walk.restarts).toEqual(restarts);
    expect(service.seen.map((request) => request.query.starting_after)).toEqual([
      undefined,
      'c1',
      undefined,
      'c2',
    ]);
  });

  it('charges the restart for new data in between', async () => {
    const service = await startFakeService(
      json(aStatsPage([A, B], MORE)),
      invalidCursor,
      json(aStatsPage([A, B, C])),
    );
    const walk = createBench(service.url).client.stats(7, { lastPaidSnapshotAt: null });
    await walk.toArray();
    expect(walk.cost).toEqual({ pulls: 2, reason: 'data' });
  });

  it('does not charge the restart without new data in between', async () => {
    const service = await startFakeService(
      json(aStatsPage([A], MORE)),
      invalidCursor,
      json(aStatsPage([A])),
    );
    const walk = createBench(service.url).client.stats(7, { lastPaidSnapshotAt: null });
    await walk.toArray();
    expect(walk.cost).toEqual({ pulls: 1, reason: 'data' });
  });

  it('gives up after as many restarts as allowed', async () => {
    const service = await startFakeService(
      json(aStatsPage([A], MORE)),
      invalidCursor,
      json(aStatsPage([A], MORE)),
      invalidCursor,
    );
    const walk = createBench(service.url).client.stats(7);
    await expect(walk.toArray()).rejects.toThrow(CursorError);
    expect(walk.restarts).toHaveLength(1);
  });

  it('does not restart when the first page is refused', async () => {
    const service = await startFakeService(invalidCursor);
    await expect(createBench(service.url).client.stats(7).toArray()).rejects.toThrow(CursorError);
    expect(service.seen).toHaveLength(1);
  });
});

describe('a cursor that breaks the contract', () => {
  it.each([
    ['more pages without a cursor', { has_more: true, next_cursor: null }],
    ['a cursor without more pages', { has_more: false, next_cursor: 'c' }],
  ])('%s', async (_, extras) => {
    const service = await startFakeService(json(aStatsPage([A], extras)));
    const walk = createBench(service.url).client.stats(7);
    await expect(walk.toArray()).rejects.toMatchObject({
      name: 'ContractError',
      path: 'next_cursor',
    });
  });

  it('a walk in circles', async () => {
    const service = await startFakeService(
      json(aStatsPage([A], MORE)),
      json({ ...next(B), ...MORE }),
    );
    const walk = createBench(service.url).client.stats(7);
    await expect(walk.toArray()).rejects.toThrow('this cursor was given before');
    expect(service.seen).toHaveLength(2);
  });

  it('a walk without end', async () => {
    let page = 0;
    const service = await startFakeService((request, response) => {
      page += 1;
      return json(aStatsPage([], { has_more: true, next_cursor: `c${page}` }))(request, response);
    });
    const walk = createBench(service.url, { maxPages: 5 }).client.stats(7);
    await expect(walk.toArray()).rejects.toThrow(ContractError);
    expect(service.seen).toHaveLength(5);
  });
});
