/** The data of the marketplace in the conformance checks. */

const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60_000;

function dateAfter(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}

function anEvent(id: number, name: string, days: number) {
  return {
    event_id: id,
    sh_event_id: 159_000_000 + id,
    vs_event_id: 5_200_000 + id,
    event_name: name,
    event_date: dateAfter(days),
    event_time: '19:30',
    tm_event_id: `TM${id}`,
    std_event_id: 4000 + id,
    venue: {
      std_venue_id: 7,
      venue_name: 'The Garden',
      venue_city: 'New York',
      venue_state: 'NY',
      venue_state_name: 'New York',
      venue_slug: 'garden',
    },
  };
}

function listing(id: number | string, over: object = {}) {
  return {
    listing_id: id,
    zone: 'Lower Bowl',
    section: '101',
    row: '3',
    quantity: 2,
    price: 80,
    ...over,
  };
}

/**
 * Seven future events and a past one. Event 1 has 25 snapshots, 10 `sh` and 3 `vs` sales; events 3
 * to 7 have one sale each, event 2 has none.
 */
export function observations() {
  const first = Date.now() - 60 * minuteMs;
  const at = (minutes: number) => new Date(first + minutes * minuteMs).toISOString();
  const seats = Array.from({ length: 12 }, (_, i) => listing(13_000_000_001 + i));
  const club = listing(13_000_000_099, { zone: 'Club', section: '201', price: 190 });
  const vs = Array.from({ length: 4 }, (_, i) =>
    listing(`VB-${i}`, { zone: '', section: 'Lower Bowl 101', row: String(i) }),
  );
  const shSets = Array.from({ length: 25 }, (_, i) => ({
    event_id: 1,
    observed_at: at(i),
    listings: [...(i < 24 ? seats : seats.slice(10)), club],
  }));
  const vsSets = [4, 3, 2, 1].map((left, i) => ({
    event_id: 1,
    source: 'vs',
    observed_at: at(2 * i),
    listings: vs.slice(0, left),
  }));
  const sales = seats.slice(0, 10).map((seat, i) => ({
    event_id: 1,
    listing_id: seat.listing_id,
    sold_at: at(i),
  }));
  const others = [3, 4, 5, 6, 7];
  return {
    events: [
      anEvent(1, 'Celtics at Knicks', 20),
      ...[2, 3, 4, 5, 6, 7].map((id) => anEvent(id, `Show ${id}`, 20 + id)),
      anEvent(8, 'A past show', -10),
    ],
    listing_sets: [
      ...shSets,
      ...vsSets,
      ...others.map((id) => ({ event_id: id, observed_at: at(0), listings: [listing(id)] })),
    ],
    sales: [...sales, ...others.map((id) => ({ event_id: id, listing_id: id, sold_at: at(1) }))],
  };
}
