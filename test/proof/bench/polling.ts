/**
 * The cost of polling and the delay of its alerts: Getin's real dispatch, cadence, budget and matching on
 * a virtual clock, beside two naive policies, on the simulator's market and on recorded
 * prices; the same under tight caps on four markets, beside the best possible; then the dispatcher alone at 100,000 events.
 *
 *   node test/proof/bench/polling.ts [--quick] [--tight] [--seeds judging|tuning]
 *     [--days 7] [--events 500] [--watches 5000] [--cap 500] [--seed 1]
 *
 * --tight measures tight caps alone. The constants of the policy were chosen on the tuning seeds.
 */
import { parseArgs } from 'node:util';
import { quantile } from '../../support/quantile.ts';
import { measureDispatcher } from './polling/dispatcher.ts';
import { runFleet } from './polling/fleet.ts';
import { type Market, recordedFile, recordedMarket, simulateMarket } from './polling/market.ts';
import { runNaive } from './polling/naive.ts';
import { measureTightCaps, type SeedsFor } from './polling/tight-caps.ts';
import { tightHeading, tightLine } from './polling/tight-table.ts';
import { type Heard, hearAll, makeWatchers, type Watcher } from './polling/watchers.ts';

const unlimited = Number.MAX_SAFE_INTEGER;
const minuteMs = 60_000;

interface Row {
  policy: string;
  calls: number;
  pulls: number;
  /** Minutes from the market's refresh to the alert; an alert still unseen at the end counts until the end. */
  p50: number;
  p95: number;
  p99: number;
  /** Alerts missing although the policy had seen their refreshes. */
  missed: number;
  /** Alerts of refreshes that the policy had not seen at the end. */
  unseen: number;
}

function readSizes() {
  try {
    const option = { type: 'string' } as const;
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        tight: { type: 'boolean', default: false },
        seeds: { type: 'string', default: 'judging' },
        ...{ days: option, events: option, watches: option, cap: option, seed: option },
      },
    });
    const usual = values.quick
      ? { days: 2, events: 20, watches: 200, cap: 60 }
      : { days: 7, events: 500, watches: 5_000, cap: 500 };
    const read = (name: 'days' | 'events' | 'watches' | 'cap' | 'seed', fallback: number) => {
      const given = values[name];
      if (given === undefined) return fallback;
      if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
      throw new Error(`--${name} must be a whole number above 0, not "${given}"`);
    };
    const { seeds } = values;
    if (seeds !== 'judging' && seeds !== 'tuning') {
      throw new Error(`--seeds must be judging or tuning, not "${seeds}"`);
    }
    return {
      ...{ quick: values.quick, tight: values.tight, seeds: seeds as SeedsFor },
      days: read('days', usual.days),
      events: read('events', usual.events),
      watches: read('watches', usual.watches),
      cap: read('cap', usual.cap),
      seed: read('seed', 1),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

function rowOf(
  policy: string,
  cost: { calls: number; pulls: number },
  { heard, market: { endMs } }: Scene,
  told: { at: (index: number) => number | undefined; wasSeen: (index: number) => boolean },
): Row {
  const delays: number[] = [];
  let missed = 0;
  let unseen = 0;
  for (const [index, { observedAt }] of heard.entries()) {
    const at = told.at(index);
    if (at !== undefined) delays.push((at - observedAt) / minuteMs);
    else if (told.wasSeen(index)) missed += 1;
    else {
      unseen += 1;
      delays.push((endMs - observedAt) / minuteMs);
    }
  }
  const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((q) => quantile(delays, q));
  return { policy, calls: cost.calls, pulls: cost.pulls, p50, p95, p99, missed, unseen };
}

async function fleetRow(policy: string, scene: Scene & { cap: number }): Promise<Row> {
  const { market, watchers, heard, cap } = scene;
  const caps = { daily: cap, monthly: cap === unlimited ? unlimited : cap * 31 };
  const run = await runFleet(market, watchers, caps);
  const told = new Map(run.told.map(({ alert, toldAt }) => [alert, toldAt]));
  const eventOf = new Map(watchers.map(({ watchId, eventId }) => [watchId, eventId]));
  return rowOf(policy, { calls: run.calls, pulls: run.paid.length }, scene, {
    at: (index) => told.get(heard[index]?.alert ?? ''),
    wasSeen: (index) => {
      const { watchId = '', observedAt = 0 } = heard[index] ?? {};
      return observedAt <= (run.seenThrough.get(eventOf.get(watchId) ?? 0) ?? 0);
    },
  });
}

interface Scene {
  market: Market;
  watchers: readonly Watcher[];
  heard: readonly Heard[];
}

function naiveRow(policy: string, scene: Scene, by: 'watch' | 'event', dailyCap: number): Row {
  const { market, watchers, heard } = scene;
  const run = runNaive(market, watchers, heard, { by, dailyCap });
  return rowOf(policy, run, scene, { at: (index) => run.toldAt[index], wasSeen: () => false });
}

async function measureMarket(market: Market, o: { watches: number; cap: number; seed: number }) {
  const watchers = makeWatchers(market, o.watches, o.seed);
  const heard = await hearAll(market, watchers);
  const scene = { market, watchers, heard };
  const refreshes = market.events.reduce((sum, { series }) => sum + series.length, 0);
  const days = (market.endMs - market.startMs) / 86_400_000;
  console.log(
    `\n${market.name}: ${market.events.length} events, ${o.watches} watches, ${days} days, ${refreshes} refreshes, ${heard.length} alerts to be told`,
  );
  const rows = [
    await fleetRow(`Getin, ${o.cap} pulls a day`, { ...scene, cap: o.cap }),
    await fleetRow('Getin, no cap', { ...scene, cap: unlimited }),
    naiveRow('every event each 5 min', scene, 'event', unlimited),
    naiveRow('every watch each 5 min', scene, 'watch', unlimited),
    naiveRow(`every event each 5 min, ${o.cap} a day`, scene, 'event', o.cap),
    naiveRow(`every watch each 5 min, ${o.cap} a day`, scene, 'watch', o.cap),
  ];
  console.log('| policy | calls | pulls | p50 min | p95 min | p99 min | missed | not yet seen |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const row of rows) {
    const minutes = [row.p50, row.p95, row.p99].map((each) => each.toFixed(1));
    console.log(
      `| ${[row.policy, row.calls, row.pulls, ...minutes, row.missed, row.unseen].join(' | ')} |`,
    );
  }
  return rows;
}

async function measureDispatchers(quick: boolean) {
  const minutes = quick ? 6 : 20;
  const events = 100_000;
  console.log(`\ndispatcher: ${events} events, each wished every 5 minutes, ${minutes} slots`);
  console.log(
    '| calls a minute | dispatched a minute | left due | p50 late min | p95 late min | ms a run |',
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
  const rows = [];
  for (const callsPerMinute of [400, 10_000, 25_000]) {
    const row = await measureDispatcher({ events, callsPerMinute, minutes });
    rows.push(row);
    const { dispatchedPerMinute, left, p50LateMinutes, p95LateMinutes, medianRunMs } = row;
    const cells = [callsPerMinute, dispatchedPerMinute, left, p50LateMinutes, p95LateMinutes];
    console.log(`| ${[...cells, medianRunMs].join(' | ')} |`);
  }
  return rows;
}

const sizes = readSizes();
const began = performance.now();
console.log(tightHeading(sizes.seeds));
const tight = await measureTightCaps({
  ...{ isQuick: sizes.quick, half: sizes.seeds },
  onRow: (row) => console.log(tightLine(row)),
});
const others = sizes.tight ? {} : await measureOthers();
const seconds = Math.round((performance.now() - began) / 1_000);
console.log(JSON.stringify({ bench: 'polling', sizes, seconds, tight, ...others }));

async function measureOthers() {
  const simulated = await measureMarket(simulateMarket(sizes), sizes);
  const market = recordedMarket({ events: sizes.events, days: sizes.quick ? 3 : 14 });
  if (!market) console.log(`\nrecorded prices: skipped, ${recordedFile} is not there`);
  const recorded = market && (await measureMarket(market, sizes));
  return { simulated, recorded, dispatcher: await measureDispatchers(sizes.quick) };
}
