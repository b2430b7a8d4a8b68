// Finds events in the daily catalog of our own table. The whole catalog is read once per instance and day and kept
// in memory; the item that names it is read once a minute.
import type { CatalogStore, CatalogVersion } from '#shared/dynamo/catalog.ts';
import { createCache } from '#shared/lambda/cache.ts';
import { type CatalogEntry, startText } from '#shared/watchlist/catalog.ts';
import { isMeant, textOf } from '#shared/watchlist/event-question.ts';
import type { EventSearch, EventsPage } from './found-events.ts';

/** An older catalog lacks too many events; the marketplace is asked instead. */
const usedForMs = 48 * 3_600_000;
const checkedEveryMs = 60_000;

/** The catalog in memory. */
interface LoadedCatalog {
  version: number;
  rows: { entry: CatalogEntry; text: () => string }[];
  byId: Map<number, CatalogEntry>;
}

/** A place as a cursor has it: the local start, and the id. */
export const catalogPlace = /^c \d{4}-\d\d-\d\dT\S{0,20} \d{1,15}$/;

export interface CatalogSearch {
  /** Undefined if the account has no current catalog. */
  search(search: EventSearch): Promise<EventsPage | undefined>;
  /** An event of the catalog, and when the catalog was read. */
  find(eventId: number, now: number): Promise<{ entry: CatalogEntry; readAt: number } | undefined>;
}

/** The search; a catalog that can't be read whole counts as missing. */
export function createCatalogSearch(
  catalog: Pick<CatalogStore, 'current' | 'read'>,
  now: () => number,
): CatalogSearch {
  const versions = createCache<'current', CatalogVersion | undefined>({
    ...{ forMs: checkedEveryMs, now },
  });
  /** Only the newest catalog is kept: 100,000 events take some 60 MB. */
  const loaded = createCache<number, LoadedCatalog | undefined>({
    ...{ forMs: Number.POSITIVE_INFINITY, mostValues: 1, now },
    keeps: (found) => found !== undefined,
  });

  async function load(at: number): Promise<LoadedCatalog | undefined> {
    const current = await versions.read('current', catalog.current);
    if (!current || at - current.version > usedForMs) return undefined;
    return loaded.read(current.version, async () => {
      const entries = await catalog.read(current);
      return entries && index(current.version, entries);
    });
  }

  return {
    async search({ question, limit, after, now: at }) {
      const found = await load(at);
      if (!found) return undefined;
      const today = new Date(at).toISOString().slice(0, 10);
      const events: CatalogEntry[] = [];
      for (const { entry, text } of found.rows) {
        if (entry.event_date < today || !isAfter(entry, after)) continue;
        if (!isMeant(question, entry, text)) continue;
        if (events.length === limit) {
          return { ...pageOf(found, events), next: placeOf(events.at(-1)) };
        }
        events.push(entry);
      }
      return pageOf(found, events);
    },

    async find(eventId, at) {
      const found = await load(at);
      const entry = found?.byId.get(eventId);
      return found && entry && { entry, readAt: found.version };
    },
  };
}

function index(version: number, entries: readonly CatalogEntry[]): LoadedCatalog {
  const rows = entries.map((entry) => {
    let kept: string | undefined;
    const text = () => {
      kept ??= textOf(entry);
      return kept;
    };
    return { entry, text };
  });
  return { version, rows, byId: new Map(entries.map((entry) => [entry.event_id, entry])) };
}

function pageOf({ version }: LoadedCatalog, events: CatalogEntry[]): EventsPage {
  return { events, source: 'catalog', readAt: version };
}

function placeOf(entry: CatalogEntry | undefined): string | undefined {
  return entry && `c ${startText(entry)} ${entry.event_id}`;
}

function isAfter(entry: CatalogEntry, after: string | undefined): boolean {
  if (after === undefined) return true;
  const [, start = '', id = ''] = after.split(' ');
  const own = startText(entry);
  return own === start ? entry.event_id > Number(id) : own > start;
}
