// One run: builds the world, sets it up in peace, lets it fail while prices move, mends everything,
// waits until nothing is left to do, and has the outcome judged.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Chaos } from './chaos.ts';
import { RunClock } from './clock/run-clock.ts';
import { Dice } from './dice.ts';
import { collectFacts } from './facts.ts';
import { judge, type Verdict } from './oracle/judge.ts';
import { alertsDue, countCrossings } from './oracle/truth.ts';
import { type OpenTables, openTables } from './product.ts';
import { untilQuiet } from './quiet.ts';
import { Receipts } from './receipts.ts';
import { RunLog } from './run-log.ts';
import { jump, runOut, settle } from './run-out.ts';
import { catalogEntry, rollListings } from './scenario/market.ts';
import { handIn } from './scenario/marketplace-records.ts';
import { rollScenario, type Scenario } from './scenario/scenario.ts';
import { makeWatches } from './setup.ts';
import { World } from './world.ts';

export interface RunOptions {
  seed: number;
  /** Where the run keeps its data and its log. */
  folder: string;
  assemblyFolder: string;
}

export interface RunResult extends Verdict {
  seed: number;
  events: number;
  watches: number;
  snapshots: number;
  crossings: number;
  alerts: number;
  messages: number;
  faults: Record<string, number>;
  durationMs: number;
}

const minuteMs = 60_000;
/** What still runs after so long, machine milliseconds, is cut off, as Lambda would. */
const roundMs = 10_000;

export async function runSeed({ seed, folder, assemblyFolder }: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  mkdirSync(folder, { recursive: true });
  const clock = new RunClock();
  const log = new RunLog(join(folder, 'run.log'), clock.now);
  const receipts = new Receipts();
  const scenario = rollScenario(seed);
  const world = await World.start({
    ...{ seed, folder, assemblyFolder, log, clock },
    receive: () => ({ status: 204, headers: {}, body: Buffer.alloc(0) }),
    onMail: receipts.mail,
    onPost: receipts.post,
  });
  let tables: OpenTables | undefined;
  try {
    const market = new Dice(seed, 'market');
    log.note('the world is there');
    await showMarket(world, scenario, { dice: market, step: 0, clock });
    await world.startTriggers();
    const watches = await makeWatches(world, receipts, scenario);
    log.note(`${watches.length} watches are made`);
    tables = await openTables(world.addressOf('dynamoDb'));
    await untilQuiet({ world, stores: tables.stores, log, clock });
    log.note('faults begin');
    await storm({ world, scenario, market, seed, log, clock });
    await untilQuiet({ world, stores: tables.stores, log, clock, settlesAccount: true });
    const facts = await collectFacts({ world, stores: tables.stores, receipts, log, watches });
    const due = alertsDue(watches, facts.market);
    const verdict = judge({ ...facts, due });
    for (const { kind, text } of verdict.violations) log.note(`VIOLATION ${kind}: ${text}`);
    return {
      ...verdict,
      ...{ seed, events: scenario.events.length, watches: watches.length },
      snapshots: [...facts.market.values()].flat().length,
      crossings: countCrossings(watches, facts.market),
      alerts: due.length,
      messages: receipts.all.length,
      faults: log.count(),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    tables?.close();
    await world.stop();
  }
}

interface Storm {
  world: World;
  scenario: Scenario;
  market: Dice;
  seed: number;
  log: RunLog;
  clock: RunClock;
}

async function storm({ world, scenario, market, seed, log, clock }: Storm): Promise<void> {
  const chaos = new Chaos(world, seed, log);
  const dice = new Dice(seed, 'rounds');
  world.links.setFaulty(true);
  for (let round = 1; round <= scenario.rounds; round += 1) {
    log.note(`round ${round}`);
    const struck = chaos.round();
    await showMarket(world, scenario, { dice: market, step: round, clock });
    await jump(world, log, dice.chance(0.7) ? minuteMs : dice.between(2, 7) * minuteMs);
    await settle(world, roundMs);
    await struck;
    await runOut(world, log, roundMs);
  }
  world.links.setFaulty(false);
  log.note('faults end');
}

/** Hands in a refresh of most events, sometimes two. */
async function showMarket(
  world: World,
  { events }: Scenario,
  { dice, step, clock }: { dice: Dice; step: number; clock: RunClock },
): Promise<void> {
  for (const event of events) {
    const refreshes = step === 0 ? 1 : dice.pick([0, 1, 1, 1, 1, 2]);
    for (let refresh = 0; refresh < refreshes; refresh += 1) {
      await handIn(() => world.marketplace, {
        events: step === 0 ? [catalogEntry(event, clock.now())] : [],
        listing_sets: [{ event_id: event.eventId, listings: rollListings(dice, event, step) }],
      });
    }
  }
}
