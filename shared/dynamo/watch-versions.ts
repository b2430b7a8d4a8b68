// Earlier versions of watches in the Watchlist table, beside their watch. A version is written before the change that
// replaces it, so a crash between the two writes loses no version; until the change it is the watch's current version.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { expiryAfter, isExpired, type Retention } from '#shared/retention.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { WatchVersion } from '#shared/watchlist/watch-version.ts';
import { writeIf } from './conditional-write.ts';
import { watchVersionSchema } from './schemas/watch-schema.ts';
import { orMissing, readOne, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { damagedVersion, versionReading } from './watch-reading.ts';

/** Reads and writes of versions. */
export function createWatchVersionStore(
  table: WatchlistTable,
  { versionDays }: Pick<Retention, 'versionDays'>,
) {
  const versions = new Entity({
    name: 'watchVersion',
    table,
    timestamps: false,
    schema: watchVersionSchema,
    computeKey: ({ watchId, version }) => ({ pk: `WATCH#${watchId}`, sk: sortKeyOf(version) }),
  });
  const reading = versionReading<WatchVersion>();

  return {
    /**
     * Keeps a watch's current content for some days from `now` (epoch ms). A repeat writes the same content, so it is only
     * written if that keeps it longer. A watch with a damaged version number has no place for its content.
     */
    async keep(watch: Watch, now: number): Promise<void> {
      if (watch.version === damagedVersion) return;
      const { unsettled: _isOver, setAside: _found, ...content } = watch;
      const expiresAtEpochSeconds = expiryAfter(now, versionDays);
      await writeIf(() =>
        versions
          .build(PutItemCommand)
          .item({ ...content, expiresAtEpochSeconds })
          .options({
            condition: {
              or: [
                { attr: 'watchId', exists: false },
                { attr: 'expiresAtEpochSeconds', lt: expiresAtEpochSeconds },
              ],
            },
          })
          .send(),
      );
    },

    /** A version that has not expired; undefined if there is none, or if it can't be read. */
    async find(watchId: string, version: number, now: number): Promise<WatchVersion | undefined> {
      const action = versions
        .build(GetItemCommand)
        .key({ watchId, version })
        .options({ consistent: true });
      const found = await orMissing(readOne(action, reading));
      return found && !isExpired(found, now) ? found : undefined;
    },

    /** The newest versions before a number that have not expired, newest first. */
    async listBefore(
      watchId: string,
      version: number,
      { limit, now }: { limit: number; now: number },
    ): Promise<WatchVersion[]> {
      const query = table
        .build(QueryCommand)
        .query({
          partition: `WATCH#${watchId}`,
          range: { between: [sortKeyOf(0), sortKeyOf(Math.max(0, version - 1))] },
        })
        .options({ reverse: true, consistent: true, limit });
      const { items } = await readPage(query, versions, reading);
      return items.filter((each) => !isExpired(each, now));
    },
  };
}

export type WatchVersionStore = ReturnType<typeof createWatchVersionStore>;

/** Sorted as text; no watch changes 10 billion times. */
function sortKeyOf(version: number): string {
  return `VERSION#${String(version).padStart(10, '0')}`;
}
