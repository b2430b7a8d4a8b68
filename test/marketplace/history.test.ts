import { describe, expect, it } from 'vitest';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { planEvent } from '#marketplace/simulator/catalog.ts';
import { historyTimes } from '#marketplace/simulator/history.ts';
import { trendAt } from '#marketplace/simulator/prices.ts';
import { createSimulator } from '#marketplace/simulator/simulator.ts';
import { dayMs, hourMs, start } from './support/market.ts';

const firstDay = Date.parse('2026-11-27T00:00:00Z');

interface Snapshot {
  timestamp: string;
  get_in: number;
}

interface Page {
  data: Snapshot[];
  has_more: boolean;
  next_cursor: string | null;
}

function begin(historyDays: number) {
  const now = () => start;
  const marketplace = createMarketplace({ clocks: { real: now, market: now } });
  const options = { seed: 1, events: 3, firstDay, refreshSeconds: 600, historyDays };
  createSimulator(marketplace.ingest, options, () => undefined).begin(start);
  const get = async (path: string) => {
    const headers = { 'api-key': marketplace.keys.lowBalance };
    return (await marketplace.request(path, { headers })).json() as Promise<Page>;
  };
  return { ...marketplace, get };
}

describe('the history of a simulated event', () => {
  it('is hourly for two days, 4-hourly for two weeks, daily before: one page for 90 days', () => {
    const times = historyTimes(start - 90 * dayMs, start);
    const gaps = times.map((at, index) => ((times[index + 1] ?? start) - at) / hourMs);
    expect(gaps.filter((hours) => hours === 1)).toHaveLength(48);
    expect(gaps.filter((hours) => hours === 4)).toHaveLength(72);
    expect(gaps.filter((hours) => hours === 24)).toHaveLength(76);
    expect(times[0]).toBe(start - 90 * dayMs);
  });

  it('comes before the live refreshes, costs one pull, and does not change listings', async () => {
    const market = begin(90);
    const first = await market.get('/v1/events/10001/stats?limit=200');
    const second = await market.get(
      `/v1/events/10001/stats?limit=200&starting_after=${first.next_cursor}`,
    );
    const times = [...first.data, ...second.data].map(({ timestamp }: Snapshot) =>
      Date.parse(timestamp),
    );
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(times[0]).toBeLessThan(start - 89 * dayMs);
    expect(times.at(-1)).toBeLessThanOrEqual(start);
    expect(second.has_more).toBe(false);
    const balance = market.store.get<{ balance: number }>(
      `SELECT balance FROM accounts WHERE key_name = 'lowBalance'`,
    );
    expect(balance).toMatchObject({ balance: 4 });
    const bare = begin(0);
    const listings = '/v1/events/10001/listings?limit=1000';
    expect((await market.get(listings)).data).toEqual((await bare.get(listings)).data);
  });

  it('joins the first live prices without a jump', async () => {
    const market = begin(90);
    const { data } = await market.get('/v1/events/10002/stats?limit=200');
    const joint = data.findIndex(({ timestamp }, index) => {
      const next = data[index + 1];
      return next && Date.parse(next.timestamp) - Date.parse(timestamp) === 600_000;
    });
    const [before, after] = [data[joint - 1], data[joint]];
    expect(Math.abs((before?.get_in ?? 0) / (after?.get_in ?? 1) - 1)).toBeLessThan(0.03);
  });
});

describe('the trend of prices', () => {
  const plans = Array.from({ length: 200 }, (_, index) =>
    planEvent({ seed: 1, index, events: 200, firstDay }),
  );
  const medianChange = (fromDays: number, toDays: number): number => {
    const changes = plans
      .map((event) => {
        const at = (days: number) => trendAt(event, event.startsAt - days * dayMs);
        return at(toDays) / at(fromDays) - 1;
      })
      .sort((a, b) => a - b);
    return changes[100] ?? Number.NaN;
  };

  it('falls as recorded games do: by a few percent in weeks, then by a fifth in three days', () => {
    expect(medianChange(60, 14)).toBeCloseTo(-0.0556, 2);
    expect(medianChange(7, 3)).toBeCloseTo(-0.0545, 2);
    expect(medianChange(3, 0)).toBeCloseTo(-0.197, 2);
  });
});
