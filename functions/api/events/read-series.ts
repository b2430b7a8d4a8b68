// Reads the rows of a chart: single snapshots of the last days, and hours before them. However long the range and
// however busy the event, a request reads a bounded number of pages.
import type { ChartRow } from '#shared/charts/thin-rows.ts';
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { type ChartNumber, hourRows, rowOf } from './chart-numbers.ts';

/** Times are epoch milliseconds, both inclusive. */
export interface WantedSeries {
  eventId: number;
  numbers: readonly ChartNumber[];
  from: number;
  to: number;
}

export interface FoundSeries {
  /** Oldest first. */
  rows: ChartRow[];
  /** From this time on each row is one snapshot, before it rows are of hours; null if all are of hours. */
  rawFrom: number | null;
  /** Earlier data of the range was not read, because it is too much for one request; null if all was read. */
  cutBefore: number | null;
  /** The snapshots that rows are of, with the polls that brought them. */
  looks: LookedAt[];
}

/**
 * A week's chart has more hours than it can draw, so only shorter ranges are drawn from single snapshots: three days,
 * and the step in which their beginning moves.
 */
export const rawSpanMs = 3 * 86_400_000 + 10 * 60_000;
/** Snapshots are kept for 90 days. */
const keptMs = 90 * 86_400_000;
/** The most that one request reads: three days at one snapshot in two minutes, and years of hours. */
export const mostRaw = { snapshots: 2_500, pages: 5 };
export const mostDayPages = 8;

type SeriesStores = Pick<Stores, 'snapshots' | 'priceDays'>;

/** The rows of a range. */
export async function readSeries(
  stores: SeriesStores,
  wanted: WantedSeries,
  now: number,
): Promise<FoundSeries> {
  return wanted.to - wanted.from <= rawSpanMs
    ? readRecent(stores, wanted)
    : readLong(stores, wanted, now);
}

/** Snapshots, and hours before them where there are too many. */
async function readRecent(stores: SeriesStores, wanted: WantedSeries): Promise<FoundSeries> {
  const { from, to } = wanted;
  const raw = await readRaw(stores, wanted, { from, through: to });
  if (!raw.isCut) return { ...raw, rawFrom: from, cutBefore: null };
  const { rawFrom } = raw;
  const hours = await readHours(stores, { ...wanted, to: rawFrom - 1 });
  return { ...hours, rows: [...hours.rows, ...raw.rows], rawFrom, looks: raw.looks };
}

/** Hours; before the first of them the snapshots of earlier releases. */
async function readLong(
  stores: SeriesStores,
  wanted: WantedSeries,
  now: number,
): Promise<FoundSeries> {
  const hours = await readHours(stores, wanted);
  const { hoursFrom, cutBefore } = hours;
  const range = { from: Math.max(wanted.from, now - keptMs), through: hoursFrom - 1 };
  if (cutBefore !== null || range.from > range.through) return hours;
  const raw = await readRaw(stores, wanted, range);
  return {
    ...hours,
    rows: [...raw.rows, ...hours.rows],
    cutBefore: raw.isCut ? raw.rawFrom : null,
  };
}

async function readRaw(
  { snapshots }: SeriesStores,
  { eventId, numbers }: WantedSeries,
  range: { from: number; through: number },
) {
  const feed = { eventId, kind: metricsFeed } as const;
  const zones = numbers.flatMap(({ zone }) => zone ?? []);
  const { looks, isCut } = await snapshots.chartLooks(feed, { ...range, zones }, mostRaw);
  const rows = looks.flatMap(({ snapshot }) =>
    isStats(snapshot) ? [rowOf(snapshot, numbers)] : [],
  );
  return { rows, looks, isCut, rawFrom: rows[0]?.at ?? range.through + 1 };
}

async function readHours({ priceDays }: SeriesStores, wanted: WantedSeries) {
  const { eventId, numbers, from, to } = wanted;
  const { days, isCut } = await priceDays.read(eventId, { from, to }, mostDayPages);
  const rows = days
    .flatMap((day) => hourRows(day, numbers))
    .filter(({ at }) => at >= from && at <= to);
  const hoursFrom = days[0]?.startsAt ?? to + 1;
  return { rows, hoursFrom, rawFrom: null, cutBefore: isCut ? hoursFrom : null, looks: [] };
}

function isStats(snapshot: LookedAt['snapshot']): snapshot is MarketSnapshot {
  return snapshot.feedKind === metricsFeed;
}
