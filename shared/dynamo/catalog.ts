// The daily catalog in the Watchlist table, so that a search costs the marketplace nothing: the events in order of
// their dates, compressed, in parts of a few thousand; and one item that names the parts of the newest catalog.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { binary, item, number, string } from 'dynamodb-toolbox/schema';
import {
  type CatalogEntry,
  compareEntries,
  restoreEntry,
  storeEntry,
} from '#shared/watchlist/catalog.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The newest catalog. */
export interface CatalogVersion {
  /** When it was read, epoch milliseconds; names its parts. */
  version: number;
  parts: number;
  events: number;
}

/** Events in one part: some 60 bytes each when compressed, so a part has less than two thirds of an item's 400 KB. */
const eventsPerPart = 4_000;
/** A part whose events compress badly is split until it fits. */
const mostPartBytes = 350_000;
/** The most events of a catalog; the latest are left out. */
export const mostCatalogEvents = 150_000;
/** Searches use a catalog for two days at most (search-catalog.ts). */
const keptSeconds = 3 * 86_400;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Reads and writes of catalogs. A part never changes; a new catalog has new parts. */
export function createCatalogStore(table: WatchlistTable) {
  const versions = new Entity({
    name: 'catalogVersion',
    table,
    timestamps: false,
    schema: item({ id: string().key(), version: number(), parts: number(), events: number() }),
    computeKey: () => ({ pk: 'CATALOG', sk: 'CURRENT' }),
  });
  const parts = new Entity({
    name: 'catalogPart',
    table,
    timestamps: false,
    schema: item({
      version: number().key(),
      part: number().key(),
      events: binary(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ version, part }) => ({ pk: `CATALOG#${version}`, sk: partSort(part) }),
  });

  async function readPart(version: number, part: number): Promise<CatalogEntry[] | undefined> {
    const found = await orMissing(readOne(parts.build(GetItemCommand).key({ version, part })));
    if (!found) return undefined;
    const rows: unknown = JSON.parse((await unpack(found.events)).toString('utf8'));
    return (rows as unknown[]).flatMap((row) => restoreEntry(row) ?? []);
  }

  return {
    /** The newest catalog; undefined if there is none. */
    async current(): Promise<CatalogVersion | undefined> {
      const action = versions.build(GetItemCommand).key({ id: 'current' });
      return orMissing(readOne(action));
    },

    /** The events of a catalog by date; undefined if a part is missing or damaged. */
    async read({ version, parts: count }: CatalogVersion): Promise<CatalogEntry[] | undefined> {
      const reads = Array.from({ length: count }, (_, part) => readPart(version, part));
      const found = await Promise.all(reads);
      const whole = found.filter((part) => part !== undefined);
      return whole.length < count ? undefined : whole.flat();
    },

    /**
     * Stores a catalog: first its parts, then the item that names them, so that a crash in between changes nothing.
     * @param version when it was read, epoch milliseconds.
     * @returns how many events were stored; 0 if a newer catalog is there.
     */
    async write(entries: readonly CatalogEntry[], version: number): Promise<number> {
      const kept = entries.toSorted(compareEntries).slice(0, mostCatalogEvents);
      const packed: Buffer[] = [];
      for (let start = 0; start < kept.length; start += eventsPerPart) {
        packed.push(...(await packRows(kept.slice(start, start + eventsPerPart))));
      }
      const expiresAtEpochSeconds = Math.floor(version / 1_000) + keptSeconds;
      for (const [part, events] of packed.entries()) {
        await writeIf(() =>
          parts
            .build(PutItemCommand)
            .item({ version, part, events, expiresAtEpochSeconds })
            .options({ condition: { attr: 'version', exists: false } })
            .send(),
        );
      }
      const isNewest = await writeIf(() =>
        versions
          .build(PutItemCommand)
          .item({ id: 'current', version, parts: packed.length, events: kept.length })
          .options({
            condition: { or: [isNoNumber('version' as const), { attr: 'version', lt: version }] },
          })
          .send(),
      );
      return isNewest ? kept.length : 0;
    },
  };
}

async function packRows(entries: readonly CatalogEntry[]): Promise<Buffer[]> {
  const packed = await pack(JSON.stringify(entries.map(storeEntry)));
  if (packed.byteLength <= mostPartBytes || entries.length === 1) return [packed];
  const half = Math.ceil(entries.length / 2);
  return [...(await packRows(entries.slice(0, half))), ...(await packRows(entries.slice(half)))];
}

function partSort(part: number): string {
  return String(part).padStart(4, '0');
}

export type CatalogStore = ReturnType<typeof createCatalogStore>;
