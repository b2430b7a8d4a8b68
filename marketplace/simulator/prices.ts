/**
 * Asking prices of the simulated market: the level of an event over time and each seller's
 * deviation from it. Pure.
 */
import type { SimulatedEvent } from './catalog.ts';
import type { Life } from './lives.ts';
import { between, hash, unit } from './random.ts';
import type { SimulatedZone } from './venues.ts';

const hourMs = 60 * 60 * 1000;

/**
 * How much prices fall a day, by days left: the trimmed mean of the daily changes of 1,050 recorded
 * games (README, Prices beside recorded ones). Each step starts at the previous step's end.
 */
const dailyFall = [
  { upToDays: 1, fall: 0.083 },
  { upToDays: 3, fall: 0.068 },
  { upToDays: 7, fall: 0.014 },
  { upToDays: 14, fall: 0.0072 },
  { upToDays: 30, fall: 0.0017 },
  { upToDays: 60, fall: 0.001 },
  { upToDays: 400, fall: 0.0007 },
] as const;
/** Prices by day of the week, Sunday first, relative to the week's mean: low on Wednesdays. */
const weekday = [1.0003, 1.0007, 1.002, 0.999, 1.0003, 1, 1.0016] as const;
/** The share of events whose prices rise on the last day instead. */
const soughtAfterShare = 0.15;

/** The event's prices at a time, relative to those at its start; without waves. */
export function trendAt(event: SimulatedEvent, at: number): number {
  const daysLeft = Math.max(0, event.startsAt - at) / (24 * hourMs);
  const soughtAfter = unit(event.seed, 32) < soughtAfterShare;
  let log = 0;
  let from = 0;
  for (const { upToDays, fall } of dailyFall) {
    const days = Math.min(daysLeft, upToDays) - from;
    if (days <= 0) break;
    log += days * (soughtAfter && upToDays <= 3 ? -fall : fall);
    from = upToDays;
  }
  const day = weekday[new Date(at).getUTCDay()] ?? 1;
  return day * Math.exp(log);
}

/** The event's price level at a tick: its trend times waves of a dozen ticks. */
function levelAt(event: SimulatedEvent, tick: number, at: number): number {
  const phase = unit(event.seed, 30) * 2 * Math.PI;
  const slow = Math.sin((2 * Math.PI * tick) / between(10, 16, event.seed, 31) + phase);
  const quick = Math.sin((2 * Math.PI * tick) / 5.3 + 2 * phase);
  return (1 + 0.09 * slow + 0.04 * quick) * trendAt(event, at);
}

/** The asking price in cents of one listing at a tick. */
export function priceAt(o: {
  event: SimulatedEvent;
  /** Seed of the event on the marketplace. */
  seed: number;
  slot: number;
  life: Life;
  zone: SimulatedZone;
  row: number;
  tick: number;
  intervalMs: number;
  at: number;
}): number {
  const { event, seed, slot, life, tick } = o;
  const every = between(3, 8, seed, 33, slot, life.generation);
  const since = (tick - life.from) % every;
  const setAt = tick - since;
  const askedAt = o.at - since * o.intervalMs;
  const seller = 0.92 + 0.9 * unit(seed, 34, slot, life.generation) ** 2;
  const seat = o.zone.factor * (1.25 - 0.25 * (o.row / o.zone.rows));
  const haste = unit(seed, 35, slot, life.generation, setAt) < 0.02 ? 0.75 : 1;
  const cents = event.basePriceCents * seat * seller * haste * levelAt(event, setAt, askedAt);
  const asked = Math.max(500, Math.round(cents / 25) * 25);
  return isMisKeyed(seed, slot, tick) ? Math.round(asked / 10) : asked;
}

/** Sometimes a seller drops a digit, for one refresh. */
function isMisKeyed(seed: number, slot: number, tick: number): boolean {
  return hash(seed, 36, slot, tick) % 9000 === 0;
}
