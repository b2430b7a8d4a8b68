// The ledger of pulls in the Watchlist table, one partition per day.
import { Entity } from 'dynamodb-toolbox/entity';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { CountedPull } from '#shared/polling/ledger-day.ts';
import type { Pull } from '#shared/polling/pull.ts';
import { areSharers } from '#shared/polling/pull-sharers.ts';
import { absent, orElse, type RawItem } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { createLedgerDays } from './ledger-days.ts';
import { createLedgerSums, isLateFor } from './ledger-sums.ts';
import { pullReadings } from './pull-readings.ts';
import { pullSchema } from './schemas/pull-schema.ts';
import { leniently, readAll, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of the pull ledger. */
export function createPullStore(table: WatchlistTable) {
  const pulls = new Entity({
    name: 'pull',
    table,
    timestamps: false,
    schema: pullSchema,
    computeKey: ({ day, callId }) => ({ pk: `LEDGER#${day}`, sk: `PULL#${callId}` }),
  });

  const reading = leniently(pulls, {
    ...pullReadings,
    ...{ reason: orElse('unknown'), watches: orElse(0), expiresAtEpochSeconds: orElse(0) },
    // Then the call is in no owner's totals.
    sharers: { ...absent, isReadable: areSharers },
  });
  const sums = createLedgerSums(table);

  return {
    /**
     * @param recordedAt when it is recorded, epoch milliseconds. @default while the call runs
     * @returns false when this call was already recorded; the first record stays.
     */
    async create(pull: Pull, recordedAt: number = pull.pulledAt): Promise<boolean> {
      if (isLateFor(pull.day, recordedAt)) await sums.mark(pull.day, recordedAt);
      return writeIf(() =>
        pulls
          .build(PutItemCommand)
          .item(pull)
          .options({ condition: { attr: 'callId', exists: false } })
          .send(),
      );
    },

    /** Sets the costs of unsettled calls, by the marketplace's usage. */
    async correct(rows: readonly CountedPull[], now: number): Promise<void> {
      for (const [day, own] of Map.groupBy(rows, (row) => row.day)) {
        if (isLateFor(day, now)) await sums.mark(day, now);
        for (const { callId, pulls: pulled } of own) {
          await writeIf(() =>
            pulls
              .build(UpdateItemCommand)
              .item({ day, callId, pulls: pulled })
              .options({ condition: { attr: 'state', eq: 'unsettled' } })
              .send(),
          );
        }
      }
    },

    ...createLedgerDays(table, sums),

    /** The rows of one feed on a UTC date. */
    ofFeed(day: string, { eventId, kind }: Pick<Pull, 'eventId' | 'kind'>): Promise<Pull[]> {
      const query = table.build(QueryCommand).query({
        partition: `LEDGER#${day}`,
        range: { beginsWith: `PULL#${kind}#${eventId}#` },
      });
      return readAll(query, pulls, reading);
    },

    /** Calls `visit` with the rows of a UTC date, a page at a time, until it returns false. */
    async eachPage(day: string, visit: (rows: Pull[]) => boolean): Promise<void> {
      const query = table
        .build(QueryCommand)
        .query({ partition: `LEDGER#${day}` })
        .options({ consistent: true });
      let startKey: RawItem | undefined;
      do {
        const page = await readPage(query, pulls, reading, startKey);
        if (!visit(page.items)) return;
        startKey = page.lastKey;
      } while (startKey);
    },

    /** Every row of a UTC date. */
    ofDay(day: string): Promise<Pull[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: `LEDGER#${day}` })
        .options({ consistent: true });
      return readAll(query, pulls, reading);
    },
  };
}

export type PullStore = ReturnType<typeof createPullStore>;
