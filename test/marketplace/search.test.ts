import { describe, expect, it } from 'vitest';
import { legacySearchAnswerSchema, searchPageSchema } from '#shared/marketplace/contract.ts';
import { anEvent, dayMs, openMarket, venue } from './support/market.ts';

const generous = { events_search: { limit: 1000, window_seconds: 60 } };

const toronto = {
  ...venue,
  std_venue_id: 702,
  venue_name: 'Scotiabank Arena',
  venue_city: 'Toronto',
  venue_state: 'ON',
  venue_state_name: 'Ontario',
  venue_country_code: 'CA',
  venue_country: 'Canada',
  venue_slug: 'scotiabank-arena',
};

function marketWithCatalog() {
  const market = openMarket({ rateLimits: generous });
  market.ingest.accept({
    events: [
      anEvent(1, {
        event_name: 'Boston Celtics at New York Knicks',
        alternate_names: ['Knicks vs Celtics'],
        event_date: '2026-12-24',
        tm_event_id: 'G5vA',
        std_event_id: 4001,
      }),
      anEvent(2, {
        event_name: 'Café Tacvba 100% "Live"',
        event_date: '2027-01-05',
        std_event_id: 4002,
        venue: toronto,
        raw_venue_name: 'Air Canada Centre',
        raw_venue_state: 'Ont.',
      }),
      anEvent(3, { event_name: 'Old Game', event_date: '2026-11-26', std_event_id: 4001 }),
      anEvent(4, { event_name: 'Tonight', event_date: '2026-11-27', event_time: '08:00' }),
    ],
  });
  return market;
}

async function idsFor(query: string): Promise<number[]> {
  const { status, json, text } = await marketWithCatalog().get(`/v1/events/search?${query}`);
  if (status !== 200) throw new Error(text);
  expect(searchPageSchema.safeParse(json).error).toBeUndefined();
  return json.data.map((event: { event_id: number }) => event.event_id);
}

describe('GET /v1/events/search', () => {
  it.each([
    ['nothing given: future events by date', '', [4, 1, 2]],
    ['partial name, any case', 'event_name=KNICK', [1]],
    ['alternate name', 'event_name=knicks%20vs%20celtics', [1]],
    ['two letters', 'event_name=on', [4, 1]],
    ['an accent, any case', 'event_name=CAFÉ', [2]],
    ['a quote', 'event_name=%22live', [2]],
    ['a percent sign is itself', 'event_name=0%25', [2]],
    ['an underscore is itself', 'event_name=_', []],
    ['words of the index language are text', 'event_name=a%20OR%20b', []],
    ['a year and month', 'event_date=2026-12', [1]],
    ['a whole date', 'event_date=2027-01-05', [2]],
    ['venue name', 'venue_name=square', [4, 1]],
    ['standardized venue name, not the raw one', 'venue_name=air%20canada', []],
    ['venue city', 'venue_city=toron', [2]],
    ['state by two letters', 'venue_state=on', [2]],
    ['state by its full name', 'venue_state=new%20york', [4, 1]],
    ['state by a part', 'venue_state=ontar', [2]],
    ['country code, exact', 'country_code=CA', [2]],
    ['country code, exact', 'country_code=C', []],
    ['tm_event_id, exact', 'tm_event_id=G5vA', [1]],
    ['tm_event_id, exact', 'tm_event_id=G5v', []],
    ['std_event_id', 'std_event_id=4001', [1]],
    ['std_venue_id', 'std_venue_id=702', [2]],
    ['venue_slug, exact', 'venue_slug=scotiabank-arena', [2]],
    ['venue_slug, exact', 'venue_slug=scotiabank', []],
    ['historical includes the past', 'historical=true', [3, 4, 1, 2]],
    ['historical=false is the default', 'historical=false', [4, 1, 2]],
    ['several fields all hold', 'event_name=knicks&venue_city=toronto', []],
  ])('%s: %s', async (_, query, ids) => {
    expect(await idsFor(query)).toEqual(ids);
  });

  it('the item has the fields of api.md, in its order, and metadata only', async () => {
    const market = marketWithCatalog();
    market.pass(3 * dayMs);
    const { json } = await market.get('/v1/events/search?std_event_id=4001');
    expect(json.data[0]).toEqual({
      event_id: 1,
      event_name: 'Boston Celtics at New York Knicks',
      event_date: '2026-12-24',
      event_time: '19:30',
      tm_event_id: 'G5vA',
      days_on_service: 3,
      first_seen_date: '2026-11-27',
      venue_name: 'Madison Square Garden',
      venue_city: 'New York',
      venue_state: 'NY',
      venue_country_code: 'US',
      venue_country: 'United States',
      venue_lat: 40.75,
      venue_lng: -73.99,
      venue_slug: 'madison-square-garden',
      venue_tm_id: 'KovZ1',
      std_event_id: 4001,
      std_venue_id: 701,
      performer: '',
      event_type: '',
      tour_name: '',
    });
  });

  it('pages are stable while events are added', async () => {
    const market = marketWithCatalog();
    const first = (await market.get('/v1/events/search?limit=2')).json;
    market.ingest.accept({
      events: [anEvent(5, { event_date: '2026-12-01' }), anEvent(6, { event_date: '2027-02-01' })],
    });
    const second = (
      await market.get(`/v1/events/search?limit=2&starting_after=${first.next_cursor}`)
    ).json;
    expect(first.data.map((event: { event_id: number }) => event.event_id)).toEqual([4, 1]);
    expect(second.data.map((event: { event_id: number }) => event.event_id)).toEqual([2, 6]);
  });

  it('a renamed venue is found under its new name at all its events', async () => {
    const market = marketWithCatalog();
    market.ingest.accept({
      events: [anEvent(9, { venue: { ...venue, venue_name: 'The Garden' } })],
    });
    const { json } = await market.get('/v1/events/search?venue_name=the%20garden');
    expect(json.data.map((event: { event_id: number }) => event.event_id)).toEqual([4, 1, 9]);
    expect((await market.get('/v1/events/search?venue_name=madison')).json.data).toEqual([]);
  });
});

describe('POST /v0.3.1/events/search', () => {
  const search = async (body: Record<string, unknown>) => {
    const { status, json } = await marketWithCatalog().post('/v0.3.1/events/search', body);
    expect(status).toBe(200);
    expect(legacySearchAnswerSchema.safeParse(json).error).toBeUndefined();
    return json[0];
  };

  it.each([
    ['nothing given', {}, [4, 1, 2]],
    ['case-insensitive partial name', { event_name: 'kNiCk' }, [1]],
    ['a year', { event_date: '2027' }, [2]],
    ['historical: events before the current date only', { historical: true }, [3]],
    ['venue_name holds the raw value', { venue_name: 'air canada' }, [2]],
    ['venue_state', { venue_state: 'ON' }, [2]],
    ['the venue_state that it printed itself', { venue_state: 'Ont.' }, [2]],
    ['a part of a state’s name', { venue_state: 'tAr' }, [2]],
    ['two letters inside a state’s name', { venue_state: 'ew' }, [4, 1]],
    ['two letters of a name, whatever their case', { event_name: 'FÉ' }, [2]],
    ['a field that is not named is ignored', { colour: 'red', venue_city: 'tor' }, [2]],
  ])('%s', async (_, body, ids) => {
    const result = await search(body);
    expect(result.items.map((event: { event_id: number }) => event.event_id)).toEqual(ids);
    expect(result).toMatchObject({ result_total: ids.length, errors: false });
  });

  it("items have six fields, with the marketplace's own spelling", async () => {
    expect((await search({ event_date: '2027' })).items).toEqual([
      {
        event_id: 2,
        event_name: 'Café Tacvba 100% "Live"',
        event_date: '2027-01-05',
        venue_name: 'Air Canada Centre',
        venue_city: 'Toronto',
        venue_state: 'Ont.',
      },
    ]);
  });

  it('returns and counts all matching events', async () => {
    const market = openMarket();
    const events = Array.from({ length: 1_100 }, (_, i) => anEvent(100 + i));
    market.ingest.accept({ events });
    const [result] = (await market.post('/v0.3.1/events/search', { event_name: 'Event' })).json;
    expect(result.result_total).toBe(1_101);
    expect(result.items).toHaveLength(1_101);
  });

  it.each(['Кино', '東京', 'Ωμέγα', 'שלום', 'knicks 東'])(
    'non-Western %s finds nothing',
    async (event_name) => {
      expect(await search({ event_name })).toEqual({ result_total: 0, items: [], errors: false });
    },
  );

  it.each(['nope', '[]', '{"event_name":5}'])(
    'a malformed body is a plain-text 400: %s',
    async (body) => {
      const reply = await openMarket().ask('/v0.3.1/events/search', { method: 'POST', body });
      expect(reply.status).toBe(400);
      expect(reply.headers.get('content-type')).toMatch('text/plain');
    },
  );

  it('an event whose venue is not normalized is found and served under its raw name', async () => {
    const market = openMarket();
    market.ingest.accept({
      events: [
        anEvent(5, { venue: null, raw_venue_name: 'The Old Barn', raw_venue_city: 'Utica' }),
        anEvent(6, { venue: null, raw_venue_name: 'Barn 2', raw_venue_state: 'NY' }),
      ],
    });
    const { json } = await market.get('/v1/events/search?venue_name=old%20barn');
    expect(json.data).toMatchObject([
      { event_id: 5, venue_name: 'The Old Barn', venue_city: 'Utica', std_venue_id: 0 },
    ]);
    expect((await market.get('/v1/events/search?std_venue_id=-5')).json.data ?? []).toEqual([]);
    market.ingest.accept({ events: [anEvent(5)] });
    const { json: normalized } = await market.get('/v1/events/search?venue_name=square');
    expect(normalized.data.map((event: { event_id: number }) => event.event_id)).toContain(5);
    const { json: gone } = await market.get('/v1/events/search?venue_name=old%20barn');
    expect(gone.data).toEqual([]);
  });
});
