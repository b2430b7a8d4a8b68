/**
 * Ingests the simulated market, refresh by refresh in time order. market.ts computes the market;
 * the market clock gives the time.
 */
import type { Ingest } from '../ingest/ingest.ts';
import type { EventObservation } from '../ingest/observations.ts';
import { planEvent, type SimulatedEvent } from './catalog.ts';
import { historyTimes, snapshotBefore } from './history.ts';
import { createMarket } from './market.ts';
import { type OddPlan, oddityOf } from './oddities.ts';
import { between, hash } from './random.ts';
import { beginOddity, entryOf, refresh, type Scheduled } from './refresh.ts';

export interface SimulatorOptions {
  seed: number;
  /** Events in the catalog. */
  events: number;
  /** UTC midnight of the simulation's first day, epoch ms: dates and ticks are counted from it. */
  firstDay: number;
  /** Seconds between refreshes of an event. @default every 20 to 40 minutes of market time */
  refreshSeconds?: number | undefined;
  /** Refreshes before the start. @default up to 48, fewer for a large catalog */
  history?: number;
  /**
   * Days of stats snapshots before those, for events that the store doesn't have yet. @default 0
   */
  historyDays?: number | undefined;
  /** Which events are odd, and how. @default none */
  odd?: OddPlan | undefined;
  /** Called when an oddity makes `vs` unreadable, or readable again. */
  switchVs?: (status: 'ok' | 'unavailable') => void;
}

export interface Simulator {
  /** Ingests the catalog and the refreshes up to `now`; returns the number of refreshes. */
  begin(now: number): number;
  /**
   * Ingests the refreshes due by `now`, oldest first, at most `most` of them.
   * @returns how many were ingested.
   */
  advance(now: number, most: number): number;
  /** Finds events outside the catalog and adds them; from then on they refresh. */
  discover(query: string, now: number): EventObservation[];
}

const backlogRefreshes = 1500;
const dayMs = 24 * 60 * 60 * 1000;
const maxHistory = 48;
const minHistory = 3;
/** Hidden events beyond the catalog that event-add can find. */
const hiddenEvents = 120;

export function createSimulator(
  ingest: Ingest,
  options: SimulatorOptions,
  refreshedAt: (eventId: number) => number | undefined,
): Simulator {
  const scheduled: Scheduled[] = [];
  const plan = (index: number): SimulatedEvent => planEvent({ ...options, index });
  const schedule = (event: SimulatedEvent, now: number): Scheduled => {
    const made = scheduleEvent(event, options, now, refreshedAt(event.entry.event_id));
    scheduled.push(made);
    return made;
  };
  const advance = (now: number, most: number): number => {
    let done = 0;
    for (; done < most; done += 1) {
      const next = earliestDue(scheduled, now);
      if (!next) break;
      refresh(ingest, next, options.switchVs);
    }
    return done;
  };
  return {
    begin: (now) => {
      const events = Array.from({ length: options.events }, (_, index) => plan(index));
      const begun = events.filter(({ entry }) => refreshedAt(entry.event_id) === undefined);
      const made = events.map((event) => schedule(event, now));
      ingest.accept({ events: made.map(entryOf) });
      for (let index = options.events; index < options.events + hiddenEvents; index += 1) {
        const event = plan(index);
        if (refreshedAt(event.entry.event_id) !== undefined) schedule(event, now);
      }
      const done = advance(now, Number.POSITIVE_INFINITY);
      const from = now - (options.historyDays ?? 0) * dayMs;
      for (const event of begun) {
        ingest.acceptHistory(event.entry.event_id, (first) =>
          historyTimes(from, Date.parse(first.timestamp)).map((at) =>
            snapshotBefore(event, first, at),
          ),
        );
      }
      return done;
    },
    advance,
    discover: (query, now) => {
      const words = query.toLowerCase().split(/\s+/);
      const hidden = Array.from({ length: hiddenEvents }, (_, i) => plan(options.events + i));
      const found = hidden.filter(({ entry, startsAt }) => {
        const name =
          `${entry.event_name} ${entry.venue?.venue_name ?? entry.raw_venue_name}`.toLowerCase();
        return startsAt > now && words.every((word) => name.includes(word));
      });
      const known = new Set(scheduled.map(({ event }) => event.index));
      for (const event of found) if (!known.has(event.index)) schedule(event, now);
      return found.map(({ entry }) => entry);
    },
  };
}

function scheduleEvent(
  event: SimulatedEvent,
  o: SimulatorOptions,
  now: number,
  refreshedAt: number | undefined,
): Scheduled {
  const intervalMs =
    o.refreshSeconds === undefined
      ? between(20, 40, event.seed, 50) * 60_000
      : o.refreshSeconds * 1000;
  const phaseMs = o.firstDay + (hash(event.seed, 51) % intervalMs);
  const lastTick = (at: number) =>
    Math.floor((Math.min(at, event.startsAt) - phaseMs) / intervalMs);
  const history =
    o.history ??
    Math.min(maxHistory, Math.max(minHistory, Math.floor(backlogRefreshes / o.events)));
  // After a restart, the missed refreshes are skipped except the newest.
  const tick =
    refreshedAt === undefined
      ? lastTick(now) - history + 1
      : Math.max(lastTick(refreshedAt) + 1, lastTick(now));
  const odd = beginOddity(
    oddityOf(event, o.odd ?? {}),
    refreshedAt === undefined ? tick : undefined,
  );
  return { event, market: createMarket(event), intervalMs, phaseMs, tick, odd };
}

function dueAt(o: Scheduled): number {
  const at = o.phaseMs + o.tick * o.intervalMs;
  return at < o.event.startsAt ? at : Number.POSITIVE_INFINITY;
}

function earliestDue(scheduled: readonly Scheduled[], now: number): Scheduled | undefined {
  let earliest: Scheduled | undefined;
  let earliestAt = now;
  for (const candidate of scheduled) {
    const at = dueAt(candidate);
    if (at > now || (earliest && at >= earliestAt)) continue;
    earliest = candidate;
    earliestAt = at;
  }
  return earliest;
}
