// The days of prices in the Snapshots table, one item per event and day. A poll adds its snapshots to the item of
// their day; charts of more than a few days read these items alone.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { binary, item, number } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { dayStartOf } from '#shared/moment.ts';
import { dayAfter, emptyDay, type PriceDay } from '#shared/rules/price-day.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { eventFromKey, namedByKey, orElse, type RawItem } from './attribute-readings.ts';
import { isStillOrNoNumber, writeIf } from './conditional-write.ts';
import { packDay, unpackDay } from './price-day-form.ts';
import { orMissing, readOne, readPage } from './stored-items.ts';
import type { SnapshotsTable } from './tables.ts';

/** As long as rollups (rollups.ts). */
const keptForSeconds = 2 * 365 * 86_400;
/** A try fails when another poll of the same event adds something; a feed has one poll at a time. */
const mostTries = 8;
/** Parallel days of a catch-up. */
const daysAtOnce = 8;

/** Days of an event, oldest first. */
export interface ReadDays {
  days: PriceDay[];
  /** Whether there may be earlier days in the range that were not read. */
  isCut: boolean;
}

/** Reads and writes of days. */
export function createPriceDayStore(table: SnapshotsTable) {
  const entity = new Entity({
    name: 'priceDay',
    table,
    timestamps: false,
    schema: item({
      eventId: number().key(),
      /** Midnight UTC, epoch milliseconds. */
      startsAt: number().key(),
      hours: binary(),
      revision: number(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ eventId, startsAt }) => ({ pk: partitionOf(eventId), sk: sortOf(startsAt) }),
  });
  const reading = {
    attributes: {
      eventId: eventFromKey,
      startsAt: namedByKey(({ sk }: RawItem) => Date.parse(String(sk))),
      // So that the next poll can replace it by its revision.
      hours: orElse(new Uint8Array(), (value) => value instanceof Uint8Array),
      revision: orElse(0),
      expiresAtEpochSeconds: orElse(0),
    },
  };

  /** @returns false when another poll has changed the day since it was read. */
  async function add(
    eventId: number,
    startsAt: number,
    snapshots: readonly MarketSnapshot[],
    { readStored, now }: AddingTo,
  ): Promise<boolean> {
    const action = entity
      .build(GetItemCommand)
      .key({ eventId, startsAt })
      .options({ consistent: true });
    const found = await orMissing(readOne(action, reading));
    const before = found && (await opened(eventId, startsAt, found.hours));
    // A new day is usually empty; after a fault, or the first poll by this release, it is not.
    const earlier = before ? [] : await readStored(startsAt);
    const after = dayAfter(before ?? emptyDay(startsAt), [...earlier, ...snapshots]);
    const hours = await packDay(eventId, after);
    const revision = (found?.revision ?? 0) + 1;
    const expiresAtEpochSeconds = Math.floor(now / 1_000) + keptForSeconds;
    return writeIf(() =>
      entity
        .build(PutItemCommand)
        .item({ eventId, startsAt, hours, revision, expiresAtEpochSeconds })
        .options({ condition: isStillOrNoNumber('revision', revision - 1) })
        .send(),
    );
  }

  return {
    /**
     * Adds snapshots to their days. Adding one twice changes nothing.
     * @throws PriceDayContendedError
     */
    async addAll(
      eventId: number,
      snapshots: readonly MarketSnapshot[],
      adding: AddingTo,
    ): Promise<void> {
      const days = [...Map.groupBy(snapshots, ({ observedAt }) => dayStartOf(observedAt))];
      for (let start = 0; start < days.length; start += daysAtOnce) {
        await Promise.all(
          days.slice(start, start + daysAtOnce).map(async ([startsAt, rows]) => {
            for (let attempt = 0; attempt < mostTries; attempt += 1) {
              if (await add(eventId, startsAt, rows, adding)) return;
            }
            throw new PriceDayContendedError('the day of prices kept changing during the write');
          }),
        );
      }
    },

    /** The days that a range (epoch ms) touches, from the newest back, at most `mostPages` of 1 MB. */
    async read(
      eventId: number,
      { from, to }: { from: number; to: number },
      mostPages: number,
    ): Promise<ReadDays> {
      const range = { between: [sortOf(dayStartOf(from)), sortOf(to)] as [string, string] };
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(eventId), range })
        // An answer is told to be that of the last poll, whose day must be in it.
        .options({ reverse: true, consistent: true });
      const days: (PriceDay | undefined)[] = [];
      let startKey: RawItem | undefined;
      for (let pages = 0; pages === 0 || (startKey && pages < mostPages); pages += 1) {
        const page = await readPage(query, entity, reading, startKey);
        const reads = page.items.map(({ startsAt, hours }) => opened(eventId, startsAt, hours));
        days.push(...(await Promise.all(reads)));
        startKey = page.lastKey;
      }
      const found = days.filter((day) => day !== undefined).reverse();
      return { days: found, isCut: startKey !== undefined };
    },
  };
}

/** What adding needs beside the snapshots. */
interface AddingTo {
  /** The stored snapshots of a day that has no item yet, in time order. */
  readStored: (startsAt: number) => Promise<MarketSnapshot[]>;
  /** Epoch milliseconds. */
  now: number;
}

/** A damaged day counts as missing. */
async function opened(
  eventId: number,
  startsAt: number,
  hours: Uint8Array,
): Promise<PriceDay | undefined> {
  try {
    return await unpackDay(hours, startsAt);
  } catch (error) {
    const reason = `The stored priceDay can't be read: ${reasonOf(error)}`;
    reportFault({ thing: 'stored_item', reason, ids: { eventId, startsAt } });
    return undefined;
  }
}

function partitionOf(eventId: number): string {
  return `EVENT#${eventId}#days`;
}

function sortOf(at: number): string {
  return new Date(dayStartOf(at)).toISOString();
}

/** Thrown when other polls changed a day during every try to add to it: nothing was written. */
export class PriceDayContendedError extends Error {
  override readonly name = 'PriceDayContendedError';
}

export type PriceDayStore = ReturnType<typeof createPriceDayStore>;
