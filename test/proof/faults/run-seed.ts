// One run: builds the world, sets it up without faults, applies faults while prices move, ends
// the faults, waits until no work is left, and judges the result.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Chats } from './chats.ts';
import { RunClock } from './clock/run-clock.ts';
import type { OddThings } from './damage.ts';
import { Dice } from './dice.ts';
import { collectFacts, readSeenSets } from './facts.ts';
import { judge, type Verdict } from './oracle/judge.ts';
import { alertsDue, countCrossings, type DueAlert } from './oracle/truth.ts';
import { type OpenTables, openTables } from './product.ts';
import { putOffTheLateEvent } from './put-off.ts';
import { untilQuiet } from './quiet.ts';
import { Receipts } from './receipts.ts';
import { createReceivers } from './receivers.ts';
import { RunLog } from './run-log.ts';
import { oddEventId } from './scenario/market.ts';
import { rollScenario, type Scenario } from './scenario/scenario.ts';
import { type Made, type MadeWatch, setUp } from './setup.ts';
import { type Shown, showAgain, showMarket, storm } from './storm.ts';
import { World } from './world.ts';

export interface RunOptions {
  seed: number;
  /** The folder of the run's data and log. */
  folder: string;
  assemblyFolder: string;
  /** Speed factor of the functions' own timers. */
  timers: number;
}

export interface RunResult extends Verdict {
  seed: number;
  events: number;
  watches: number;
  snapshots: number;
  crossings: number;
  alerts: number;
  messages: number;
  edits: number;
  faults: Record<string, number>;
  durationMs: number;
}

export async function runSeed(options: RunOptions): Promise<RunResult> {
  const { seed, folder, assemblyFolder, timers } = options;
  const startedAt = performance.now();
  mkdirSync(folder, { recursive: true });
  const clock = new RunClock();
  const log = new RunLog(join(folder, 'run.log'), clock.now);
  const chats = new Chats();
  const receipts = new Receipts(chats, clock.now);
  const scenario = rollScenario(seed, clock.now());
  const { marketAheadMs } = scenario;
  if (marketAheadMs !== 0) log.fault('clock_offset', 'marketplace');
  const onSlow = (path: string) => log.fault('slow_receiver', path);
  const world = await World.start({
    ...{ seed, folder, assemblyFolder, timers, log, clock },
    marketAheadMs,
    receive: createReceivers({ seed, chats, now: clock.now, onSlow }),
    onMail: receipts.mail,
    onPost: receipts.post,
  });
  let tables: OpenTables | undefined;
  try {
    const market = new Dice(seed, 'market');
    log.note('the world is there');
    const shown: Shown = new Map();
    await showMarket(world, scenario, { dice: market, step: 0, shown });
    await world.startTriggers();
    const made = await setUp(world, receipts, scenario);
    const { watches } = made;
    log.note(`${watches.length} watches are made`);
    tables = await openTables(world.addressOf('dynamoDb'));
    const odd = oddThingsOf(made);
    await untilQuiet({ world, tables, odd, log, clock, leavesHeld: true });
    log.note('faults begin');
    const damage = await storm({ world, scenario, market, seed, log, shown, tables, odd });
    await showAgain(world, shown);
    const { isDamaged } = damage;
    const quiet = { world, tables, odd, log, clock, isDamaged };
    await untilQuiet({ ...quiet, leavesHeld: scenario.lateEventId !== undefined });
    await putOffTheLateEvent({ world, scenario, tables, market, log, shown });
    await untilQuiet({ ...quiet, settlesAccount: true });
    const facts = await collectFacts({
      world,
      stores: tables.stores,
      receipts,
      log,
      made,
      damage,
    });
    const listings = await readSeenSets(tables.stores, shown, marketAheadMs);
    const seen = { market: facts.market, listings };
    const due = alertsDue(watches, seen).map((alert) => forgetOver(alert, { watches, scenario }));
    const verdict = judge({ ...facts, due });
    for (const { kind, text } of verdict.violations) log.note(`VIOLATION ${kind}: ${text}`);
    return {
      ...verdict,
      ...{ seed, events: scenario.events.length, watches: watches.length },
      snapshots: [...facts.market.values()].flat().length,
      crossings: countCrossings(watches, facts.market),
      alerts: due.length,
      messages: receipts.all.length,
      edits: receipts.edits.length,
      faults: log.count(),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    tables?.close();
    await world.stop();
  }
}

/** The messages about the event that begins tell only that. */
function forgetOver(
  alert: DueAlert,
  { watches, scenario }: { watches: readonly MadeWatch[]; scenario: Scenario },
): DueAlert {
  const { eventId } = watches.find(({ watchId }) => watchId === alert.watchId) ?? {};
  const begins = eventId !== undefined && eventId === scenario.lateEventId;
  return begins ? { ...alert, episode: undefined } : alert;
}

function oddThingsOf({ owners, watches }: Made): OddThings {
  const { ownerId = '' } = owners.find(({ name }) => name === 'odd') ?? {};
  const own = watches.filter(({ owner }) => owner === 'odd');
  return { ownerId, watchIds: own.map(({ watchId }) => watchId), eventId: oddEventId };
}
