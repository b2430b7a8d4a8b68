/**
 * Ingests one refresh of one simulated event, changed by the event's oddity. The simulator decides
 * when refreshes are due.
 */
import { toIso } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { toCents } from '../ingest/money.ts';
import type { EventObservation, ListingSet } from '../ingest/observations.ts';
import { computeSnapshot } from '../ingest/snapshot.ts';
import type { SimulatedEvent } from './catalog.ts';
import type { SimulatedMarket, Tick } from './market.ts';
import type { Oddity, OddMoment } from './oddities.ts';

/** An event's oddity and its progress. */
export interface OddState {
  oddity: Oddity;
  firstTick: number;
  /** The last ingested catalog entry; undefined while the event is unknown. */
  shown: string | undefined;
  /** A set whose snapshot is not published yet. */
  late: ListingSet | undefined;
}

/** An event whose market is refreshed at regular times. */
export interface Scheduled {
  event: SimulatedEvent;
  market: SimulatedMarket;
  intervalMs: number;
  phaseMs: number;
  /** Next tick to observe. */
  tick: number;
  odd: OddState | undefined;
}

/** In a restarted file the first tick is unknown: assume that its oddities started long ago. */
const longAgo = 1_000_000;

export function beginOddity(
  oddity: Oddity | undefined,
  firstTick: number | undefined,
): OddState | undefined {
  if (!oddity) return undefined;
  return { oddity, firstTick: firstTick ?? -longAgo, shown: undefined, late: undefined };
}

/** The catalog entry at the event's next tick. */
export function entryOf(scheduled: Scheduled): EventObservation {
  const { event, odd } = scheduled;
  const entry = odd?.oddity.entry?.(event.entry, momentOf(scheduled, odd)) ?? event.entry;
  if (odd) odd.shown = JSON.stringify(entry);
  return entry;
}

function momentOf({ tick, intervalMs }: Scheduled, { firstTick }: OddState): OddMoment {
  const turn = tick - firstTick;
  return { turn, age: turn * intervalMs };
}

/** `vs` is read at every second refresh of `sh`. */
export function refresh(
  ingest: Ingest,
  scheduled: Scheduled,
  switchVs: ((status: 'ok' | 'unavailable') => void) | undefined,
): void {
  const { event, market, odd, intervalMs, tick } = scheduled;
  const at = scheduled.phaseMs + tick * intervalMs + (odd?.oddity.offsetMs ?? 0);
  const moment: Tick = { tick, at, intervalMs };
  const sets = [market.observe('sh', moment)];
  if (event.vsListings > 0 && tick % 2 === 0) sets.push(market.observe('vs', moment));
  const sales = market.reportSales(moment);
  if (odd) refreshOddly(ingest, { scheduled, odd, sets, sales, switchVs });
  else ingest.accept({ listing_sets: sets, sales });
  scheduled.tick += 1;
}

function refreshOddly(
  ingest: Ingest,
  o: {
    scheduled: Scheduled;
    odd: OddState;
    sets: ListingSet[];
    sales: unknown[];
    switchVs: ((status: 'ok' | 'unavailable') => void) | undefined;
  },
): void {
  const { scheduled, odd } = o;
  const { oddity } = odd;
  const moment = momentOf(scheduled, odd);
  if (oddity.isVsUnavailable) {
    o.switchVs?.(oddity.isVsUnavailable(moment) ? 'unavailable' : 'ok');
  }
  if (oddity.isKnown?.(moment) === false) {
    ingest.forgetEvent(scheduled.event.entry.event_id);
    odd.shown = undefined;
    return;
  }
  const before = odd.shown;
  const entry = entryOf(scheduled);
  const sets = o.sets.map((set) => oddity.set?.(set, moment) ?? set);
  const [sh, ...others] = sets;
  const isLate = sh !== undefined && odd.late === undefined && oddity.isLate?.(moment) === true;
  ingest.accept({
    events: before === odd.shown ? [] : [entry],
    listing_sets: isLate ? others : sets,
    sales: o.sales,
  });
  publishLate(ingest, odd, scheduled.event.entry.event_id);
  if (isLate) odd.late = sh;
}

/** Publishes the delayed snapshot of a set, stamped with its own, earlier time. */
function publishLate(ingest: Ingest, odd: OddState, eventId: number): void {
  const { late } = odd;
  if (!late) return;
  odd.late = undefined;
  ingest.acceptHistory(eventId, (first) => [
    computeSnapshot({
      at: Date.parse(late.observed_at ?? toIso(0)),
      active: late.listings.map(({ zone = '', quantity, price }) => ({
        zone,
        quantity,
        priceCents: toCents(price),
      })),
      everListed: Math.max(first.total_listings_all, late.listings.length),
      sold: 0,
    }),
  ]);
}
