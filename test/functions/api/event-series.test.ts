// Several numbers of an event over time, as a chart takes them.
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { pullOf } from '#shared/polling/pull.ts';
import { metricNames } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { eventId, startMs, statsAt } from '#test/support/api.ts';
import { type CountedApi, startCountedApi } from '#test/support/counted-api.ts';
import { storePolled } from '#test/support/polled-event.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const path = `/v1/events/${eventId}/series`;

let counted: CountedApi;
beforeEach(async () => {
  counted = await startCountedApi();
  return () => counted.stop();
});

/** Snapshots so many minutes before now, oldest first, as one poll brings them. */
const poll = (rows: [minutesAgo: number, price: number | null, zones?: Record<string, number>][]) =>
  storePolled(
    counted.tables.stores,
    rows.map(([ago, price, zones]) => statsAt(startMs - ago * minuteMs, price, zones)),
  );

interface Series {
  metric: string;
  zone: string | null;
  values: (number | null)[];
}

const ask = async (query: string) => {
  const answer = await counted.requestsOf(`${path}?${query}`);
  return { ...answer, series: (answer.body.series ?? []) as Series[] };
};
/** Minutes before now. */
const agoOf = (times: number[]) => times.map((at) => (startMs - at * 1_000) / minuteMs);

describe('a range of at most 3 days', () => {
  it('has each snapshot in which a number moves, in columns', async () => {
    await poll([
      ...([
        [50, 100],
        [40, 100],
        [30, 100],
      ] as [number, number][]),
      ...([
        [20, 90],
        [10, null],
        [0, 95],
      ] as [number, number | null][]),
    ]);
    const { body, series } = await ask('span=24h&metric=get_in&metric=total_listings_active');
    expect(agoOf(body.times)).toEqual([50, 30, 20, 10, 0]);
    expect(series).toEqual([
      { metric: 'get_in', zone: null, unit: 'dollars', values: [100, 100, 90, null, 95] },
      { metric: 'total_listings_active', zone: null, unit: 'count', values: [50, 50, 50, 0, 50] },
    ]);
    expect(body).toMatchObject({ event_id: eventId, from: '2026-02-28T12:00:00.000Z' });
    expect([body.raw_from, body.cut_before, body.looks]).toEqual([body.from, null, null]);
  });

  it('has the prices of each zone, beside the listings of the event', async () => {
    await poll([
      [20, 90, { 'Lower Bowl': 120, 'Club, left': 200 }],
      [10, 85, { 'Lower Bowl': 110 }],
    ]);
    const zones = 'zone=Lower%20Bowl&zone=Club%2C%20left&zone=Nowhere';
    const { series } = await ask(`span=3d&metric=median_price&metric=listing_fill_rate&${zones}`);
    expect(series.map(({ metric, zone, values }) => [metric, zone, values])).toEqual([
      ['median_price', 'Lower Bowl', [120, 110]],
      ['median_price', 'Club, left', [200, null]],
      ['median_price', 'Nowhere', [null, null]],
      ['listing_fill_rate', null, [40, 40]],
    ]);
  });

  it('has the looks that brought a snapshot or cost a pull, if asked', async () => {
    const { pulls, snapshots } = counted.tables.stores;
    const look = (minutesAgo: number) => ({ at: startMs - minutesAgo * minuteMs });
    const rows = (...ago: number[]) => ago.map((each) => statsAt(startMs - each * minuteMs, 90));
    await snapshots.createAll(rows(61, 55), startMs, look(50));
    await snapshots.createAll(rows(12), startMs, look(10));
    for (const ago of [50, 30]) {
      await pulls.create(
        pullOf({
          ...{ claim: `clm_${ago}`, eventId, kind: 'stats', pulls: 1, reason: 'data' },
          ...{ state: 'settled', pulledAt: startMs - ago * minuteMs, watches: 1 },
        }),
      );
    }
    await pulls.create(
      pullOf({
        ...{ claim: 'clm_other', eventId: 47, kind: 'stats', pulls: 1, reason: 'data' },
        ...{ state: 'settled', pulledAt: startMs, watches: 1 },
      }),
    );
    const { body } = await ask('span=24h&include=looks');
    const { times, ...columns } = body.looks;
    expect(agoOf(times)).toEqual([50, 30, 10]);
    expect(columns).toEqual({ snapshots: [2, 0, 1], pulls: [1, 1, 0] });
  });

  it('reads a limited number of pages of a busy event, and what is older by the hour', async () => {
    const { priceDays, snapshots } = counted.tables.stores;
    const rows = Array.from({ length: 24 }, (_, n) =>
      statsAt(startMs - (24 - n) * 10 * minuteMs, n === 1 ? 50 : 90 + n),
    );
    // A page of 1 MB has four or five of these; the emulator counts compressed bytes.
    const reason = randomBytes(200_000).toString('base64');
    await snapshots.createAll(rows, startMs, { at: startMs, reason });
    await priceDays.addAll(eventId, rows, { readStored: async () => [], now: startMs });
    const { body, series, requests } = await ask('span=24h');
    // The raw ones, and the days.
    expect(requests.filter((name) => name === 'QueryCommand').length).toBeLessThanOrEqual(5 + 1);
    expect(Date.parse(body.raw_from)).toBeGreaterThan(startMs - 220 * minuteMs);
    expect(body.cut_before).toBeNull();
    // The lowest price was in the hour that is not read by snapshots.
    expect(series[0]?.values[0]).toBe(50);
    expect(series[0]?.values.at(-1)).toBe(113);
  });
});

describe('a longer range', () => {
  /** A snapshot in 20 minutes over so many days, as polls of a day each bring them. */
  async function days(count: number) {
    for (let day = count; day > 0; day -= 1) {
      const rows = Array.from({ length: 72 }, (_, n): [number, number, Record<string, number>] => {
        const ago = day * 24 * 60 - n * 20 - 1;
        return [ago, 100 + ((ago * 7_919) % 101), { Court: 200 + ((ago * 31) % 89) }];
      });
      await poll(rows);
    }
  }

  it('is of hours, has every extreme of every number, and at most as many times as asked for', async () => {
    await days(12);
    const { body, series } = await ask(
      'span=30d&points=150&metric=get_in&metric=avg_price&zone=Court',
    );
    expect(body.raw_from).toBeNull();
    expect(body.times.length).toBeLessThanOrEqual(150);
    expect(body.times).toEqual(body.times.toSorted((a: number, b: number) => a - b));
    expect(new Set(body.times).size).toBe(body.times.length);
    const values = series[0]?.values as number[];
    const stored = await allPrices();
    expect([Math.min(...values), Math.max(...values)]).toEqual([
      Math.min(...stored),
      Math.max(...stored),
    ]);
    expect(agoOf([body.times.at(-1)])).toEqual([19]);
    expect(values.at(-1)).toBe(stored.at(-1));
  });

  async function allPrices(): Promise<number[]> {
    const { snapshots } = counted.tables.stores;
    const rows = await snapshots.after({ eventId, kind: 'stats' }, 0, 2_000);
    return rows.map((row) => ((row as MarketSnapshot).zones.Court?.get_in ?? 0) / 100);
  }

  it('reaches back over the snapshots of a release that kept no hours', async () => {
    const { snapshots } = counted.tables.stores;
    const old = [20, 15, 10].map((day) => statsAt(startMs - day * dayMs, day));
    await snapshots.createAll(old, startMs);
    await poll([[30, 90]]);
    const { body, series } = await ask('span=30d');
    expect(series[0]?.values).toEqual([20, 15, 10, 90]);
    expect(body.cut_before).toBeNull();
  });

  it('takes from and to', async () => {
    await days(6);
    const from = new Date(startMs - 5 * dayMs).toISOString();
    const to = new Date(startMs - dayMs).toISOString();
    const { body } = await ask(`from=${from}&to=${to}`);
    expect(body.from).toBe(from);
    expect(agoOf(body.times).every((ago) => ago >= 24 * 60 && ago <= 5 * 24 * 60)).toBe(true);
    expect(body.times.length).toBeGreaterThan(100);
  });
});

describe('a request', () => {
  it('is answered by 304 without reading prices until the next poll', async () => {
    await poll([[10, 90]]);
    const first = await ask('span=7d');
    const again = (tag: string, query = 'span=7d') =>
      counted.api.call(`${path}?${query}`, {
        key: counted.tables.ann.key,
        headers: { 'if-none-match': tag },
      });
    const tag = first.headers.get('etag') ?? '';
    const known = await again(tag);
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', tag]);
    // Another question has another answer, also with the tag of this one.
    expect((await again(tag, 'span=7d&metric=avg_price')).status).toBe(200);
    counted.api.clock.now += 15 * minuteMs;
    expect((await again(tag)).status).toBe(200);
    counted.api.clock.now = startMs;
    await poll([[5, 90]]);
    expect((await again(tag)).status).toBe(200);
  });

  it('takes few requests, and one read when nothing is new', async () => {
    await poll([[10, 90]]);
    const { requests, headers } = await ask('span=30d');
    // The key, the count, the feed and the days.
    expect(requests.length).toBeLessThanOrEqual(6);
    const tag = headers.get('etag') ?? '';
    const known = await counted.requestsOf(`${path}?span=30d`, undefined, { 'if-none-match': tag });
    expect(known.status).toBe(304);
    expect(known.requests).not.toContain('QueryCommand');
  });

  it.each([
    ['span=7d&from=2026-02-01T00:00:00Z', '#/span'],
    ['from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', '#/from'],
    ['span=7d&include=looks', '#/include'],
    ['points=601', '#/points'],
    ['points=10', '#/points'],
    ['metric=price', '#/metric/0'],
    ['span=1d', '#/span'],
    ['zone=1&zone=2&zone=3&zone=4&zone=5&zone=6&zone=7', '#/zone'],
    ['span=7d&span=7d', '#/span'],
  ])('with %s is refused', async (query, pointer) => {
    const { status, body } = await ask(query);
    expect([status, body.errors?.[0].pointer]).toEqual([400, pointer]);
  });

  it('for all metrics of six zones has room for their extremes in 100 times', async () => {
    const zones = ['A', 'B', 'C', 'D', 'E', 'F'];
    const rows = Array.from({ length: 300 }, (_, n): [number, number, Record<string, number>] => [
      300 - n,
      100 + ((n * 17) % 83),
      Object.fromEntries(zones.map((zone, z) => [zone, 100 + ((n * (31 + 2 * z)) % 89)])),
    ]);
    await poll(rows);
    const all = metricNames.map((metric) => `metric=${metric}`).join('&');
    const query = `span=24h&points=100&${all}&${zones.map((zone) => `zone=${zone}`).join('&')}`;
    const { body, series } = await ask(query);
    expect(series).toHaveLength(26);
    expect(body.times.length).toBeLessThanOrEqual(100);
    for (const { metric, zone, values } of series) {
      if (zone === null) continue;
      const given = rows.map(([, , prices]) => prices[zone] ?? 0);
      const known = values.filter((value) => value !== null);
      expect([Math.min(...known), Math.max(...known)], `${metric} ${zone}`).toEqual([
        Math.min(...given),
        Math.max(...given),
      ]);
    }
  });

  it('about an event that is not known gets 404, about one without prices an empty answer', async () => {
    expect((await ask('span=7d')).status).toBe(404);
    await counted.tables.stores.eventFacts.keep({ eventId, name: 'Finals', updatedAt: 1 });
    const { status, body } = await ask('span=7d');
    expect([status, body.times]).toEqual([200, []]);
  });
});
