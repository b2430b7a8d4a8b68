// Reads the daily event catalog, if the account has it: for the facts of watched events, and for our own table, in
// which searches look for events.

import type { CatalogStore } from '#shared/dynamo/catalog.ts';
import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import { reportFault } from '#shared/fault-report.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { DailyCsvRow } from '#shared/marketplace/daily-csv.ts';
import { SubscriptionError } from '#shared/marketplace/errors.ts';
import { readEvent } from '#shared/marketplace/reading/search.ts';
import { type CatalogEntry, readCatalogRow } from '#shared/watchlist/catalog.ts';
import { alone } from './each-alone.ts';
import type { WatchedFeed } from './read-fleet.ts';
import type { ReviveEnded } from './revive-ended.ts';

interface ReadCatalogDeps {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'dailyCsv'>>;
  marketState: Pick<MarketStateStore, 'read' | 'change'>;
  eventFacts: Pick<EventFactsStore, 'keep'>;
  catalog: Pick<CatalogStore, 'write'>;
  reviveEnded: ReviveEnded;
}

const dayMs = 24 * 3_600_000;
const everyMs = 20 * 3_600_000;
/** A failed read is retried this much later. */
const againMs = 3_600_000;

/** Parses a catalog cell as a number; an empty cell is absent. */
const numeric = /^-?\d+(\.\d+)?$/;

/**
 * The use case; the file is streamed and read at most once a day. An account without the
 * subscription is asked again the next day.
 * @returns how many facts were stored; undefined when it was not yet due.
 */
export function createReadCatalog({
  readMarketplace,
  marketState,
  eventFacts,
  catalog,
  reviveEnded,
}: ReadCatalogDeps) {
  return async function readCatalog(
    watched: () => Promise<readonly WatchedFeed[]>,
    { now, deadlineMs }: { now: number; deadlineMs: number },
  ): Promise<number | undefined> {
    const state = await marketState.read();
    if (now - (state.csvReadAt ?? 0) < everyMs) return undefined;
    await marketState.change((current) => ({ ...current, csvReadAt: now }));
    try {
      return await keepEvents(
        Map.groupBy(await watched(), ({ eventId }) => eventId),
        now,
        deadlineMs,
      );
    } catch (error) {
      if (error instanceof SubscriptionError) return 0;
      const csvReadAt = now - everyMs + againMs;
      await marketState.change((current) => ({ ...current, csvReadAt }));
      throw error;
    }
  };

  async function keepEvents(
    watched: ReadonlyMap<number, readonly WatchedFeed[]>,
    now: number,
    deadlineMs: number,
  ) {
    // Imported here because it loads the table of time zones, which no other run needs.
    const { factsOf } = await import('#shared/watchlist/catalog-facts.ts');
    const file = await (await readMarketplace()).dailyCsv({ deadlineMs });
    const entries: CatalogEntry[] = [];
    const yesterday = new Date(now - dayMs).toISOString().slice(0, 10);
    let kept = 0;
    const tellBadRow = (line: number) =>
      reportFault({
        thing: 'catalog_row',
        reason: 'The row of the daily catalog has another number of columns than the header',
        ids: { line },
      });
    for await (const row of file.rows(tellBadRow)) {
      const entry = readCatalogRow(row);
      if (entry && entry.event_date >= yesterday) entries.push(entry);
      const eventId = Number(row.event_id);
      const own = watched.get(eventId);
      if (!own) continue;
      const isKept = await alone({ step: 'catalog', ids: { eventId } }, async () => {
        const facts = factsOf(readEvent.parse(readRow(row)), now);
        const isNew = await eventFacts.keep(facts);
        for (const feed of isNew ? own : []) await reviveEnded(feed, facts, now);
        return isNew;
      });
      if (isKept) kept += 1;
    }
    await catalog.write(entries, now);
    return kept;
  }
}

/** The columns are the search item's fields (facts.md); text columns stay text. */
function readRow(row: DailyCsvRow): Record<string, unknown> {
  const isText = (name: string) =>
    /name|date|time|city|state|country|slug|tm_|performer|type/.test(name);
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => {
      if (isText(name)) return [name, cell === '' && name === 'event_time' ? null : cell];
      return [name, numeric.test(cell) ? Number(cell) : null];
    }),
  );
}
