import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMarketplace, type Marketplace } from '#marketplace/marketplace.ts';
import { createSimulator, type SimulatorOptions } from '#marketplace/simulator/simulator.ts';

const firstDay = Date.parse('2026-11-27T00:00:00Z');
const hourMs = 60 * 60 * 1000;

/** Plays `hours` of market time in steps of `stepMs` and returns the marketplace. */
function play(o: Partial<SimulatorOptions> & { hours: number; stepMs: number }): Marketplace {
  const clock = { at: firstDay + 12 * hourMs };
  const now = () => clock.at;
  const marketplace = createMarketplace({ clocks: { real: now, market: now } });
  const simulator = createSimulator(
    marketplace.ingest,
    { seed: 1, events: 4, history: 3, firstDay, ...o },
    () => undefined,
  );
  simulator.begin(clock.at);
  const end = clock.at + o.hours * hourMs;
  while (clock.at < end) {
    clock.at = Math.min(end, clock.at + o.stepMs);
    simulator.advance(clock.at, Number.POSITIVE_INFINITY);
  }
  return marketplace;
}

const tables = [
  'venues',
  'events',
  'refreshes',
  'listings',
  'sales',
  'snapshots',
  'event_zones',
  'venue_sections',
];

function digest(marketplace: Marketplace): string {
  const hash = createHash('sha256');
  for (const table of tables)
    hash.update(JSON.stringify(marketplace.store.all(`SELECT * FROM ${table}`)));
  return hash.digest('hex');
}

describe('simulator', () => {
  it('two runs with one seed agree to the byte, at any speed', () => {
    const slow = digest(play({ hours: 4, stepMs: 60_000 }));
    expect(digest(play({ hours: 4, stepMs: 60_000 }))).toBe(slow);
    expect(digest(play({ hours: 4, stepMs: 3_600_000 }))).toBe(slow);
    expect(digest(play({ hours: 4, stepMs: 7_777_777 }))).toBe(slow);
  });

  it('another seed is another market', () => {
    const one = digest(play({ hours: 1, stepMs: 60_000 }));
    expect(digest(play({ seed: 2, hours: 1, stepMs: 60_000 }))).not.toBe(one);
  });

  it('has 60 venues for 500 events, and some past events', () => {
    const clock = { at: firstDay };
    const now = () => clock.at;
    const marketplace = createMarketplace({ clocks: { real: now, market: now } });
    const events: { event_date: string; venue: { std_venue_id: number } }[] = [];
    const ingest = {
      acceptHistory: () => {},
      forgetEvent: () => {},
      accept: (o: unknown) => {
        events.push(...((o as { events?: typeof events }).events ?? []));
        return marketplace.ingest.accept({});
      },
    };
    createSimulator(
      ingest,
      { seed: 1, events: 500, firstDay: firstDay + 1e15 },
      () => Number.MAX_SAFE_INTEGER,
    ).begin(Number.NEGATIVE_INFINITY);
    expect(events).toHaveLength(500);
    expect(new Set(events.map((event) => event.venue.std_venue_id)).size).toBe(60);
  });

  it('no observation is stamped after the market time', () => {
    const marketplace = play({ hours: 3, stepMs: 60_000 });
    const end = firstDay + 15 * hourMs;
    expect(marketplace.store.get('SELECT count(*) AS n FROM snapshots WHERE at > ?', end)).toEqual({
      n: 0,
    });
    expect(
      marketplace.store.get(
        'SELECT count(*) AS n FROM sales WHERE sold_at_seconds > ?',
        end / 1000,
      ),
    ).toEqual({ n: 0 });
  });

  it('with quick refreshes the get-in of some event falls within any minute', () => {
    const marketplace = play({ events: 5, refreshSeconds: 10, hours: 0.25, stepMs: 10_000 });
    const rows = marketplace.store.all<{ event_id: number; at: number; body: string }>(
      'SELECT event_id, at, body FROM snapshots ORDER BY event_id, at',
    );
    const falls: number[] = [];
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1];
      if (before?.event_id !== row.event_id) continue;
      if (JSON.parse(row.body).get_in < JSON.parse(before.body).get_in) falls.push(row.at);
    }
    const minutes = new Set(falls.map((at) => Math.floor((at - firstDay - 12 * hourMs) / 60_000)));
    for (let minute = 0; minute < 15; minute += 1)
      expect(minutes, `minute ${minute}`).toContain(minute);
  });

  it("shows the market's habits: relistings, reused ids, unknown quantities, sales on both sides, sold-out zones", () => {
    const { store } = play({ events: 6, refreshSeconds: 60, hours: 2, stepMs: 60_000 });
    const count = (sql: string) =>
      store.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0;
    expect(
      count(
        `(SELECT 1 FROM listings WHERE source = 'sh' GROUP BY event_id, listing_id HAVING count(*) > 1)`,
      ),
    ).toBeGreaterThan(10);
    expect(count('sales WHERE source_rank = 1 AND returned = 1')).toBeGreaterThan(100);
    expect(count('sales WHERE source_rank = 1 AND returned = 0')).toBeGreaterThan(3);
    expect(count('sales WHERE source_rank = 0 AND returned = 1')).toBeGreaterThan(100);
    expect(count(`sales WHERE source_rank = 0 AND norm_section <> ''`)).toBeGreaterThan(50);
    const bodies = store
      .all<{ body: string }>('SELECT body FROM snapshots')
      .map(({ body }) => JSON.parse(body));
    const zones = bodies.map((body) => body.zones.length);
    expect(Math.min(...zones)).toBeLessThan(Math.max(...zones));
    const spikes = bodies.filter(
      (body, i) =>
        i > 0 &&
        body.get_in < 0.4 * (bodies[i - 1]?.get_in ?? 0) &&
        body.total_listings_all >= (bodies[i - 1]?.total_listings_all ?? 0),
    );
    expect(spikes.length).toBeGreaterThan(0);
  });

  it('continues the same market after a restart, from the end of the last run', () => {
    const clock = { at: firstDay + 12 * hourMs };
    const now = () => clock.at;
    const marketplace = createMarketplace({ clocks: { real: now, market: now } });
    const refreshedAt = (eventId: number) =>
      marketplace.store.get<{ at: number }>(
        `SELECT refreshed_at AS at FROM refreshes WHERE event_id = ? AND source = 'sh'`,
        eventId,
      )?.at;
    const options = { seed: 1, events: 4, history: 3, firstDay };
    createSimulator(marketplace.ingest, options, refreshedAt).begin(clock.at);
    const before = marketplace.store.get('SELECT count(*) AS n FROM snapshots');
    expect(createSimulator(marketplace.ingest, options, refreshedAt).begin(clock.at)).toBe(0);
    expect(marketplace.store.get('SELECT count(*) AS n FROM snapshots')).toEqual(before);
    clock.at += 3 * hourMs;
    expect(createSimulator(marketplace.ingest, options, refreshedAt).begin(clock.at)).toBe(4);
  });

  it('finds hidden events for event-add, which then refresh', () => {
    const clock = { at: firstDay + 12 * hourMs };
    const now = () => clock.at;
    const marketplace = createMarketplace({ clocks: { real: now, market: now } });
    const simulator = createSimulator(
      marketplace.ingest,
      { seed: 1, events: 3, history: 1, firstDay },
      () => undefined,
    );
    simulator.begin(clock.at);
    const found = simulator.discover('celtics', clock.at);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ event_name }) => event_name.includes('Celtics'))).toBe(true);
    marketplace.ingest.accept({ events: found });
    clock.at += hourMs;
    simulator.advance(clock.at, Number.POSITIVE_INFINITY);
    const [first] = found;
    expect(
      marketplace.store.get(
        'SELECT count(*) AS n FROM snapshots WHERE event_id = ?',
        first?.event_id ?? 0,
      ),
    ).not.toEqual({ n: 0 });
    expect(simulator.discover('nobody at all', clock.at)).toEqual([]);
  });
});
