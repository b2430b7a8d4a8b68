// The markets for measuring polling: the simulator's, and recorded prices. A market is the complete
// series of every event, known in advance; a policy's polls only decide which part it sees and when.
import { existsSync, readFileSync } from 'node:fs';
import { computeSnapshot } from '#marketplace/ingest/snapshot.ts';
import { planEvent } from '#marketplace/simulator/catalog.ts';
import { createMarket } from '#marketplace/simulator/market.ts';
import { between, hash } from '#marketplace/simulator/random.ts';
import { type MarketSnapshot, snapshotFromStats } from '#shared/rules/snapshot.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface MarketEvent {
  eventId: number;
  startsAt: number;
  /** Every refresh, in time order; the first few are from before the start. */
  series: MarketSnapshot[];
}

export interface Market {
  name: string;
  startMs: number;
  endMs: number;
  events: MarketEvent[];
}

/** Refreshes before the start, which the first pull returns. */
const historyTicks = 6;

/** The simulator's market: each event refreshes every 20 to 40 minutes, as `npm start` shows it. */
export function simulateMarket(o: { events: number; days: number; seed: number }): Market {
  const startMs = Date.parse('2026-11-02T00:00:00Z');
  const endMs = startMs + o.days * dayMs;
  const firstDay = startMs - dayMs;
  const events = Array.from({ length: o.events }, (_, index) => {
    const event = planEvent({ seed: o.seed, index, events: 1, firstDay });
    const market = createMarket(event);
    const intervalMs = between(20, 40, event.seed, 50) * minuteMs;
    const phaseMs = firstDay + (hash(event.seed, 51) % intervalMs);
    const eventId = event.entry.event_id;
    const series: MarketSnapshot[] = [];
    const firstTick = Math.ceil((startMs - phaseMs) / intervalMs) - historyTicks;
    const lastAt = Math.min(endMs, event.startsAt);
    for (let tick = firstTick; phaseMs + tick * intervalMs < lastAt; tick += 1) {
      const at = phaseMs + tick * intervalMs;
      const { listings } = market.observe('sh', { tick, at, intervalMs });
      const active = listings.map((listing) => ({
        zone: listing.zone ?? '',
        quantity: listing.quantity,
        priceCents: Math.round(listing.price * 100),
      }));
      const row = computeSnapshot({ at, active, everListed: active.length, sold: 0 });
      series.push(snapshotFromStats(eventId, row));
    }
    return { eventId, startsAt: event.startsAt, series };
  });
  return { name: 'simulator', startMs, endMs, events };
}

/** The recorded prices, beside the checkout; only this bench needs them. */
export const recordedFile = '../shared/data/resale-nba-2014.csv';

interface RecordedEvent {
  startsAt: number;
  days: Map<string, { zone: string; averageCents: number; listings: number }[]>;
}

/**
 * Recorded prices: each event's averages by zone, once a day. A day's numbers become a refresh at a
 * time of day that is fixed per event.
 * @param half only the events that constants were chosen on, or only the others.
 * @returns undefined if the file does not exist.
 */
export function recordedMarket(o: {
  events: number;
  days: number;
  half?: 'tuning' | 'judging';
}): Market | undefined {
  if (!existsSync(recordedFile)) return undefined;
  const isWanted = (eventId: number) =>
    o.half === undefined || (hash(eventId, 62) % 2 === 0) === (o.half === 'tuning');
  const all = [...readRecorded().entries()].filter(([eventId]) => isWanted(eventId));
  const recorded = all.slice(0, o.events);
  const startMs = Math.min(...recorded.map(([, { days: seen }]) => Date.parse(firstKey(seen))));
  const endMs = startMs + o.days * dayMs;
  return {
    name: 'recorded prices (NBA 2014)',
    startMs,
    endMs,
    events: recorded.map(([eventId, event]) => ({
      eventId,
      startsAt: event.startsAt,
      series: [...event.days.entries()]
        .map(([day, zones]) => recordedSnapshot(eventId, day, zones))
        .filter(({ observedAt }) => observedAt < endMs)
        .sort((a, b) => a.observedAt - b.observedAt),
    })),
  };
}

function firstKey(days: RecordedEvent['days']): string {
  return [...days.keys()].sort()[0] ?? '';
}

function readRecorded(): Map<number, RecordedEvent> {
  const recorded = new Map<number, RecordedEvent>();
  const [, ...lines] = readFileSync(recordedFile, 'utf8').trim().split('\n');
  for (const line of lines) {
    const [id = '', , , date = '', day = '', zone = '', average = '', listings = ''] =
      line.split(',');
    const eventId = Number(id);
    const event = recorded.get(eventId) ?? {
      startsAt: Date.parse(`${date}T23:30:00Z`),
      days: new Map(),
    };
    recorded.set(eventId, event);
    const zones = event.days.get(day) ?? [];
    event.days.set(day, zones);
    const averageCents = Math.round(Number(average) * 100);
    zones.push({ zone, averageCents, listings: Number(listings) });
  }
  return recorded;
}

function recordedSnapshot(
  eventId: number,
  day: string,
  zones: { zone: string; averageCents: number; listings: number }[],
): MarketSnapshot {
  const listings = zones.reduce((sum, each) => sum + each.listings, 0);
  const total = zones.reduce((sum, each) => sum + each.averageCents * each.listings, 0);
  const average = listings === 0 ? null : Math.round(total / listings);
  const none = { get_in: null, get_in_qty2plus: null, median_price: null };
  return {
    feedKind: 'stats',
    eventId,
    observedAt: Date.parse(day) + (hash(eventId, 61) % 1_440) * minuteMs,
    metrics: {
      ...none,
      avg_price: average,
      total_listings_active: listings,
      listing_fill_rate: null,
    },
    zones: Object.fromEntries(
      zones.map(({ zone, averageCents }) => [zone, { ...none, avg_price: averageCents }]),
    ),
  };
}
