// The rounds of a run in which prices move while faults are active: the data submitted, the damage, and
// the clock's jumps.
import { Chaos } from './chaos.ts';
import { type Damage, damageOne, type OddThings, untilTaken } from './damage.ts';
import { Dice } from './dice.ts';
import type { RaisedAlert } from './oracle/judge.ts';
import type { OpenTables } from './product.ts';
import type { RunLog } from './run-log.ts';
import { jump, runOut, settle } from './run-out.ts';
import {
  catalogEntry,
  daysFrom,
  type ListingSet,
  type MarketEvent,
  rollListings,
} from './scenario/market.ts';
import { handIn } from './scenario/marketplace-records.ts';
import type { Scenario } from './scenario/scenario.ts';
import type { World } from './world.ts';

const minuteMs = 60_000;
/** The late event begins after the rounds, and within a day. */
const lateMs = 5 * 60 * minuteMs;
/** Functions that still run after this many machine milliseconds are killed, as Lambda would. */
const roundMs = 10_000;

export interface Storm {
  world: World;
  scenario: Scenario;
  market: Dice;
  seed: number;
  log: RunLog;
  shown: Shown;
  tables: OpenTables;
  odd: OddThings;
}

/** Every submitted set of listings, by event, in time order. */
export type Shown = Map<number, ListingSet[]>;

/** What was damaged. */
export interface StormDamage {
  isDamaged: boolean;
  /** Damaged alerts as they were. */
  alerts: RaisedAlert[];
}

export async function storm(storm: Storm): Promise<StormDamage> {
  const { world, scenario, market, seed, log, shown } = storm;
  const chaos = new Chaos(world, seed, log);
  const dice = new Dice(seed, 'rounds');
  const damageDice = new Dice(seed, 'damage');
  const damaged: StormDamage = { isDamaged: false, alerts: [] };
  world.links.setFaulty(true);
  for (let round = 1; round <= scenario.rounds; round += 1) {
    log.note(`round ${round}`);
    const struck = chaos.round();
    for (const _damage of scenario.damages.filter((at) => at === round)) {
      const done = await damage(storm, damageDice);
      if (done) damaged.isDamaged = true;
      if (done?.alert) damaged.alerts.push(done.alert);
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
  return damaged;
}

/** Retries while DynamoDB is down. */
async function damage({ tables, odd, log }: Storm, dice: Dice): Promise<Damage | undefined> {
  const { client, tables: names } = tables;
  const done = await untilTaken(() => damageOne({ client, tables: names, dice }, odd));
  if (!done) return undefined;
  log.fault('damaged_item', done.entity);
  log.note(`${done.entity}.${done.field}: ${done.change}`);
  return done;
}

/** Moves the events of this round to another day. */
async function postpone(
  world: World,
  { events, postponements, lateEventId }: Scenario,
  round: number,
  log: RunLog,
): Promise<void> {
  for (const { eventId, daysAhead } of postponements.filter((moved) => moved.round === round)) {
    const event = events.find((known) => known.eventId === eventId);
    if (!event || eventId === lateEventId) continue;
    log.fault('postponement', String(eventId));
    const moved = catalogEntry(event, daysFrom(world.marketNow(), daysAhead));
    await handIn(() => world.marketplace, { events: [moved], listing_sets: [] });
  }
}

/** Submits a refresh of most events, sometimes two. The first one makes the events known. */
export async function showMarket(
  world: World,
  { events, lateEventId }: Scenario,
  { dice, step, shown }: { dice: Dice; step: number; shown: Shown },
): Promise<void> {
  for (const event of events) {
    if (step === 0) {
      const now = world.marketNow();
      const startsAt = event.eventId === lateEventId ? now + lateMs : daysFrom(now, 60);
      const entry = catalogEntry(event, startsAt);
      await handIn(() => world.marketplace, { events: [entry], listing_sets: [] });
    }
    const refreshes = step === 0 ? 1 : dice.pick([0, 1, 1, 1, 1, 2]);
    for (let refresh = 0; refresh < refreshes; refresh += 1) {
      await refreshEvent(world, shown, event, rollListings(dice, event, step));
    }
  }
}

/** Submits the last set of every event again: no price changes, and what was lost before is made up for. */
export async function showAgain(world: World, shown: Shown): Promise<void> {
  for (const [eventId, sets] of shown) {
    const last = sets.at(-1);
    if (last) await refreshEvent(world, shown, { eventId }, last.listings);
  }
}

/** Submits one set of listings, and keeps it for the oracle. */
export async function refreshEvent(
  world: World,
  shown: Shown,
  { eventId }: Pick<MarketEvent, 'eventId'>,
  listings: ListingSet['listings'],
): Promise<void> {
  const sets = shown.get(eventId) ?? [];
  shown.set(eventId, sets);
  const observedAt = Math.max(world.marketNow(), (sets.at(-1)?.observedAt ?? 0) + 1);
  sets.push({ observedAt, listings });
  const observed_at = new Date(observedAt).toISOString();
  await handIn(() => world.marketplace, {
    events: [],
    listing_sets: [{ event_id: eventId, observed_at, listings: [...listings] }],
  });
}
