// A desk with a month of prices of eight events: what pictures of it show. The same figures each time.
import type { Stores } from '#shared/dynamo/stores.ts';
import { recentAfter } from '#shared/polling/recent-prices.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { anAlert } from './alerts.ts';
import { statsAt, watchBody } from './api.ts';
import { type Desk, startDesk } from './desk.ts';
import { storePolled } from './polled-event.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const everyMs = 4 * hourMs;
/** 2:06 PM in New York. */
const now = Date.parse('2026-11-28T19:06:00Z');

interface Shown {
  name: string;
  date: string;
  time: string;
  venue: string;
  city: string;
  /** Dollars now, and how far above it was a month ago, as a fraction. */
  price: number;
  fall: number;
  rule: Record<string, unknown>;
  tags?: string[];
  zones?: Record<string, number>;
}

const level = (at_or_below: number, also: Record<string, unknown> = {}) => ({
  ...{ type: 'level', metric: 'get_in', at_or_below },
  ...also,
});

const knicksZones = { Courtside: 11.8, 'Lower Bowl': 1, Club: 1.66, 'Upper Bowl': 0.46 };

const shown: readonly Shown[] = [
  {
    ...{ name: 'Cavaliers at Knicks', date: '2026-12-02', time: '19:30' },
    ...{ venue: 'Madison Square Garden', city: 'New York', price: 126.5, fall: 0.38 },
    ...{ rule: level(120, { zone: 'Lower Bowl' }), tags: ['knicks', 'december'] },
    zones: knicksZones,
  },
  {
    ...{ name: 'Timberwolves at 76ers', date: '2026-12-03', time: '19:00' },
    ...{ venue: 'Wells Fargo Center', city: 'Philadelphia', price: 16.75, fall: 0.6 },
    rule: level(21),
  },
  {
    ...{ name: 'Celtics at Pistons', date: '2026-12-04', time: '19:00' },
    ...{ venue: 'Little Caesars Arena', city: 'Detroit', price: 64, fall: 0.12 },
    ...{ rule: level(55, { metric: 'get_in_qty2plus' }), tags: ['december'] },
  },
  {
    ...{ name: 'Hamilton', date: '2026-12-05', time: '20:00' },
    ...{ venue: 'Richard Rodgers Theatre', city: 'New York', price: 289, fall: -0.05 },
    rule: level(240),
  },
  {
    ...{ name: 'Rangers at Devils', date: '2026-12-05', time: '19:00' },
    ...{ venue: 'Prudential Center', city: 'Newark', price: 41, fall: 0.2 },
    rule: level(35),
  },
  {
    ...{ name: 'Lakers at Warriors', date: '2026-12-13', time: '17:30' },
    ...{ venue: 'Chase Center', city: 'San Francisco', price: 212, fall: 0.25 },
    ...{ rule: level(180), tags: ['december'] },
  },
  {
    ...{ name: 'The Nutcracker', date: '2026-12-20', time: '14:00' },
    ...{ venue: 'Lincoln Center', city: 'New York', price: 88, fall: -0.2 },
    rule: level(70),
  },
  {
    ...{ name: 'Phish, night 3', date: '2026-12-30', time: '20:00' },
    ...{ venue: 'Madison Square Garden', city: 'New York', price: 148, fall: 0.3 },
    rule: level(110),
  },
];

/** Starts a desk with all of it; its API has the time of the newest prices. */
export async function startFurnishedDesk(): Promise<Desk> {
  const desk = await startDesk();
  const { api } = desk;
  const { stores, clock } = api;
  clock.now = now;
  await api.call('/v1/owner', { method: 'PATCH', body: { time_zone: 'America/New_York' } });
  for (const [index, each] of shown.entries()) {
    const eventId = 4_711 + index;
    await stores.eventFacts.keep(factsOf(each, eventId));
    const { status, body, text } = await api.call('/v1/watches', {
      body: watchBody(api, { event_id: eventId, rules: [each.rule], tags: each.tags ?? [] }),
    });
    if (status !== 201) throw new Error(text);
    const snapshots = pricesOf(each, eventId);
    await stores.priceDays.addAll(eventId, snapshots, { readStored: async () => [], now });
    await storePolled(stores, snapshots, { recent: recentAfter(undefined, snapshots) });
    if (index < 3) await raise(stores, { eventId, each, watch: body, ownerId: api.ann.ownerId });
    if (index === 3) await snooze(desk, body.id);
    if (index === 4) await api.call(`/v1/watches/${body.id}/pause`, { method: 'POST' });
  }
  return desk;
}

function factsOf({ name, date, time, venue, city }: Shown, eventId: number) {
  const timeZone = city === 'San Francisco' ? 'America/Los_Angeles' : 'America/New_York';
  return {
    ...{ eventId, name, date, time, timeZone, venueName: venue, venueCity: city, updatedAt: 1 },
  };
}

/** A month of prices, one in four hours, the last of them the price now. */
function pricesOf({ price, fall, zones = {} }: Shown, eventId: number): MarketSnapshot[] {
  const count = (30 * dayMs) / everyMs;
  return Array.from({ length: count + 1 }, (_, index) => {
    const left = 1 - index / count;
    const wave = Math.sin(index / 9 + eventId) * 0.06 + Math.sin(index / 2.3) * 0.025;
    const factor = index === count ? 1 : 1 + fall * left ** 0.7 + wave * (0.3 + left);
    const dollars = Math.round(price * factor * 4) / 4;
    const byZone = Object.entries(zones).map(([zone, share]) => [
      zone,
      Math.round(dollars * share),
    ]);
    return {
      ...statsAt(now - (count - index) * everyMs, dollars, Object.fromEntries(byZone)),
      eventId,
    };
  });
}

async function raise(
  stores: Stores,
  of: {
    eventId: number;
    each: Shown;
    watch: { id: string; rules: { id: string }[] };
    ownerId: string;
  },
): Promise<void> {
  const { eventId, each, watch, ownerId } = of;
  const firedAt = now - (eventId === 4_712 ? 5 * 60_000 : eventId * 37 * 60_000 * 0.3);
  await stores.alerts.create(
    anAlert({
      ...{ alertId: `alt_${String(eventId).padStart(32, '0')}_1`, ownerId, eventId },
      ...{ watchId: watch.id, ruleId: watch.rules[0]?.id ?? '', eventName: each.name },
      ...{ eventDate: each.date, eventTime: each.time, venueName: each.venue },
      ...{ venueCity: each.city, series: 'stats/get_in', sentence: 'Get-in at or below the level' },
      ...{ value: each.price * 100, base: each.price * 100, withFee: each.price * 100 },
      ...{ firedAt, observedAt: firedAt - 21_000 },
    }),
  );
}

async function snooze({ api }: Desk, watchId: string): Promise<void> {
  const until = new Date(now + 3 * dayMs).toISOString();
  await api.call(`/v1/watches/${watchId}/snooze`, { body: { until } });
}
