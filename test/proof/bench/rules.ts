/**
 * Snapshots matched against 1,000, 100,000 and 1,000,000 rules of one event, of which 0, 10 and 1,000
 * are reached: through the trigger index, by a plain loop over all rules, and by json-rules-engine.
 * A snapshot that reaches k rules is followed by one that rearms them; the loop rearms too, the
 * engine keeps no state.
 *
 *   node --max-old-space-size=8192 test/proof/bench/rules.ts [--quick]
 *
 * With less memory, or --quick, json-rules-engine is left out at 1,000,000 rules: it takes 4 GB.
 */
import { parseArgs } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { Engine } from 'json-rules-engine';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { remember } from '#shared/rules/reading.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { createTrigger, hasPassedRearm, isReached, type Trigger } from '#shared/rules/trigger.ts';
import { median } from '#test/support/quantile.ts';

const RULE_COUNTS = [1_000, 100_000, 1_000_000] as const;
const REACHED_COUNTS = [0, 10, 1_000] as const;
const START = Date.UTC(2026, 10, 1);
const MINUTE_MS = 60_000;
const ENGINE_HEAP_BYTES = 6e9;

/**
 * Cents. Ten rules lie at `ten`, 990 more at `thousand`, all others between `low` and `middle`, so
 * that the price alone determines how many of them a snapshot reaches.
 */
const LEVELS = { low: 1_000, middle: 40_000, thousand: 43_000, ten: 45_000 };
const REACHING = { 0: 45_500, 10: 44_500, 1000: 42_000 } as const;
const REARMING = 50_000;

type ReachedCount = keyof typeof REACHING;

/** Matches one snapshot with this price; returns the number of rules it moved. */
type MatchPrice = (cents: number) => number | Promise<number>;

type Peer = 'index' | 'loop' | 'json-rules-engine';

interface Measured {
  peer: Peer;
  rules: number;
  reached: ReachedCount;
  /** Median. */
  snapshotMs: number;
}

function levelOf(i: number): number {
  if (i < 10) return LEVELS.ten;
  if (i < 1_000) return LEVELS.thousand;
  return LEVELS.low + ((i * 7_919) % (LEVELS.middle - LEVELS.low));
}

function armedTriggers(count: number): Trigger[] {
  const identity = { watchId: 'wat_1', ownerId: 'own_1', eventId: 7 };
  return Array.from({ length: count }, (_, i) => {
    const rule: Rule = { type: 'level', metric: 'get_in', at_or_below: levelOf(i) / 100 };
    const [spec] = compileRule(rule);
    if (!spec) throw new Error('a level rule compiles to one trigger');
    const ids = { triggerId: `trg_${i}`, ruleId: `rul_${i}` };
    return { ...createTrigger(spec, { ...identity, ...ids }, START), state: 'armed' };
  });
}

function snapshotAt(observedAt: number, cents: number): MarketSnapshot {
  const prices = { get_in: cents, get_in_qty2plus: cents, avg_price: cents, median_price: cents };
  const metrics = { ...prices, total_listings_active: 400, listing_fill_rate: 8_000 };
  return { feedKind: 'stats', eventId: 7, observedAt, metrics, zones: {} };
}

function throughIndex(triggers: readonly Trigger[]): MatchPrice {
  const index = new MemoryTriggerIndex();
  for (const trigger of triggers) index.put(trigger);
  const history = new LoadedHistory();
  let observedAt = START;
  return async (cents) => {
    observedAt += MINUTE_MS;
    const snapshot = snapshotAt(observedAt, cents);
    remember(history, snapshot);
    const run = new CatchUp();
    const { moves } = await matchSnapshot({
      ...{ index, run, snapshot, history },
      series: ['stats/get_in'],
      isNewest: true,
      eventStartsAt: null,
    });
    for (const trigger of run.moved()) index.put(trigger);
    return moves.length;
  };
}

function byLoop(count: number): MatchPrice {
  const triggers = armedTriggers(count);
  return (cents) => {
    let moved = 0;
    for (const trigger of triggers) {
      const isFired = trigger.state === 'fired';
      if (isFired ? !hasPassedRearm(trigger, cents) : !isReached(trigger, cents)) continue;
      trigger.state = isFired ? 'armed' : 'fired';
      moved += 1;
    }
    return moved;
  };
}

function byEngine(count: number): MatchPrice {
  const engine = new Engine();
  for (let i = 0; i < count; i += 1) {
    const condition = { fact: 'get_in', operator: 'lessThanInclusive', value: levelOf(i) };
    engine.addRule({ conditions: { all: [condition] }, event: { type: `rul_${i}` } });
  }
  return async (cents) => (await engine.run({ get_in: cents })).events.length;
}

interface Rounds {
  reached: ReachedCount;
  budgetMs: number;
  /** Rounds before measurement. */
  warmUps: number;
  /** Whether the rearming snapshot is measured too, if it moves anything. */
  rearms: boolean;
}

async function measure(match: MatchPrice, rounds: Rounds): Promise<number> {
  const { reached, budgetMs, warmUps, rearms } = rounds;
  const times: number[] = [];
  const snapshots = rearms ? [REACHING[reached], REARMING] : [REACHING[reached]];
  let startedAt = performance.now();
  for (let i = -warmUps; i < 1 || performance.now() - startedAt < budgetMs; i += 1) {
    if (i === 0) startedAt = performance.now();
    const before = performance.now();
    for (const cents of snapshots) {
      const moved = await match(cents);
      if (moved !== reached) throw new Error(`${moved} moved instead of ${reached}`);
    }
    if (i >= 0) times.push((performance.now() - before) / snapshots.length);
  }
  return median(times);
}

async function measureAll(isQuick: boolean): Promise<Measured[]> {
  const measured: Measured[] = [];
  const budgetMs = isQuick ? 250 : 2_000;
  async function note(peer: Peer, rules: number, match: MatchPrice, rounds: Rounds) {
    const snapshotMs = await measure(match, rounds);
    measured.push({ peer, rules, reached: rounds.reached, snapshotMs });
    process.stderr.write(`${peer}, ${rules} rules, ${rounds.reached} reached\n`);
  }
  for (const rules of RULE_COUNTS) {
    const warmUps = { index: 20, loop: rules > 100_000 ? 1 : 20 };
    const index = throughIndex(armedTriggers(rules));
    for (const reached of REACHED_COUNTS) {
      await note('index', rules, index, {
        reached,
        budgetMs,
        warmUps: warmUps.index,
        rearms: true,
      });
    }
    const loop = byLoop(rules);
    for (const reached of REACHED_COUNTS) {
      await note('loop', rules, loop, { reached, budgetMs, warmUps: warmUps.loop, rearms: true });
    }
  }
  for (const rules of engineCounts(isQuick)) {
    const engine = byEngine(rules);
    // If a snapshot takes seconds, one number of reached rules is enough.
    for (const reached of rules === 1_000 ? REACHED_COUNTS : ([10] as const)) {
      const warmUps = rules === 1_000 ? 3 : 0;
      await note('json-rules-engine', rules, engine, { reached, budgetMs, warmUps, rearms: false });
    }
  }
  return measured;
}

function engineCounts(isQuick: boolean): number[] {
  const hasMemory = getHeapStatistics().heap_size_limit > ENGINE_HEAP_BYTES;
  return RULE_COUNTS.filter((rules) => rules < 1_000_000 || (!isQuick && hasMemory));
}

function find(measured: Measured[], peer: Peer, rules: number, reached: number) {
  const row = measured.find((m) => m.peer === peer && m.rules === rules && m.reached === reached);
  return row?.snapshotMs ?? Number.NaN;
}

function tell(measured: Measured[]): void {
  console.table(
    measured.map(({ peer, rules, reached, snapshotMs }) => ({
      ...{ peer, rules, reached },
      'µs a snapshot': Number((snapshotMs * 1_000).toPrecision(3)),
      'rules a second': Math.round(rules / (snapshotMs / 1_000)),
      'times the index': Number(
        (snapshotMs / find(measured, 'index', rules, reached)).toPrecision(3),
      ),
    })),
  );
  const growth = find(measured, 'index', 1_000_000, 10) / find(measured, 'index', 1_000, 10);
  console.log(
    `1,000,000 rules with 10 reached cost ${growth.toFixed(2)} times what 1,000 rules with 10 reached cost`,
  );
  const ratio = (peer: Peer, rules: number) =>
    Number((find(measured, peer, rules, 10) / find(measured, 'index', rules, 10)).toPrecision(3));
  console.log(
    JSON.stringify({
      bench: 'rules',
      growth_1k_to_1m_at_10_reached: Number(growth.toFixed(2)),
      loop_over_index_at_1m: ratio('loop', 1_000_000),
      engine_over_index_at_100k: ratio('json-rules-engine', 100_000),
      engine_over_index_at_1m: ratio('json-rules-engine', 1_000_000) || null,
      results: measured,
    }),
  );
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
tell(await measureAll(values.quick));
