// One run: builds the world, sets it up in peace, lets it fail while prices move, mends everything,
// waits until nothing is left to do, and has the outcome judged.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Chaos } from './chaos.ts';
import { RunClock } from './clock/run-clock.ts';
import { damageOne, type OddThings, untilTaken } from './damage.ts';
import { Dice } from './dice.ts';
import { collectFacts, readSeenSets } from './facts.ts';
import { judge, type Verdict } from './oracle/judge.ts';
import { alertsDue, countCrossings } from './oracle/truth.ts';
import { type OpenTables, openTables } from './product.ts';
import { untilQuiet } from './quiet.ts';
import { Receipts } from './receipts.ts';
import { createReceivers } from './receivers.ts';
import { RunLog } from './run-log.ts';
import { jump, runOut, settle } from './run-out.ts';
import { catalogEntry, type ListingSet, oddEventId, rollListings } from './scenario/market.ts';
import { handIn } from './scenario/marketplace-records.ts';
import { rollScenario, type Scenario } from './scenario/scenario.ts';
import { type Made, setUp } from './setup.ts';
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
  const receipts = new Receipts(clock.now);
  const scenario = rollScenario(seed, clock.now());
  const { marketAheadMs } = scenario;
  if (marketAheadMs !== 0) log.fault('clock_offset', 'marketplace');
  const onSlow = (path: string) => log.fault('slow_receiver', path);
  const world = await World.start({
    ...{ seed, folder, assemblyFolder, log, clock },
    marketAheadMs,
    receive: createReceivers({ seed, onSlow }),
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
    const isDamaged = await storm({ world, scenario, market, seed, log, shown, tables, odd });
    await untilQuiet({ world, tables, odd, log, clock, isDamaged, settlesAccount: true });
    const facts = await collectFacts({
      world,
      stores: tables.stores,
      receipts,
      log,
      made,
      isDamaged,
    });
    const listings = await readSeenSets(tables.stores, shown);
    const due = alertsDue(watches, { market: facts.market, listings, marketAheadMs });
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
  shown: Shown;
  tables: OpenTables;
  odd: OddThings;
}

/** Every set of listings that was handed in, by event, in time order. */
type Shown = Map<number, ListingSet[]>;

/** @returns whether anything was damaged. */
async function storm(storm: Storm): Promise<boolean> {
  const { world, scenario, market, seed, log, shown } = storm;
  const chaos = new Chaos(world, seed, log);
  const dice = new Dice(seed, 'rounds');
  const damageDice = new Dice(seed, 'damage');
  let isDamaged = false;
  world.links.setFaulty(true);
  for (let round = 1; round <= scenario.rounds; round += 1) {
    log.note(`round ${round}`);
    const struck = chaos.round();
    for (const _damage of scenario.damages.filter((at) => at === round)) {
      isDamaged = (await damage(storm, damageDice)) || isDamaged;
    }
    await postpone(world, scenario, round, log);
    await showMarket(world, scenario, { dice: market, step: round, shown });
    await jump(world, log, dice.chance(0.7) ? minuteMs : dice.between(2, 7) * minuteMs);
    await settle(world, roundMs);
    await struck;
    await runOut(world, log, roundMs);
  }
  world.links.setFaulty(false);
  log.note('faults end');
  return isDamaged;
}

/** DynamoDB may be down just then: it is tried again until it is back. */
async function damage({ tables, odd, log }: Storm, dice: Dice): Promise<boolean> {
  const { client, tables: names } = tables;
  const done = await untilTaken(() => damageOne({ client, tables: names, dice }, odd));
  if (!done) return false;
  log.fault('damaged_item', done.entity);
  log.note(`${done.entity}.${done.field}: ${done.change}`);
  return true;
}

/** Moves the events whose turn it is to another day. */
async function postpone(
  world: World,
  { events, postponements }: Scenario,
  round: number,
  log: RunLog,
): Promise<void> {
  for (const { eventId, daysAhead } of postponements.filter((moved) => moved.round === round)) {
    const event = events.find((known) => known.eventId === eventId);
    if (!event) continue;
    log.fault('postponement', String(eventId));
    const moved = catalogEntry(event, world.marketNow(), daysAhead);
    await handIn(() => world.marketplace, { events: [moved], listing_sets: [] });
  }
}

function oddThingsOf({ owners, watches }: Made): OddThings {
  const { ownerId = '' } = owners.find(({ name }) => name === 'odd') ?? {};
  const own = watches.filter(({ owner }) => owner === 'odd');
  return { ownerId, watchIds: own.map(({ watchId }) => watchId), eventId: oddEventId };
}

/** Hands in a refresh of most events, sometimes two. */
async function showMarket(
  world: World,
  { events }: Scenario,
  { dice, step, shown }: { dice: Dice; step: number; shown: Shown },
): Promise<void> {
  for (const event of events) {
    const sets = shown.get(event.eventId) ?? [];
    shown.set(event.eventId, sets);
    const refreshes = step === 0 ? 1 : dice.pick([0, 1, 1, 1, 1, 2]);
    for (let refresh = 0; refresh < refreshes; refresh += 1) {
      const listings = rollListings(dice, event, step);
      const observedAt = Math.max(world.marketNow(), (sets.at(-1)?.observedAt ?? 0) + 1);
      sets.push({ observedAt, listings });
      const observed_at = new Date(observedAt).toISOString();
      await handIn(() => world.marketplace, {
        events: step === 0 ? [catalogEntry(event, observedAt)] : [],
        listing_sets: [{ event_id: event.eventId, observed_at, listings }],
      });
    }
  }
}
