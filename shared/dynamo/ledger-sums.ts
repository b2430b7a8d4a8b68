// The stored sums of the ledger's closed days in the Watchlist table, so that a month is read with one item a day.
// A sum is true as long as no row of its day was written after it was counted. Two rules ensure that:
// - A day is summed only when each call of the day has ended long ago, and so has the writer of each row in time.
// - A writer of a later row (a lost call, a corrected cost) raises the day's mark first. A sum counts only with the
//   mark that it was counted under, and is stored only when that mark is old enough for its writer to have ended.
// So a writer that dies after its mark costs a count of the day, and none can leave a sum without its row.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { any, binary, item, number, string } from 'dynamodb-toolbox/schema';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import type { LedgerDay } from '#shared/polling/ledger-day.ts';
import { callIdOf, claimIn } from '#shared/polling/pull.ts';
import { timing } from '#shared/timing.ts';
import { absent, isStoredTime, optionalTime, orElse } from './attribute-readings.ts';
import { isStillOrNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { leniently, orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const dayMs = 86_400_000;
/** Longer than two billing periods. */
const keptSeconds = 100 * 86_400;
/** A sum is counted anew after this long, in case a writer of another release knew no marks. */
const countAgainAfterMs = 24 * 3_600_000;
/** More than this is not stored, because an item has at most 400 KB: then the rows are read each time. */
const mostLost = 3_000;
const mostEventBytes = 150_000;

/** A lost call as it is stored: its claim, event, kind, pulls, the upper bound of its cost, and its time. */
type StoredLost = [string, number, FeedKind, number, number, number];

/** The item of one day. Without `countedMarks` it has only the mark. */
export interface StoredSum {
  day: string;
  marks: number;
  /** When the newest mark was made, epoch milliseconds. */
  markedAt?: number | undefined;
  countedMarks?: number | undefined;
  countedAt?: number | undefined;
  from?: number | undefined;
  settled?: Record<FeedKind, number> | undefined;
  lost?: StoredLost[] | undefined;
  /** The pulls by event (event-counts.ts). */
  events?: Uint8Array | undefined;
}

/** Whether a row that is written now may belong to a day that has been summed. */
export function isLateFor(day: string, now: number): boolean {
  return now >= Date.parse(day) + dayMs + timing.ledgerLateMs;
}

/** Whether all rows of a day are there that were begun under this mark. */
export function isSettledDay(day: string, { markedAt = 0 }: Partial<StoredSum>, now: number) {
  const ended = Math.max(Date.parse(day) + dayMs, markedAt);
  return now >= ended + timing.ledgerSealMs;
}

/** Whether a stored sum is of the rows from a time on, and no row came since. */
export function isValid(sum: StoredSum | undefined, from: number): sum is ValidSum {
  return (
    sum?.settled !== undefined &&
    sum.lost !== undefined &&
    sum.countedMarks === sum.marks &&
    sum.from === from
  );
}

export interface ValidSum extends StoredSum {
  settled: Record<FeedKind, number>;
  lost: StoredLost[];
}

export function isOld({ countedAt = 0 }: StoredSum, now: number): boolean {
  return now - countedAt > countAgainAfterMs;
}

/** The sums as they were counted. */
export function dayOf({ day, from = 0, settled, lost }: ValidSum): LedgerDay {
  return {
    ...{ day, from, settled: { ...settled } },
    lost: lost.map(([claim, eventId, kind, pulls, mostPulls, pulledAt]) => ({
      ...{ day, callId: callIdOf({ kind, eventId, claim }), eventId, kind, pulls, mostPulls },
      ...{ pulledAt, state: 'unsettled' as const },
    })),
  };
}

/** Reads and writes of the sums. */
export function createLedgerSums(table: WatchlistTable) {
  const sums = new Entity({
    name: 'ledgerSum',
    table,
    timestamps: false,
    schema: item({
      day: string().key(),
      marks: number(),
      markedAt: number().optional(),
      countedMarks: number().optional(),
      countedAt: number().optional(),
      from: number().optional(),
      settled: any().castAs<Record<FeedKind, number>>().optional(),
      lost: any().castAs<StoredLost[]>().optional(),
      events: binary().optional(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ day }) => ({ pk: `LEDGERSUM#${day}`, sk: 'SUM' }),
  });
  const reading = leniently(sums, {
    day: { otherwise: ({ pk }) => String(pk).slice('LEDGERSUM#'.length) },
    // No sum was counted under this mark.
    marks: orElse(-1),
    markedAt: optionalTime,
    countedAt: optionalTime,
    settled: { ...absent, isReadable: isSums },
    lost: { ...absent, isReadable: (value) => Array.isArray(value) && value.every(isLost) },
    expiresAtEpochSeconds: orElse(0),
  });
  const expiryOf = (day: string) => Math.floor(Date.parse(day) / 1_000) + keptSeconds;

  return {
    /** The item of a day; an unreadable one counts as missing. */
    find: (day: string): Promise<StoredSum | undefined> =>
      orMissing(
        readOne(sums.build(GetItemCommand).key({ day }).options({ consistent: true }), reading),
      ),

    /** Raises a day's mark: its rows will change within the time of this call's worker. */
    async mark(day: string, now: number): Promise<void> {
      const expiresAtEpochSeconds = expiryOf(day);
      const raise = (marks: ReturnType<typeof $add<number>> | number) => async () => {
        await sums
          .build(UpdateItemCommand)
          .item({ day, marks, markedAt: now, expiresAtEpochSeconds })
          .send();
      };
      // A damaged mark becomes one under which nothing was counted.
      await writeOrReplace({ what: 'ledgerSum', ids: { day } }, raise($add(1)), raise(now));
    },

    /**
     * Stores what was counted after `before` was read, unless the day was marked since.
     * @returns false when it was, or when there is too much to store.
     */
    async store(
      before: StoredSum | undefined,
      { day, from, settled, lost }: LedgerDay,
      { events, now }: { events: Uint8Array; now: number },
    ): Promise<boolean> {
      if (lost.length > mostLost) return false;
      const marks = Math.max(0, before?.marks ?? 0);
      const counted = {
        ...{ day, marks, countedMarks: marks, countedAt: now, from, settled },
        lost: lost.map((row): StoredLost => {
          const { callId, eventId, kind, pulls, mostPulls = 1, pulledAt } = row;
          return [claimIn(callId), eventId, kind, pulls, mostPulls, pulledAt];
        }),
        ...(events.length <= mostEventBytes && { events }),
        ...(before?.markedAt !== undefined && { markedAt: before.markedAt }),
        expiresAtEpochSeconds: expiryOf(day),
      };
      const condition = before
        ? isStillOrNoNumber('marks', before.marks)
        : ({ attr: 'day', exists: false } as const);
      return writeIf(() => sums.build(PutItemCommand).item(counted).options({ condition }).send());
    },
  };
}

export type LedgerSums = ReturnType<typeof createLedgerSums>;

function isSums(value: unknown): boolean {
  const sums = Object(value) as Record<string, unknown>;
  return Object.values(forEachFeedKind((kind) => isCount(sums[kind]))).every(Boolean);
}

function isLost(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [claim, eventId, kind, pulls, mostPulls, pulledAt] = value as unknown[];
  return (
    typeof claim === 'string' &&
    [eventId, pulls, mostPulls].every(isCount) &&
    typeof kind === 'string' &&
    isStoredTime(pulledAt)
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
