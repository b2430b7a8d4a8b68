// Postpones an event after it has begun, as rain does: the run passes its start, its date is moved, and
// when the product knows the new date, prices change again. The judge expects alerts as for any other event.
import type { Dice } from './dice.ts';
import type { OpenTables } from './product.ts';
import type { RunLog } from './run-log.ts';
import { jump, runOut } from './run-out.ts';
import { catalogEntry, daysFrom, rollListings } from './scenario/market.ts';
import { handIn } from './scenario/marketplace-records.ts';
import type { Scenario } from './scenario/scenario.ts';
import { refreshEvent, type Shown } from './storm.ts';
import type { World } from './world.ts';

export interface PutOff {
  world: World;
  scenario: Scenario;
  tables: OpenTables;
  market: Dice;
  log: RunLog;
  shown: Shown;
}

const hourMs = 3_600_000;
/** After the start, and after the longest duration of an event. */
const hoursPast = 14;
/** The catalog is read once a day: after this time the product must know the new date. */
const mostHours = 30;
/** Functions that still run after this many machine milliseconds are killed. */
const stepMs = 60_000;

/** @throws Error when the product does not learn of the new date within a day */
export async function putOffTheLateEvent(run: PutOff): Promise<void> {
  const { world, scenario, market, log, shown } = run;
  const event = scenario.events.find(({ eventId }) => eventId === scenario.lateEventId);
  if (!event) return;
  for (let hour = 0; hour < hoursPast; hour += 1) await pass(run, hourMs);
  const startsAt = daysFrom(world.marketNow(), 5);
  log.fault('postponement', `${event.eventId}, which has begun`);
  const entry = catalogEntry(event, startsAt);
  await handIn(() => world.marketplace, { events: [entry], listing_sets: [] });
  await untilKnown(run, event.eventId);
  for (const step of [1, 2, 3]) {
    await refreshEvent(world, shown, event, rollListings(market, event, step));
    await pass(run, 2 * 60_000);
  }
}

async function untilKnown(run: PutOff, eventId: number): Promise<void> {
  const { world, tables } = run;
  for (let hour = 0; hour < mostHours; hour += 1) {
    await pass(run, hourMs);
    const facts = await tables.stores.eventFacts.find(eventId);
    if ((facts?.startsAt ?? 0) > world.marketNow()) return;
  }
  throw new Error(`Event ${eventId} was put off, and its new date is not known after a day.`);
}

async function pass({ world, log }: PutOff, ms: number): Promise<void> {
  await jump(world, log, ms);
  await runOut(world, log, stepMs);
}
