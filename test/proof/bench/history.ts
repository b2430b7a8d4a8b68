/**
 * The simulator's 90 days of history beside 1,050 recorded games: how a zone's mean price changes from
 * one day to the next, by days left until the event, and by weekday.
 *
 *   node test/proof/bench/history.ts [--quick]
 *
 * The recording is ../shared/data beside the checkout; without it the program says "skipped". The
 * simulated prices are read from the stats endpoint. --quick simulates a quarter of the events.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { dailyChanges, type PriceOfDay, summarize, weekdayRange } from './history/changes.ts';
import { simulatedPrices } from './history/simulated.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const recording = new URL('../../../../shared/data/resale-nba-2014.csv', import.meta.url);

const rowSchema = z.object({
  sh_event_id: z.string(),
  event_date: z.iso.date(),
  observed_on: z.iso.date(),
  zone: z.string(),
  avg_price: z.coerce.number().positive(),
});

function recordedPrices(): PriceOfDay[] {
  const rows = z.array(rowSchema).parse(parse(readFileSync(recording, 'utf8'), { columns: true }));
  return rows.map((row) => ({
    series: `${row.sh_event_id}/${row.zone}`,
    eventDate: row.event_date,
    day: row.observed_on,
    price: row.avg_price,
  }));
}

if (!existsSync(recording)) {
  console.log(`skipped: the recorded prices are not there: ${recording.pathname}`);
  console.log(JSON.stringify({ bench: 'history', skipped: true }));
} else {
  const changes = {
    recorded: dailyChanges(recordedPrices()),
    simulated: dailyChanges(await simulatedPrices(values.quick ? 100 : 400)),
  };
  const buckets = {
    recorded: summarize(changes.recorded),
    simulated: summarize(changes.simulated),
  };
  const weekdays = {
    recorded: weekdayRange(changes.recorded),
    simulated: weekdayRange(changes.simulated),
  };
  for (const name of ['recorded', 'simulated'] as const) {
    console.log(`\n${name}: percent a day, by days left`);
    console.table(buckets[name]);
    console.log(`weekdays, away from the last week: ${JSON.stringify(weekdays[name])}`);
  }
  console.log(JSON.stringify({ bench: 'history', ...buckets, weekdays }));
}
