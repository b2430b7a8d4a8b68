// The ledger day by day, added up: a closed day by its stored sum, every other day row by row in constant memory.
import { Entity } from 'dynamodb-toolbox/entity';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import {
  type CountedPull,
  countRow,
  emptyDay,
  type LedgerDay,
  type VisitEvent,
} from '#shared/polling/ledger-day.ts';
import { ledgerDays } from '#shared/polling/pull.ts';
import type { RawItem } from './attribute-readings.ts';
import { eachEventCount, encodeEventCounts } from './event-counts.ts';
import {
  dayOf,
  isOld,
  isSettledDay,
  isValid,
  type LedgerSums,
  type StoredSum,
} from './ledger-sums.ts';
import { projectedQuery } from './projected-query.ts';
import { pullReadings } from './pull-readings.ts';
import { leniently, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** What is read of a row. */
const counted = ['day', 'callId', 'eventId', 'kind', 'pulls', 'mostPulls', 'state', 'pulledAt'];
/** Sums that one run counts anew although they seem true. */
const mostCountedAgain = 1;

interface DaysOptions {
  /** Called with the pulls of each event. */
  eachEvent?: VisitEvent;
  /** Stores the sums of closed days. Reads at most about this many rows in one call. @default stores nothing */
  storing?: { mostRows: number };
}

/** A count of one day. */
interface DayCount {
  sums: LedgerDay;
  rows: number;
  byEvent: Map<number, number>;
}

/** Reads of the ledger by day. */
export function createLedgerDays(table: WatchlistTable, sums: LedgerSums) {
  const rows = new Entity({
    name: 'pull',
    table,
    timestamps: false,
    schema: item({
      ...{ day: string().key(), callId: string().key(), eventId: number() },
      ...{ kind: string().enum(...feedKinds), pulls: number(), mostPulls: number().optional() },
      ...{ state: string().enum('settled', 'unsettled'), pulledAt: number() },
    }),
    computeKey: ({ day, callId }) => ({ pk: `LEDGER#${day}`, sk: `PULL#${callId}` }),
  });
  const reading = leniently(rows, pullReadings);

  /** Every row of a day, a page at a time. */
  async function eachRow(day: string, visit: (row: CountedPull) => void): Promise<void> {
    const query = table
      .build(QueryCommand)
      .query({ partition: `LEDGER#${day}` })
      .options({ consistent: true });
    const action = projectedQuery(table, query, counted);
    let startKey: RawItem | undefined;
    do {
      const page = await readPage(action, rows, reading, startKey);
      page.items.forEach(visit);
      startKey = page.lastKey;
    } while (startKey);
  }

  async function count(day: string, from: number): Promise<DayCount> {
    const found: DayCount = { sums: emptyDay(day, from), rows: 0, byEvent: new Map() };
    await eachRow(day, (row) => {
      found.rows += 1;
      if (!countRow(found.sums, row)) return;
      found.byEvent.set(row.eventId, (found.byEvent.get(row.eventId) ?? 0) + row.pulls);
    });
    return found;
  }

  function storeSum(before: StoredSum | undefined, { sums: day, byEvent }: DayCount, now: number) {
    return sums.store(before, day, { events: encodeEventCounts(byEvent), now });
  }

  return {
    /**
     * The sums of every day from a time (epoch ms) through now. A running call may not be among them yet.
     * @returns undefined when `storing` is given and there are more rows to count than it allows: then the days that
     *   were counted are stored, and the next call counts the others.
     */
    async days(
      from: number,
      now: number,
      { eachEvent, storing }: DaysOptions = {},
    ): Promise<LedgerDay[] | undefined> {
      const days: LedgerDay[] = [];
      let [rowsStored, again] = [0, 0];
      for (const day of ledgerDays(from, now)) {
        const start = Math.max(from, Date.parse(day));
        const stored = await sums.find(day);
        const isTrue = isValid(stored, start) && (!eachEvent || stored.events !== undefined);
        const isAgain = storing && isTrue && again < mostCountedAgain && isOld(stored, now);
        if (isTrue && !isAgain) {
          days.push(dayOf(stored));
          if (eachEvent) {
            const { events = new Uint8Array() } = stored;
            eachEventCount(events, (eventId, pulls) => eachEvent(day, eventId, pulls));
          }
          continue;
        }
        if (isAgain) again += 1;
        if (storing && rowsStored > storing.mostRows) return undefined;
        const found = await count(day, start);
        if (storing && isSettledDay(day, stored ?? {}, now)) {
          // Only stored rows count, so that each call brings the next one further.
          if (await storeSum(stored, found, now)) rowsStored += found.rows;
        }
        days.push(found.sums);
        if (eachEvent) for (const [id, pulls] of found.byEvent) eachEvent(day, id, pulls);
      }
      return days;
    },
  };
}
