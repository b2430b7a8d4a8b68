// An owner's own part of the ledger: the pulls that its watches and its own calls have cost, by day, event, watch
// or tag. Every total is a sum of the parts that the ledger's rows give (`partsOf`), so the totals of all owners
// and what nobody is known to have needed add up to the ledger.
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { ledgerDays, type Pull } from '#shared/polling/pull.ts';
import { type PullPart, partsOf, sharerOf } from '#shared/polling/pull-sharers.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

export const usageGroups = ['day', 'event', 'watch', 'tag'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** What a row of a total by watch is about. */
export const usageSubjects = ['watch', 'deleted_watch', 'own_call', 'not_named'] as const;
export type UsageSubject = (typeof usageSubjects)[number];

/** A sum over parts; `calls` counts the calls that they are parts of. */
export interface UsageSum {
  micropulls: number;
  calls: number;
}

/** One row; fields that its group does not have are null. */
export interface UsageRow extends UsageSum {
  day: string | null;
  eventId: number | null;
  facts: EventFacts | undefined;
  watch: Watch | undefined;
  subject: UsageSubject | null;
  tag: string | null;
}

export interface OwnUsage {
  /** By day in time order; else the most expensive first. */
  rows: UsageRow[];
  total: UsageSum;
  /** Calls about events of the owner's present watches, of which the ledger does not say who needed them. */
  notAttributed: UsageSum;
}

/** Times are epoch milliseconds; `to` is exclusive. */
export interface UsageRequest {
  ownerId: string;
  by: UsageGroup;
  from: number;
  to: number;
}

/** Rows of the ledger that one answer reads: some 30 MB. */
export const mostLedgerRows = 100_000;
const daysAtOnce = 8;

type UsageStores = Pick<Stores, 'pulls' | 'watches' | 'eventFacts'>;

/** @returns undefined if the range has more rows than one answer reads. */
export async function readUsage(
  stores: UsageStores,
  { ownerId, by, from, to }: UsageRequest,
): Promise<OwnUsage | undefined> {
  const watches = await stores.watches.listAll(ownerId);
  const owner = sharerOf(ownerId);
  const watchOf = new Map(watches.map((watch) => [sharerOf(watch.watchId), watch]));
  const events = new Set(watches.map(({ eventId }) => eventId));
  const rows = new Map<string, UsageRow>();
  const total: UsageSum = { micropulls: 0, calls: 0 };
  const notAttributed: UsageSum = { micropulls: 0, calls: 0 };
  const isWhole = await eachCall(stores, { from, to }, (pull) => {
    const parts = partsOf(pull);
    const own = parts.filter((part) => part.owner === owner);
    if (own.length > 0) add(total, sumOf(own));
    if (parts.length === 0 && events.has(pull.eventId)) add(notAttributed, microsOf(pull));
    const found = own.flatMap((part) =>
      shares(by, { pull, part, watch: watchOf.get(part.watch ?? '') }),
    );
    const seen = new Set<string>();
    for (const { key, row, micropulls } of found) {
      const known = rows.get(key) ?? row;
      rows.set(key, known);
      known.micropulls += micropulls;
      if (!seen.has(key)) known.calls += 1;
      seen.add(key);
    }
  });
  if (!isWhole) return undefined;
  const named = await inLots([...rows.values()], 100, async (row) => {
    const facts = row.eventId === null ? undefined : await stores.eventFacts.find(row.eventId);
    return { ...row, facts };
  });
  return { rows: named.sort(by === 'day' ? byDay : byCost), total, notAttributed };
}

/**
 * Every call in a range of time, a few days at once and a page at a time, so that no more than some pages are held.
 * @returns false if there are too many, and not all were visited.
 */
async function eachCall(
  { pulls }: UsageStores,
  { from, to }: { from: number; to: number },
  visit: (pull: Pull) => void,
): Promise<boolean> {
  let rows = 0;
  await inLots(ledgerDays(from, to - 1), daysAtOnce, (day) =>
    pulls.eachPage(day, (page) => {
      const own = page.filter(({ pulledAt }) => pulledAt >= from && pulledAt < to);
      rows += own.length;
      if (rows > mostLedgerRows) return false;
      own.forEach(visit);
      return true;
    }),
  );
  return rows <= mostLedgerRows;
}

interface Part {
  pull: Pull;
  part: PullPart;
  /** The owner's watch, if it still exists. */
  watch: Watch | undefined;
}

interface Share {
  key: string;
  row: UsageRow;
  micropulls: number;
}

const nothing: Omit<UsageRow, 'micropulls' | 'calls'> = {
  ...{ day: null, eventId: null, facts: undefined, watch: undefined, subject: null, tag: null },
};

/** The rows that one part belongs to: one, or one for each tag of its watch. */
function shares(by: UsageGroup, { pull, part, watch }: Part): Share[] {
  const { micropulls } = part;
  const share = (key: string, of: Partial<UsageRow>, micros = micropulls): Share => ({
    ...{ key, micropulls: micros },
    row: { ...nothing, ...of, micropulls: 0, calls: 0 },
  });
  switch (by) {
    case 'day':
      return [share(pull.day, { day: pull.day })];
    case 'event':
      return [share(String(pull.eventId), { eventId: pull.eventId })];
    case 'watch': {
      const subject = subjectOf(part, watch);
      const key = `${subject}#${part.watch ?? pull.eventId}`;
      return [share(key, { subject, watch, eventId: pull.eventId })];
    }
    case 'tag':
      return overTags(watch?.tags ?? [], micropulls).map(({ tag, micropulls: micros }) =>
        share(tag === null ? 'none' : `tag#${tag}`, { tag }, micros),
      );
  }
}

function subjectOf({ watch, isOwnCall }: PullPart, found: Watch | undefined): UsageSubject {
  if (found) return 'watch';
  if (watch !== null) return 'deleted_watch';
  return isOwnCall ? 'own_call' : 'not_named';
}

/** Equal parts for the tags of a watch, whose sum is the whole. */
function overTags(tags: readonly string[], micropulls: number) {
  if (tags.length === 0) return [{ tag: null, micropulls }];
  const sorted = tags.toSorted();
  const share = Math.floor(micropulls / sorted.length);
  const left = micropulls - share * sorted.length;
  return sorted.map((tag, index) => ({ tag, micropulls: share + (index < left ? 1 : 0) }));
}

function add(sum: UsageSum, micropulls: number): void {
  sum.micropulls += micropulls;
  sum.calls += 1;
}

function sumOf(parts: readonly PullPart[]): number {
  return parts.reduce((sum, { micropulls }) => sum + micropulls, 0);
}

function microsOf({ pulls }: Pull): number {
  return Math.round(pulls * 1_000_000);
}

function byDay(a: UsageRow, b: UsageRow): number {
  return (a.day ?? '') < (b.day ?? '') ? -1 : 1;
}

function byCost(a: UsageRow, b: UsageRow): number {
  return b.micropulls - a.micropulls || (a.eventId ?? 0) - (b.eventId ?? 0);
}
