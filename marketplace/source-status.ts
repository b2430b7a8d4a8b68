/**
 * Whether each marketplace can be read now, and since when its sales of an event are collected: the
 * `sources` entries of the sales answers. Stores the operator's switch.
 */
import type { MarketplaceSource, Sources } from '#shared/marketplace/contract.ts';
import type { CatalogEvent } from './catalog.ts';
import { toDate } from './clock.ts';
import { sourceRank } from './ingest/sales.ts';
import type { Store } from './store/store.ts';

/** Sets the operator's switch, until it is set again; survives a restart. */
export function setSourceStatus(
  store: Store,
  source: MarketplaceSource,
  status: 'ok' | 'unavailable',
): void {
  store.run('INSERT OR REPLACE INTO source_status VALUES (?, ?)', source, status);
}

/** Whether the marketplace's rows can be read. */
export function isReadable(store: Store, source: MarketplaceSource): boolean {
  const row = store.get<{ status: string }>(
    'SELECT status FROM source_status WHERE source = ?',
    source,
  );
  return row?.status !== 'unavailable';
}

/** The two entries, `sh` first, whatever source the request asked for. */
export function describeSources(store: Store, event: CatalogEvent): Sources {
  return [
    {
      source: 'sh',
      collecting_since: collectingSince(store, event, 'sh'),
      tracked_for_event: true,
      status: isReadable(store, 'sh') ? 'ok' : 'unavailable',
    },
    {
      source: 'vs',
      collecting_since: collectingSince(store, event, 'vs'),
      tracked_for_event: event.vsEventId !== null,
      status: isReadable(store, 'vs') ? 'ok' : 'unavailable',
    },
  ];
}

/**
 * Earliest observed sale, returned or not; null without one, or when the marketplace can't be read.
 */
function collectingSince(
  store: Store,
  event: CatalogEvent,
  source: MarketplaceSource,
): string | null {
  if (!isReadable(store, source)) return null;
  const first = store.get<{ seconds: number | null }>(
    'SELECT min(sold_at_seconds) AS seconds FROM sales WHERE event_id = ? AND source_rank = ?',
    event.id,
    sourceRank[source],
  );
  return first?.seconds == null ? null : toDate(first.seconds * 1000);
}
