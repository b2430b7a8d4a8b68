import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { planEvent } from '#marketplace/simulator/catalog.ts';
import {
  type OddityKind,
  type OddPlan,
  oddities,
  oddityKinds,
  oddityOf,
} from '#marketplace/simulator/oddities.ts';
import { createSimulator } from '#marketplace/simulator/simulator.ts';
import { minuteMs, start } from './support/market.ts';

const firstDay = Date.parse('2026-11-27T00:00:00Z');
const path = '/v1/events/10001';

/** Two events that refresh every ten minutes; the first is odd. */
function play(odd: OddPlan) {
  const clock = { at: start };
  const now = () => clock.at;
  const marketplace = createMarketplace({ clocks: { real: now, market: now } });
  const switched: string[] = [];
  const simulator = createSimulator(
    marketplace.ingest,
    {
      ...{ seed: 1, events: 2, firstDay, refreshSeconds: 600, history: 12, odd },
      switchVs: (status) => switched.push(status),
    },
    () => undefined,
  );
  simulator.begin(clock.at);
  return {
    ...marketplace,
    switched,
    pass: (minutes: number) => {
      clock.at += minutes * minuteMs;
      simulator.advance(clock.at, Number.POSITIVE_INFINITY);
    },
    get: async (place: string) => {
      const response = await marketplace.request(place, {
        headers: { 'api-key': marketplace.keys.main },
      });
      // biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes, each asserted by value
      return { status: response.status, json: (await response.json()) as any };
    },
  };
}

const one = (kind: OddityKind) => play({ events: { 0: kind } });

async function zonesOf(market: ReturnType<typeof play>): Promise<string[]> {
  return (await market.get(`${path}/stats`)).json.available_zones;
}

describe('an odd event', () => {
  let usual: unknown;
  beforeAll(async () => {
    const plain = play({});
    plain.pass(60);
    usual = (await plain.get('/v1/events/10002/stats')).json;
  });

  it.each(oddityKinds)(
    '%s: the simulation continues, and other events are unchanged',
    async (kind) => {
      const odd = one(kind);
      odd.pass(60);
      expect((await odd.get('/v1/events/10002/stats')).json).toEqual(usual);
    },
  );

  it('can be postponed, cancelled, or at a venue without a standard name', async () => {
    const itemOf = async (market: ReturnType<typeof play>) => {
      const { json } = await market.get('/v1/events/search?historical=true');
      return json.data.find((item: { event_id: number }) => item.event_id === 10_001);
    };
    const usual = await itemOf(play({}));
    const postponed = await itemOf(one('postponed'));
    const days = (Date.parse(postponed.event_date) - Date.parse(usual.event_date)) / 86_400_000;
    expect(days).toBe(7);
    expect(await itemOf(one('cancelled'))).toMatchObject({
      event_name: `Cancelled: ${usual.event_name}`,
    });
    expect(await itemOf(one('unlisted_venue'))).toMatchObject({
      std_venue_id: 0,
      venue_name: usual.venue_name,
    });
  });

  it('can be unknown for an hour', async () => {
    const clocked = createMarketplace({ clocks: { real: () => start, market: () => start } });
    const statuses: number[] = [];
    const simulator = createSimulator(
      clocked.ingest,
      {
        ...{
          seed: 1,
          events: 1,
          firstDay,
          refreshSeconds: 60,
          odd: { events: { 0: 'unknown_for_an_hour' } },
        },
      },
      () => undefined,
    );
    simulator.begin(start);
    for (let minute = 0; minute <= 70; minute += 10) {
      simulator.advance(start + minute * minuteMs, Number.POSITIVE_INFINITY);
      const headers = { 'api-key': clocked.keys.main };
      statuses.push((await clocked.request(`${path}/stats`, { headers })).status);
    }
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(200);
  });

  it('can have zones with odd names', async () => {
    expect(await zonesOf(one('zone_constructor'))).toEqual(['constructor']);
    expect(await zonesOf(one('zone_proto'))).toEqual(['__proto__']);
    expect((await zonesOf(one('zone_long'))).every((zone) => zone.length === 5000)).toBe(true);
    expect((await zonesOf(one('renamed_zones'))).some((zone) => zone.startsWith('New '))).toBe(
      true,
    );
  });

  it('can have late snapshots: fewer at first, the same ones at the end', async () => {
    const timesOf = async (market: ReturnType<typeof play>) => {
      const { json } = await market.get(`${path}/stats?limit=200`);
      return json.data.map((row: { timestamp: string }) => row.timestamp);
    };
    const [late, plain] = [one('late_snapshots'), play({})];
    const counts = new Set<number>();
    for (let refresh = 0; refresh < 6; refresh += 1) {
      for (const market of [late, plain]) market.pass(10);
      counts.add((await timesOf(plain)).length - (await timesOf(late)).length);
    }
    expect(counts).toEqual(new Set([0, 1]));
  });

  it('can make vs unreadable for a while', () => {
    const market = one('source_unavailable');
    expect(new Set(market.switched)).toEqual(new Set(['ok', 'unavailable']));
  });
});

it.each(oddityKinds)('the README describes %s', (kind) => {
  const readme = readFileSync('marketplace/README.md', 'utf8').replaceAll(/ +/g, ' ');
  expect(readme).toContain(`| \`${kind}\` | ${oddities[kind].about} |`);
});

describe('the share of odd events', () => {
  const kindsAt = (share: number) =>
    Array.from({ length: 500 }, (_, index) =>
      oddityOf(planEvent({ seed: 1, index, events: 500, firstDay }), { share }),
    );

  it('is met, is the same for the same seed, and contains every kind', () => {
    const odd = kindsAt(0.2).filter((oddity) => oddity !== undefined);
    expect(odd.length).toBeGreaterThan(70);
    expect(odd.length).toBeLessThan(130);
    expect(kindsAt(0.2)).toEqual(kindsAt(0.2));
    expect(kindsAt(0).every((oddity) => oddity === undefined)).toBe(true);
    expect(new Set(kindsAt(1)).size).toBe(oddityKinds.length);
  });
});
