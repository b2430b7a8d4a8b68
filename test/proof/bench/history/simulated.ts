// The simulator's history as a client reads it from the stats endpoint: the last price per day.
import * as z from 'zod';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { createSimulator } from '#marketplace/simulator/simulator.ts';
import type { PriceOfDay } from './changes.ts';

const start = Date.parse('2026-11-27T12:00:00Z');
const midnight = Date.parse('2026-11-27T00:00:00Z');
const historyDays = 90;

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() });
const eventSchema = z.object({ event_id: z.number(), event_date: z.string() });
const snapshotSchema = z.object({
  timestamp: z.string(),
  zones: z.array(z.object({ zone_name: z.string(), avg_price: z.number() })),
});

/** Starts a market with this many events and reads every event's whole history. */
export async function simulatedPrices(events: number): Promise<PriceOfDay[]> {
  const clock = { now: start };
  // Virtual time advances a minute per call, so that no rate limit applies.
  const real = () => {
    clock.now += 60_000;
    return clock.now;
  };
  const market = createMarketplace({ clocks: { real, market: () => start } });
  const options = { seed: 1, events, firstDay: midnight, refreshSeconds: 3_600, historyDays };
  createSimulator(market.ingest, options, () => undefined).begin(start);

  async function readAll<Item extends z.ZodType>(path: string, item: Item) {
    const rows: z.infer<Item>[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&starting_after=${cursor}`;
      const headers = { 'api-key': market.keys.flat };
      const answer = await market.request(`${path}?limit=200${query}`, { headers });
      const page: z.infer<ReturnType<typeof pageOf<Item>>> = pageOf(item).parse(
        await answer.json(),
      ) as never;
      rows.push(...page.data);
      cursor = page.has_more ? page.next_cursor : null;
    } while (cursor !== null);
    return rows;
  }

  const found: PriceOfDay[] = [];
  for (const event of await readAll('/v1/events/search', eventSchema)) {
    const snapshots = await readAll(`/v1/events/${event.event_id}/stats`, snapshotSchema);
    found.push(...snapshots.flatMap((snapshot) => pricesOf(event, snapshot)));
  }
  return found;
}

/** Later snapshots of a day replace the earlier ones in `dailyChanges`. */
function pricesOf(
  event: z.infer<typeof eventSchema>,
  { timestamp, zones }: z.infer<typeof snapshotSchema>,
): PriceOfDay[] {
  return zones
    .filter(({ avg_price }) => avg_price > 0)
    .map(({ zone_name, avg_price }) => ({
      series: `${event.event_id}/${zone_name}`,
      eventDate: event.event_date.slice(0, 10),
      day: timestamp.slice(0, 10),
      price: avg_price,
    }));
}
