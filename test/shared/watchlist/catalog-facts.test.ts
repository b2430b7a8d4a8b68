// What is kept of a catalog row: everything but the fields that can't be read.
import { describe, expect, it } from 'vitest';
import type { EventJson } from '#shared/marketplace/contract.ts';
import { factsOf } from '#shared/watchlist/catalog-facts.ts';

const atNets: EventJson = {
  ...{
    event_id: 4711,
    event_name: 'Knicks at Nets',
    event_date: '2026-03-01',
    event_time: '19:30',
  },
  ...{ venue_name: 'Barclays Center', venue_city: 'Brooklyn', venue_state: 'NY' },
  ...{ venue_lat: 40.68, venue_lng: -73.97, days_on_service: 1, first_seen_date: '2026-02-28' },
};
const facts = (row: object) => factsOf({ ...atNets, ...row }, 1_000);

describe('the facts of a catalog row', () => {
  it('have its start where its date, time and place are known', () => {
    expect(facts({})).toMatchObject({
      date: '2026-03-01',
      time: '19:30',
      startsAt: Date.parse('2026-03-02T00:30:00Z'),
    });
  });

  it.each([
    ...['24:00', '99:99', '19:60', '--', '', '1930', 'T19', '19:30:60', '19:30+02:00'],
    ...['2026-03-02T19:30', '19:30[America/New_York]', '19:30:00.5'],
  ])('have no time where it says %j', (event_time) => {
    const { time, startsAt, name, date } = facts({ event_time });
    expect({ time, startsAt, name, date }).toEqual({
      time: undefined,
      startsAt: undefined,
      name: 'Knicks at Nets',
      date: '2026-03-01',
    });
  });

  it.each([
    ...['2026-02-30', '2026-13-01', '0000-00-00', 'soon', '20260301', '2026-03-01T19:30'],
    ...['+012026-03-01', '-271821-04-20', '1970-01-01', '2026-03-01[u-ca=iso8601]'],
  ])('have no date where it says %j', (event_date) => {
    const { date, startsAt, time } = facts({ event_date });
    expect({ date, startsAt, time }).toEqual({
      date: undefined,
      startsAt: undefined,
      time: '19:30',
    });
  });

  it.each([
    [{ venue_lat: 91, venue_lng: 0 }],
    [{ venue_lat: 0, venue_lng: 1e300 }],
    [{ venue_lat: null, venue_lng: 5 }],
  ])('have no time zone at %j', (where) => {
    expect(facts(where).timeZone).toBeUndefined();
  });

  it('have names that a table can keep', () => {
    const { name, venueName } = facts({ event_name: 'A\ud83d', venue_name: 'x'.repeat(5_000) });
    expect({ name, venueName: venueName?.length }).toEqual({ name: 'A\ufffd', venueName: 1_000 });
  });

  it('have its id at Ticketmaster', () => {
    expect(facts({ tm_event_id: 'G5vYZ9-Crkz_1h' }).tmEventId).toBe('G5vYZ9-Crkz_1h');
  });

  it.each(['', '..', 'a/b', 'a b', 'x'.repeat(65), null])(
    'have no such id where it says %j',
    (tm_event_id) => expect(facts({ tm_event_id }).tmEventId).toBeUndefined(),
  );
});
