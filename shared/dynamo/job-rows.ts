// The rows of jobs in the Watchlist table, one item per lot: its input, what it is about to do, and its results.
// Compressed, because a lot of a hundred rows of a file has some 30 KB, and an item may have 400 KB.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { binary, item, number, string } from 'dynamodb-toolbox/schema';
import type { Job } from '#shared/watchlist/job.ts';
import { writeIf } from './conditional-write.ts';
import { readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** `plan` is what a lot is about to do, so that a repeated lot can tell what the first try did. */
export const jobParts = ['input', 'plan', 'result'] as const;
export type JobPart = (typeof jobParts)[number];

/** The rows of one lot, from 0. */
export interface JobLot {
  jobId: string;
  part: JobPart;
  lot: number;
}

/** A lot whose compressed rows have more bytes doesn't fit into an item with its keys. */
export const mostLotBytes = 350_000;

/** Thrown for rows that don't fit into one item: cut them into smaller lots. */
export class LotTooLargeError extends Error {
  override readonly name = 'LotTooLargeError';
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export function createJobRows(table: WatchlistTable) {
  const lots = new Entity({
    name: 'jobLot',
    table,
    timestamps: false,
    schema: item({
      jobId: string().key(),
      part: string()
        .enum(...jobParts)
        .key(),
      lot: number().key(),
      rows: binary(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ jobId, part, lot }) => ({
      pk: `JOB#${jobId}`,
      sk: `${part.toUpperCase()}#${String(lot).padStart(6, '0')}`,
    }),
  });

  async function itemOf(
    { jobId, part, lot }: JobLot,
    rows: readonly unknown[],
    { expiresAtEpochSeconds }: Pick<Job, 'expiresAtEpochSeconds'>,
  ) {
    const packed = await pack(JSON.stringify(rows));
    if (packed.byteLength > mostLotBytes) {
      throw new LotTooLargeError(`${rows.length} rows have ${packed.byteLength} bytes`);
    }
    return { jobId, part, lot, rows: packed, expiresAtEpochSeconds };
  }

  return {
    /**
     * Stores the rows of one lot; a repeat replaces them.
     * @throws LotTooLargeError
     */
    async putRows(
      place: JobLot,
      rows: readonly unknown[],
      job: Pick<Job, 'expiresAtEpochSeconds'>,
    ): Promise<void> {
      await lots
        .build(PutItemCommand)
        .item(await itemOf(place, rows, job))
        .send();
    },

    /**
     * Stores the rows of one lot, unless it has some.
     * @returns false when it has some.
     * @throws LotTooLargeError
     */
    async keepRows(
      place: JobLot,
      rows: readonly unknown[],
      job: Pick<Job, 'expiresAtEpochSeconds'>,
    ): Promise<boolean> {
      const wanted = await itemOf(place, rows, job);
      return writeIf(() =>
        lots
          .build(PutItemCommand)
          .item(wanted)
          .options({ condition: { attr: 'jobId', exists: false } })
          .send(),
      );
    },

    /** The rows of one lot; undefined if it has none. @throws UnreadableItemError */
    async readRows({ jobId, part, lot }: JobLot): Promise<unknown[] | undefined> {
      const action = lots
        .build(GetItemCommand)
        .key({ jobId, part, lot })
        .options({ consistent: true });
      const found = await readOne(action);
      if (!found) return undefined;
      return JSON.parse((await unpack(found.rows)).toString('utf8')) as unknown[];
    },
  };
}
