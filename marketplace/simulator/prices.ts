/**
 * Asking prices of the simulated market: the level of an event over time and what each seller makes
 * of it. A function of its arguments.
 */
import type { SimulatedEvent } from './catalog.ts';
import type { Life } from './lives.ts';
import { between, hash, unit } from './random.ts';
import type { SimulatedZone } from './venues.ts';

const hourMs = 60 * 60 * 1000;

/**
 * The event's price level at a tick: waves of a dozen ticks, a decay of up to a third over the last
 * two months, and for most events a drop in the last day.
 * @param hoursLeft until the event
 */
function levelAt(event: SimulatedEvent, tick: number, hoursLeft: number): number {
  const phase = unit(event.seed, 30) * 2 * Math.PI;
  const slow = Math.sin((2 * Math.PI * tick) / between(10, 16, event.seed, 31) + phase);
  const quick = Math.sin((2 * Math.PI * tick) / 5.3 + 2 * phase);
  const waves = 1 + 0.09 * slow + 0.04 * quick;
  const decay = 1 + 0.35 * Math.min(1, Math.max(0, hoursLeft) / (60 * 24));
  return waves * decay * lastDay(event, hoursLeft);
}

function lastDay(event: SimulatedEvent, hoursLeft: number): number {
  const nearness = 1 - Math.min(1, Math.max(0, hoursLeft) / 24);
  const soughtAfter = unit(event.seed, 32) < 0.15;
  return soughtAfter ? 1 + 0.4 * nearness : 1 - 0.4 * nearness;
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
  const hoursLeft = (event.startsAt - (o.at - since * o.intervalMs)) / hourMs;
  const seller = 0.92 + 0.9 * unit(seed, 34, slot, life.generation) ** 2;
  const seat = o.zone.factor * (1.25 - 0.25 * (o.row / o.zone.rows));
  const haste = unit(seed, 35, slot, life.generation, setAt) < 0.02 ? 0.75 : 1;
  const cents = event.basePriceCents * seat * seller * haste * levelAt(event, setAt, hoursLeft);
  const asked = Math.max(500, Math.round(cents / 25) * 25);
  return isMisKeyed(seed, slot, tick) ? Math.round(asked / 10) : asked;
}

/** Now and then a seller drops a digit, for one refresh. */
function isMisKeyed(seed: number, slot: number, tick: number): boolean {
  return hash(seed, 36, slot, tick) % 9000 === 0;
}
