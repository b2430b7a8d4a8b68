import { describe, expect, it } from 'vitest';
import {
  aSnapshot,
  aStatsPage,
  createBench,
  json,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const EARLY = aSnapshot('2026-10-20T10:00:00Z');
const LATE = aSnapshot('2026-10-20T11:00:00Z', 95);

describe('a page of stats', () => {
  it('gives the snapshots and the first page extras', async () => {
    const service = await startFakeService(json(aStatsPage([EARLY, LATE])));
    const page = await createBench(service.url).client.statsPage(7);
    expect(page).toMatchObject({
      data: [
        { timestamp: '2026-10-20T10:00:00Z', get_in: 100 },
        { timestamp: '2026-10-20T11:00:00Z', get_in: 95 },
      ],
      hasMore: false,
      nextCursor: null,
      availableZones: ['Lower'],
      totalCount: 2,
    });
  });

  it('sends the range, the page size and the cursor as the API names them', async () => {
    const service = await startFakeService(json(aStatsPage([EARLY])));
    await createBench(service.url).client.statsPage(7, {
      startDate: '2026-10-01',
      endDate: '2026-10-21T00:00:00Z',
      limit: 50,
      startingAfter: 'cur',
    });
    expect(service.seen[0]).toMatchObject({
      method: 'GET',
      path: '/v1/events/7/stats',
      query: {
        start_date: '2026-10-01',
        end_date: '2026-10-21T00:00:00Z',
        limit: '50',
        starting_after: 'cur',
      },
    });
  });

  it('reads a null price as no value', async () => {
    const service = await startFakeService(
      json(aStatsPage([aSnapshot('2026-10-20T10:00:00Z', null)])),
    );
    const page = await createBench(service.url).client.statsPage(7);
    expect(page.data[0]?.get_in).toBeNull();
  });

  it('passes fields through that the contract does not know', async () => {
    const service = await startFakeService(json(aStatsPage([{ ...EARLY, mood: 'calm' }])));
    const page = await createBench(service.url).client.statsPage(7);
    expect(page.data[0]?.mood).toBe('calm');
  });
});

describe('the charge of a first page of stats', () => {
  const rows = [LATE, EARLY];
  it.each([
    ['never paid before', rows, {}, { lastPaidSnapshotAt: null }, 1, 'data'],
    ['last paid unknown', rows, {}, {}, 1, 'possibly_charged'],
    ['a newer snapshot came', rows, {}, { lastPaidSnapshotAt: EARLY.timestamp }, 1, 'data'],
    ['nothing newer came', rows, {}, { lastPaidSnapshotAt: LATE.timestamp }, 0, 'nothing_new'],
    [
      'nothing after the start',
      [],
      {},
      { lastPaidSnapshotAt: LATE.timestamp, startDate: LATE.timestamp },
      0,
      'nothing_new',
    ],
    [
      'an end date may hide newer ones',
      rows,
      {},
      { lastPaidSnapshotAt: LATE.timestamp, endDate: '2026-10-21' },
      1,
      'possibly_charged',
    ],
    [
      'a start after the last paid one may hide newer ones',
      [],
      {},
      { lastPaidSnapshotAt: EARLY.timestamp, startDate: LATE.timestamp },
      1,
      'possibly_charged',
    ],
    [
      'newer ones may be on later pages',
      [EARLY],
      { has_more: true, next_cursor: 'c' },
      { lastPaidSnapshotAt: EARLY.timestamp },
      1,
      'possibly_charged',
    ],
    ['the event has no snapshot', [], { available_zones: [] }, {}, 0, 'no_data'],
    ['a continuation page', rows, {}, { startingAfter: 'c' }, 0, 'free'],
  ])('%s', async (_, data, extras, options, pulls, reason) => {
    const service = await startFakeService(json(aStatsPage(data, extras)));
    const page = await createBench(service.url).client.statsPage(7, options);
    expect(page.cost).toEqual({ pulls, reason });
  });

  it('is exact at the end of a walk whose newer snapshots come last', async () => {
    const service = await startFakeService(
      json(aStatsPage([EARLY], { has_more: true, next_cursor: 'c' })),
      json({ event_id: 7, data: [LATE], has_more: false, next_cursor: null }),
    );
    const walk = createBench(service.url).client.stats(7, { lastPaidSnapshotAt: EARLY.timestamp });
    await walk.toArray();
    expect(walk.cost).toEqual({ pulls: 1, reason: 'data' });
  });
});
