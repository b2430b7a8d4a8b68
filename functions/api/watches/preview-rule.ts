// Runs a rule over the stored snapshots of an event, without saving it: loads what a backtest needs.

import { type Backtest, type BacktestOptions, runBacktest } from '#shared/backtest/backtest.ts';
import { seriesOfRule } from '#shared/backtest/find-fires.ts';
import { newestThrough } from '#shared/backtest/newest-through.ts';
import { onlySeriesOf, rolledSnapshots } from '#shared/backtest/rolled-snapshots.ts';
import { amountOf } from '#shared/backtest/rule-amount.ts';
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { type FeedKind, feedKinds } from '#shared/polling/feed-kinds.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { hourOf, type Point } from '#shared/rules/history.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { inTimeOrder } from '#shared/rules/match.ts';
import { feedKindOf, type SeriesKey } from '#shared/rules/series.ts';
import type { NewestSnapshots } from '#shared/rules/snapshot-readings.ts';
import { baseKeyOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';

interface PreviewDeps {
  stores: Pick<Stores, 'snapshots' | 'eventFacts' | 'rollups'>;
  loadHistory: LoadHistory;
}

/** A rule, an event, and a range of market time; epoch milliseconds. */
export interface PreviewRequest extends Omit<BacktestOptions, 'amounts'> {
  eventId: number;
  rule: Rule;
  from: number;
  through: number;
  /** Prices that were bought for this preview; stored ones win at the same time. */
  bought?: readonly Snapshot[];
}

export interface Preview extends Backtest {
  snapshots: number;
  /** Values from before the raw snapshots, which are kept for 90 days; only of the rule's own series. */
  rolled: number;
  /** Whether there were more snapshots than one preview reads; then the earliest are left out. */
  isCut: boolean;
  series: SeriesKey;
}

/** Maximum number of snapshots in a preview: the 90 days that are kept, at one every ten minutes. */
export const mostPreviewed = 13_000;

/** A month of rollups: some megabytes at most. */
const readAtOnceMs = 30 * 86_400_000;

/** Neighbours of the rule's amount, as fractions of it. */
const nearbyShares = [0.8, 0.9, 1, 1.1, 1.2];

/** The use case; `now` is epoch milliseconds. */
export function createPreviewRule({ stores, loadHistory }: PreviewDeps) {
  return async function previewRule(request: PreviewRequest, now: number): Promise<Preview> {
    const { eventId, rule, from, through, bought = [], ...options } = request;
    const series = mainSeriesOf(rule);
    const kind = feedKindOf(series);
    const latest = await stores.snapshots.latest({ eventId, kind }, through, mostPreviewed + 1);
    const oldest = latest.length > mostPreviewed ? from : (latest[0]?.observedAt ?? through);
    const rolled = await readRolled(stores, rule, { eventId, from, to: oldest });
    const all = inTimeOrder([...latest, ...bought, ...rolled]);
    const inTime = all.filter(({ observedAt }) => observedAt >= from);
    const snapshots = inTime.slice(-mostPreviewed);
    const past = await loadPast({ stores, loadHistory }, request, { snapshots, now });
    const backtest = await runBacktest(
      rule,
      { eventId, snapshots, ...past },
      { ...options, amounts: nearbyAmounts(rule) },
    );
    const isCut = inTime.length > snapshots.length;
    return { ...backtest, snapshots: snapshots.length, rolled: rolled.length, isCut, series };
  };
}

/**
 * The rule's values in [from, to) from rollups, the newest first and at most about as many as a preview
 * reads; none for a rule that reads several series.
 */
async function readRolled(
  { rollups }: PreviewDeps['stores'],
  rule: Rule,
  { eventId, from, to }: { eventId: number; from: number; to: number },
): Promise<Snapshot[]> {
  const base = onlySeriesOf(seriesOfRule(rule));
  if (!base) return [];
  const series = { eventId, base: baseKeyOf(base) };
  const start = hourOf(from);
  const points: Point[] = [];
  for (let end = hourOf(to); end > start && points.length < mostPreviewed; end -= readAtOnceMs) {
    const range = { ...series, from: Math.max(start, end - readAtOnceMs), to: end };
    points.unshift(...(await rollups.points(range)));
  }
  return rolledSnapshots(eventId, base, points);
}

/** The feed whose snapshots move the rule. */
export function feedOfRule(rule: Rule): FeedKind {
  return feedKindOf(mainSeriesOf(rule));
}

function mainSeriesOf(rule: Rule): SeriesKey {
  const [main] = compileRule(rule);
  if (!main) throw new Error('a rule compiles to one trigger at least');
  return main.series;
}

function nearbyAmounts(rule: Rule): number[] {
  const own = amountOf(rule);
  if (!own) return [];
  const digits = own.kind === 'count' ? 0 : 2;
  const amounts = nearbyShares.map((share) => Number((own.amount * share).toFixed(digits)));
  return [...new Set(amounts)];
}

/** The values before the first snapshot, and the snapshots of other feeds beside these. */
async function loadPast(
  { stores, loadHistory }: PreviewDeps,
  { eventId, rule }: PreviewRequest,
  { snapshots, now }: { snapshots: readonly Snapshot[]; now: number },
) {
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  if (!first || !last) return { eventStartsAt: null };
  const feed = { eventId, kind: first.feedKind };
  const series = seriesOfRule(rule);
  const through = first.observedAt - 1;
  const { history } = await loadHistory({ feed, series, through, newest: last.observedAt, now });
  const eventStartsAt = startOf(await stores.eventFacts.find(eventId));
  const others = await otherSnapshots(stores, { eventId, first, last });
  const otherFeeds = (at: number) => newestAt(others, at);
  return { history, eventStartsAt, otherFeeds };
}

async function otherSnapshots(
  { snapshots }: PreviewDeps['stores'],
  { eventId, first, last }: { eventId: number; first: Snapshot; last: Snapshot },
): Promise<Map<FeedKind, Snapshot[]>> {
  const kinds = feedKinds.filter((kind) => kind !== first.feedKind);
  const reads = kinds.map(async (kind) => {
    const found = await snapshots.latest({ eventId, kind }, last.observedAt, mostPreviewed);
    const earlier = found.findLastIndex(({ observedAt }) => observedAt <= first.observedAt);
    return [kind, found.slice(Math.max(0, earlier))] as const;
  });
  return new Map(await Promise.all(reads));
}

function newestAt(snapshots: ReadonlyMap<FeedKind, Snapshot[]>, at: number): NewestSnapshots {
  const found = [...snapshots].map(
    ([kind, own]) => [kind, newestThrough(own, at) ?? null] as const,
  );
  return Object.fromEntries(found);
}
