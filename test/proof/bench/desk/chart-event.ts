// An event with 90 days of prices, one snapshot each half hour, as polls have stored them: what the bench draws.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { type Api, levelRule, startMs, statsAt, watchBody } from '#test/support/api.ts';
import { storePolled } from '#test/support/polled-event.ts';

const halfHourMs = 1_800_000;
const perDay = 48;
export const chartDays = 90;

/** A wandering price in dollars, so that no two neighbouring times have the same one. */
const priceAt = (n: number): number =>
  Math.round((160 + 30 * Math.sin(n / 170) + 8 * Math.sin(n / 7) + (n % 5)) * 4) / 4;

function snapshotAt(eventId: number, back: number): MarketSnapshot {
  const price = priceAt(back);
  const zones = { Courtside: price * 9, 'Lower Bowl': price * 1.4, 'Upper Bowl': price };
  return { ...statsAt(startMs - back * halfHourMs, price, zones), eventId };
}

/** Stores the event with a watch of Ann on it. */
export async function storeChartEvent(api: Api, eventId: number): Promise<void> {
  await api.stores.eventFacts.keep({
    ...{ eventId, name: 'Cavaliers at Knicks', date: '2026-05-02', time: '19:30', updatedAt: 1 },
    ...{ venueName: 'Madison Square Garden', venueCity: 'New York' },
  });
  for (let day = chartDays; day > 0; day -= 1) {
    const found = Array.from({ length: perDay }, (_, n) =>
      snapshotAt(eventId, day * perDay - 1 - n),
    );
    await storePolled(api.stores, found);
  }
  const body = watchBody(api, { event_id: eventId, rules: [levelRule(120)] });
  const { status, text } = await api.call('/v1/watches', { body });
  if (status !== 201) throw new Error(text);
}
