// Each zone of an event: what it costs now, against a day ago, over the week, and within its 30 days.
import { beforeEach, describe, expect, it } from 'vitest';
import { recentAfter } from '#shared/polling/recent-prices.ts';
import { eventId, startMs, statsAt } from '#test/support/api.ts';
import { type CountedApi, startCountedApi } from '#test/support/counted-api.ts';
import { storePolled } from '#test/support/polled-event.ts';

const hourMs = 3_600_000;
const path = `/v1/events/${eventId}/zones`;

let counted: CountedApi;
beforeEach(async () => {
  counted = await startCountedApi();
  return () => counted.stop();
});

/** Snapshots so many hours before now, oldest first: the get-in price of the event, and of its zones. */
const poll = (rows: [hoursAgo: number, price: number | null, zones: Record<string, number>][]) =>
  storePolled(
    counted.tables.stores,
    rows.map(([ago, price, zones]) => statsAt(startMs - ago * hourMs, price, zones)),
  );

interface Row {
  zone: string | null;
  get_in: number | null;
  get_in_week: (number | null)[];
  get_in_30_days: object | null;
}
const zones = async () => {
  const { body, ...answer } = await counted.requestsOf(path);
  const rows = body.zones as Row[];
  return {
    ...answer,
    body,
    rows,
    of: (zone: string | null) => rows.find((row) => row.zone === zone),
  };
};

describe('GET /v1/events/{event_id}/zones', () => {
  it('has the event and each zone, the most expensive first, those without a listing last', async () => {
    await poll([
      [30, 40, { Balcony: 40, Club: 200, Floor: 90 }],
      [0, 50, { Balcony: 50, Floor: 120 }],
    ]);
    const { body, rows } = await zones();
    expect(rows.map(({ zone, get_in }) => [zone, get_in])).toEqual([
      [null, 50],
      ['Floor', 120],
      ['Balcony', 50],
      ['Club', null],
    ]);
    expect(body).toMatchObject({ event_id: eventId, data_as_of: '2026-03-01T12:00:00.000Z' });
    expect(rows[1]).toMatchObject({ get_in_qty2plus: 120, avg_price: 120, median_price: 120 });
  });

  it('has at most 500 zones', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`Zone ${n}`, 100 + n]));
    await poll([[0, 50, many]]);
    const { rows } = await zones();
    expect([rows.length, rows[1]?.zone, rows.at(-1)?.zone]).toEqual([501, 'Zone 599', 'Zone 100']);
  });

  it('says the change since the same hour of the day before', async () => {
    await poll([
      [40, 90, { Floor: 100 }],
      [24, 90, { Floor: 80 }],
      [23, 90, { Floor: 70 }],
      [0, 90, { Floor: 60 }],
    ]);
    expect((await zones()).of('Floor')).toMatchObject({ get_in_change_24h_percent: -25 });
  });

  it('has a point for each three hours of a week, and holds a price until the next', async () => {
    await poll([
      [240, 1, { Floor: 1 }],
      [168, 90, { Floor: 100 }],
      [5, 80, { Floor: 70 }],
    ]);
    const week = (await zones()).of('Floor')?.get_in_week;
    // Noon begins a part of three hours; the price fell at 07:00, in the part from 06:00.
    expect(week).toEqual([...Array(53).fill(100), 70, 70, 70]);
  });

  it('says where the price stands among those of its 30 days', async () => {
    const rows = Array.from({ length: 100 }, (_, n): [number, number, Record<string, number>] => [
      99 - n,
      10,
      { Floor: 200 - n, Steady: 50 },
    ]);
    await poll([[700, 1, { Floor: 1, Steady: 900 }], ...rows]);
    const { of } = await zones();
    expect(of('Floor')?.get_in_30_days).toEqual({
      ...{ low: 1, high: 200, known_from: '2026-01-31T08:00:00.000Z' },
      // It was at 1 in 601 of 701 hours, and is at its lowest since.
      lower_percent: 85.8,
    });
    expect(of('Steady')?.get_in_30_days).toMatchObject({ low: 50, high: 900 });
  });

  it('counts an hour as lower only if its price was lower, and an equal one half', async () => {
    await poll([
      ...([
        [3, 10, { Floor: 5 }],
        [2, 10, { Floor: 9 }],
      ] as [number, number, Record<string, number>][]),
      ...([
        [1, 10, { Floor: 7 }],
        [0, 10, { Floor: 7 }],
      ] as [number, number, Record<string, number>][]),
    ]);
    expect((await zones()).of('Floor')?.get_in_30_days).toEqual({
      ...{ low: 5, high: 9, lower_percent: 50, known_from: '2026-03-01T09:00:00.000Z' },
    });
  });

  it('has nulls where nothing is for sale, and the extremes of what was', async () => {
    await poll([
      [26, 90, { Floor: 100 }],
      [0, null, {}],
    ]);
    expect((await zones()).of('Floor')).toMatchObject({
      ...{ get_in: null, get_in_change_24h_percent: null },
      get_in_30_days: { low: 100, high: 100, lower_percent: null },
    });
    expect((await zones()).of(null)?.get_in_week.at(-1)).toBeNull();
  });

  it('takes few requests whatever is stored, and one read until the next poll', async () => {
    for (let day = 31; day > 0; day -= 1) {
      const hours = Array.from({ length: 24 }, (_, n): [number, number, Record<string, number>] => [
        day * 24 - n,
        90,
        { Floor: 100 + n },
      ]);
      await poll(hours);
    }
    const { requests, headers } = await zones();
    expect(requests.filter((name) => name === 'QueryCommand')).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(6);
    const known = await counted.requestsOf(path, undefined, {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect([known.status, known.requests.includes('QueryCommand')]).toEqual([304, false]);
    counted.api.clock.now += hourMs;
    expect(
      (
        await counted.requestsOf(path, undefined, {
          'if-none-match': headers.get('etag') ?? '',
        })
      ).status,
    ).toBe(200);
  });

  it('is empty before the first poll, and 404 for an event that is not known', async () => {
    expect((await counted.requestsOf(path)).status).toBe(404);
    await counted.tables.stores.eventFacts.keep({ eventId, name: 'Finals', updatedAt: 1 });
    expect((await counted.requestsOf(path)).body).toEqual({
      ...{ event_id: eventId, data_as_of: null, zones: [] },
    });
  });

  it('agrees with the board about the event’s own week and change', async () => {
    const found = Array.from({ length: 90 }, (_, n) =>
      statsAt(startMs - (90 - n) * 2.5 * hourMs, 50 + ((n * 37) % 41)),
    );
    await storePolled(counted.tables.stores, found, { recent: recentAfter(undefined, found) });
    const { channelId } = counted.tables.ann;
    await counted.tables.call('/v1/watches', {
      body: {
        ...{ event_id: eventId, channels: [channelId] },
        rules: [{ type: 'level', metric: 'get_in', at_or_below: 10 }],
      },
    });
    const { body } = await counted.requestsOf('/v1/watches?include=standing');
    const { standing } = body.data[0];
    const event = (await zones()).of(null);
    expect(event).toMatchObject({
      get_in: standing.get_in,
      get_in_week: standing.get_in_week,
      get_in_change_24h_percent: standing.get_in_change_24h_percent,
    });
  });
});
