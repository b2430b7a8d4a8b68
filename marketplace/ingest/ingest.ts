/**
 * The only entry for raw observations: writes catalog, listings and sales, and logs one stats
 * snapshot per `sh` refresh. Charges and serves nothing.
 */
import * as z from 'zod';
import type { StatsSnapshotJson } from '#shared/marketplace/contract.ts';
import { type CatalogEvent, findEvent, putEvent, removeEvent, TakenIdError } from '../catalog.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import { type ObservedSet, type SetChanges, writeListingSet } from './listing-set.ts';
import { observationsSchema } from './observations.ts';
import { inferSales, type ObservedSale, writeReportedSale } from './sales.ts';
import { createSeatMatcher, type SeatMatcher } from './seat-matching.ts';
import { computeSnapshot } from './snapshot.ts';
import { putSnapshot, writeHistory } from './snapshot-log.ts';

/**
 * Thrown when an observation is refused; its whole delivery is then discarded. Says where and why.
 */
export class RefusedObservationError extends Error {
  override readonly name = 'RefusedObservationError';
}

export interface IngestSummary {
  eventsAdded: number;
  eventsUpdated: number;
  snapshots: number;
  sales: number;
  salesInferred: number;
  /** Sets no newer than the stored one, and sales written before: a redelivery changes nothing. */
  ignored: number;
}

export interface Ingest {
  /**
   * Accepts one delivery completely or not at all: events first, then sets and sales in time order.
   * @throws RefusedObservationError when the schema doesn't match or an event is unknown.
   */
  accept(observations: unknown): IngestSummary;
  /**
   * Logs snapshots older than the event's newest one; `before` receives the event's first one.
   * Ignores snapshots that are newer or already logged. Doesn't change listings and sales.
   */
  acceptHistory(
    eventId: number,
    before: (first: StatsSnapshotJson) => readonly StatsSnapshotJson[],
  ): void;
  /**
   * Removes the event from the catalog; its listings, sales and snapshots stay, in case it returns.
   */
  forgetEvent(eventId: number): void;
}

interface Context {
  store: Store;
  matcher: SeatMatcher;
  now: Clock;
}

/** @param now market clock; its time is used for observations without a time of their own */
export function createIngest(store: Store, now: Clock): Ingest {
  const context: Context = { store, matcher: createSeatMatcher(store), now };
  return {
    accept: (observations) => {
      const parsed = observationsSchema.safeParse(observations);
      if (!parsed.success) throw new RefusedObservationError(describe(parsed.error));
      try {
        return store.transaction(() => write(context, parsed.data));
      } catch (error) {
        context.matcher.forget();
        throw error;
      }
    },
    acceptHistory: (eventId, before) =>
      store.transaction(() => writeHistory(store, eventId, before)),
    forgetEvent: (eventId) => removeEvent(store, eventId),
  };
}

function describe(error: z.ZodError): string {
  const [first] = error.issues;
  if (!first) return z.prettifyError(error);
  return `${first.path.join('.') || 'body'}: ${first.message}`;
}

function write(context: Context, o: z.output<typeof observationsSchema>): IngestSummary {
  const summary: IngestSummary = {
    eventsAdded: 0,
    eventsUpdated: 0,
    snapshots: 0,
    sales: 0,
    salesInferred: 0,
    ignored: 0,
  };
  for (const entry of o.events) {
    if (putOrRefuse(context, entry)) summary.eventsAdded += 1;
    else summary.eventsUpdated += 1;
  }
  for (const step of inTimeOrder(context, o)) step(summary);
  return summary;
}

function putOrRefuse(context: Context, entry: z.output<typeof observationsSchema>['events'][0]) {
  try {
    return putEvent(context.store, entry, context.now());
  } catch (cause) {
    if (!(cause instanceof TakenIdError)) throw cause;
    throw new RefusedObservationError(cause.message, { cause });
  }
}

type Step = (summary: IngestSummary) => void;

function inTimeOrder(context: Context, o: z.output<typeof observationsSchema>): Step[] {
  const steps: { at: number; step: Step }[] = [];
  for (const [index, set] of o.listing_sets.entries()) {
    const event = resolve(context.store, set.event_id, `listing_sets.${index}.event_id`);
    const at = instantOf(set.observed_at, context.now);
    const stamped = set.observed_at !== undefined;
    steps.push({ at, step: (summary) => takeSet(context, { event, set, at, stamped }, summary) });
  }
  for (const [index, sale] of o.sales.entries()) {
    const event = resolve(context.store, sale.event_id, `sales.${index}.event_id`);
    const at = instantOf(sale.sold_at, context.now);
    steps.push({ at, step: (summary) => takeSale(context, { event, sale, at }, summary) });
  }
  return steps.sort((a, b) => a.at - b.at).map(({ step }) => step);
}

function resolve(store: Store, eventId: number, where: string): CatalogEvent {
  const event = findEvent(store, eventId, 'service');
  if (event) return event;
  throw new RefusedObservationError(`${where}: no event ${eventId} in the catalog; send it first`);
}

function instantOf(stamp: string | undefined, now: Clock): number {
  return stamp === undefined ? now() : Date.parse(stamp);
}

function takeSale(
  context: Context,
  o: { event: CatalogEvent; sale: ObservedSale; at: number },
  summary: IngestSummary,
): void {
  if (writeReportedSale(context.store, o)) summary.sales += 1;
  else summary.ignored += 1;
}

interface Refresh {
  refreshedAt: number;
  everListed: number;
}

function takeSet(
  context: Context,
  o: { event: CatalogEvent; set: ObservedSet; at: number; stamped: boolean },
  summary: IngestSummary,
): void {
  const { event, set } = o;
  const last = context.store.get<Refresh>(
    `SELECT refreshed_at AS refreshedAt, ever_listed AS everListed FROM refreshes
     WHERE event_id = ? AND source = ?`,
    event.id,
    set.source,
  );
  // Two unstamped sets can arrive in one millisecond; both are refreshes, in order of arrival.
  const at = last && !o.stamped ? Math.max(o.at, last.refreshedAt + 1) : o.at;
  if (last && at <= last.refreshedAt) {
    summary.ignored += 1;
    return;
  }
  const changes = writeListingSet(context.store, set, at);
  const everListed = (last?.everListed ?? 0) + changes.appeared.length;
  const active = changes.active.length;
  noteRefresh(context.store, { event, source: set.source, at, everListed, active });
  if (set.source === 'vs') {
    summary.salesInferred += inferSales(context.store, { ...context, event, changes, at });
    return;
  }
  logSnapshot(context, { event, changes, at, everListed });
  summary.snapshots += 1;
}

function noteRefresh(
  store: Store,
  o: { event: CatalogEvent; source: string; at: number; everListed: number; active: number },
): void {
  store.run(
    `INSERT INTO refreshes VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET refreshed_at = excluded.refreshed_at,
       ever_listed = excluded.ever_listed, active = excluded.active`,
    o.event.id,
    o.source,
    o.at,
    o.everListed,
    o.active,
  );
}

function logSnapshot(
  context: Context,
  o: { event: CatalogEvent; changes: SetChanges; at: number; everListed: number },
): void {
  const { store, matcher } = context;
  matcher.learn(o.event.venueId, o.changes.appeared);
  const sold = store.count(
    `SELECT count(*) AS tally FROM listings INDEXED BY listings_sold
     WHERE event_id = ? AND source = 'sh' AND active = 0 AND sold = 1`,
    o.event.id,
  );
  const snapshot = computeSnapshot({
    at: o.at,
    active: o.changes.active,
    everListed: o.everListed,
    sold,
  });
  putSnapshot(store, o.event.id, { at: o.at, snapshot });
}
