// Polling under tight caps: Getin's delays beside the best possible and beside equal gaps at the true rates, on
// several markets, and how its pulls are spread over the day. The first pull of an event is free for every policy.
import { quantile } from '../../../support/quantile.ts';
import { runFleet } from './fleet.ts';
import { type Market, recordedMarket, simulateMarket } from './market.ts';
import { runNaive } from './naive.ts';
import type { PaidPull } from './served-market.ts';
import { oscillatingMarket, walkMarket } from './walk.ts';
import { type Heard, hearAll, makeWatchers, type Watcher } from './watchers.ts';
import { type AlertedEvent, equalGapsDelay, offlineOptimum } from './yardsticks.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Every constant of the policy was chosen on the first; the table shows the others. */
export const seedsFor = { tuning: [1, 2, 3], judging: [11, 12, 13] } as const;
export type SeedsFor = keyof typeof seedsFor;

interface Setup {
  name: string;
  make: (o: { events: number; days: number; seed: number; half: SeedsFor }) => Market | undefined;
  /** Pulls a day for each event. */
  caps: readonly number[];
  full: { events: number; days: number };
  quick: { events: number; days: number; caps: readonly number[] };
}

const setups: readonly Setup[] = [
  {
    name: 'simulator',
    make: simulateMarket,
    caps: [1, 3, 10],
    full: { events: 60, days: 7 },
    quick: { events: 20, days: 3, caps: [3] },
  },
  {
    name: 'random walk',
    make: walkMarket,
    caps: [1, 3, 10],
    full: { events: 60, days: 7 },
    quick: { events: 20, days: 5, caps: [3] },
  },
  {
    name: 'oscillating',
    make: oscillatingMarket,
    caps: [1, 3, 10],
    full: { events: 60, days: 7 },
    quick: { events: 20, days: 3, caps: [3] },
  },
  {
    name: 'recorded',
    make: recordedMarket,
    caps: [0.05, 0.1, 0.3],
    full: { events: 300, days: 20 },
    quick: { events: 60, days: 14, caps: [0.3] },
  },
];

export interface TightRow {
  market: string;
  /** A day for each event. */
  pulls: number;
  alerts: number;
  /** Minutes from the market's refresh to the alert; an untold alert counts until its event or the end. */
  mean: number;
  p50: number;
  p95: number;
  /** The mean in those of the yardsticks; null where the optimum is under five minutes. */
  inOptimum: number | null;
  inEqualGaps: number;
  /** Every event in turn: its mean. */
  inTurn: number;
  /** Minutes from the newest snapshot to the paid pull that brought it, the median. */
  age: number;
  /** The most pulls in any five minutes, and an even share of a day's pulls. */
  busiest: number;
  share: number;
  missed: number;
}

interface Scene {
  market: Market;
  watchers: Watcher[];
  heard: Heard[];
  events: AlertedEvent[];
}

/** Measures every market at every cap. */
export async function measureTightCaps(o: {
  isQuick: boolean;
  half: SeedsFor;
  /** Only the markets whose names begin so. */
  only?: string;
  onRow: (row: TightRow) => void;
}): Promise<TightRow[]> {
  const rows: TightRow[] = [];
  for (const { name, make, caps, full, quick } of setups) {
    if (!name.startsWith(o.only ?? '')) continue;
    const size = o.isQuick ? quick : full;
    const scenes: Scene[] = [];
    for (const seed of seedsFor[o.half].slice(0, o.isQuick ? 1 : 3)) {
      const market = make({ ...size, seed, half: o.half });
      if (market) scenes.push(await sceneOf(market, size.events * 10, seed));
    }
    if (scenes.length === 0) continue;
    for (const pulls of o.isQuick ? quick.caps : caps) {
      const row = await measureRow(scenes, pulls);
      o.onRow(row);
      rows.push(row);
    }
  }
  return rows;
}

async function sceneOf(market: Market, watches: number, seed: number): Promise<Scene> {
  const watchers = makeWatchers(market, watches, seed);
  const heard = await hearAll(market, watchers);
  return { market, watchers, heard, events: alertedEvents(market, watchers, heard) };
}

function alertedEvents(
  market: Market,
  watchers: readonly Watcher[],
  heard: readonly Heard[],
): AlertedEvent[] {
  const eventOf = new Map(watchers.map(({ watchId, eventId }) => [watchId, eventId]));
  const byEvent = Map.groupBy(heard, ({ watchId }) => eventOf.get(watchId) ?? 0);
  return market.events.flatMap(({ eventId, startsAt, series }) => {
    const own = byEvent.get(eventId);
    const [first, last] = [series[0]?.observedAt ?? 0, series.at(-1)?.observedAt ?? 0];
    if (!own) return [];
    const byTime = Map.groupBy(own, ({ observedAt }) => observedAt);
    const times = [...byTime].sort(([a], [b]) => a - b);
    return {
      ...{ from: Math.max(market.startMs, first), to: Math.min(market.endMs, startsAt) },
      gapMs: (last - first) / Math.max(1, series.length - 1),
      refreshes: times.map(([at, alerts]) => ({ at, alerts: alerts.length })),
    };
  });
}

async function measureRow(scenes: readonly Scene[], pulls: number): Promise<TightRow> {
  const all = { delays: [] as number[], inTurn: [] as number[], ages: [] as number[] };
  const sums = { optimum: 0, equalGaps: 0, missed: 0, busiest: 0, share: 0 };
  for (const scene of scenes) {
    const { market, watchers, heard, events } = scene;
    const watched = new Set(watchers.map(({ eventId }) => eventId)).size;
    const daily = Math.round(pulls * watched);
    const total = Math.round((daily * (market.endMs - market.startMs)) / dayMs);
    const caps = { daily, monthly: daily * 31 };
    const run = await runFleet(market, watchers, caps, { isFirstFree: true });
    const told = new Map(run.told.map(({ alert, toldAt }) => [alert, toldAt]));
    const { delays, missed } = delaysOf(scene, (alert) => told.get(alert), run.seenThrough);
    all.delays.push(...delays);
    all.ages.push(...run.paid.map(({ at, newestAt }) => (at - newestAt) / minuteMs));
    const naive = runNaive(market, watchers, heard, { by: 'event', dailyCap: daily });
    const naiveTold = new Map(heard.map(({ alert }, index) => [alert, naive.toldAt[index]]));
    all.inTurn.push(...delaysOf(scene, (alert) => naiveTold.get(alert)).delays);
    sums.missed += missed;
    sums.busiest = Math.max(sums.busiest, busiestFiveMinutes(run.paid));
    sums.share = Math.max(sums.share, (daily * 5 * minuteMs) / dayMs);
    sums.optimum += offlineOptimum(events, total) * heard.length;
    sums.equalGaps += equalGapsDelay(events, total) * heard.length;
  }
  const alerts = all.delays.length;
  const mean = meanOf(all.delays);
  const optimum = sums.optimum / alerts;
  return {
    ...{ market: scenes[0]?.market.name ?? '', pulls, alerts, mean },
    ...{ p50: quantile(all.delays, 0.5), p95: quantile(all.delays, 0.95) },
    inOptimum: optimum > 5 ? mean / optimum : null,
    inEqualGaps: mean / (sums.equalGaps / alerts),
    ...{ inTurn: meanOf(all.inTurn), age: quantile(all.ages, 0.5) },
    ...{ busiest: sums.busiest, share: sums.share, missed: sums.missed },
  };
}

function delaysOf(
  { market, watchers, heard }: Scene,
  toldAt: (alert: string) => number | undefined,
  seenThrough?: ReadonlyMap<number, number>,
) {
  const eventOf = new Map(watchers.map(({ watchId, eventId }) => [watchId, eventId]));
  const starts = new Map(market.events.map(({ eventId, startsAt }) => [eventId, startsAt]));
  let missed = 0;
  const delays = heard.map(({ alert, watchId, observedAt }) => {
    const eventId = eventOf.get(watchId) ?? 0;
    const end = Math.min(market.endMs, starts.get(eventId) ?? market.endMs);
    const at = toldAt(alert);
    if (at === undefined && observedAt <= (seenThrough?.get(eventId) ?? 0)) missed += 1;
    return ((at ?? end) - observedAt) / minuteMs;
  });
  return { delays, missed };
}

/** The most paid pulls in any five minutes. */
export function busiestFiveMinutes(paid: readonly PaidPull[]): number {
  const times = paid.map(({ at }) => at).sort((a, b) => a - b);
  let first = 0;
  return times.reduce((most, at, index) => {
    while ((times[first] ?? at) <= at - 5 * minuteMs) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}
