import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as contract from '#shared/marketplace/contract.ts';

const SH_SALE = {
  timestamp: 1_757_000_000,
  quantity: 0,
  price: 80,
  zone: 'Lower',
  section: '101',
  row: 'A',
  listing_id: 13_000_000_001,
  source: 'sh',
  all_in_price: null,
};
const VS_SALE = {
  ...SH_SALE,
  zone: '',
  listing_id: 'v-81x',
  source: 'vs',
  all_in_price: 95.5,
  norm_zone: '',
  norm_section: '',
};

describe('a query parameter', () => {
  it.each([
    ['sales', contract.salesQuerySchema, 200],
    ['listings', contract.listingsQuerySchema, 1000],
    ['stats', contract.statsQuerySchema, 200],
    ['search', contract.searchQuerySchema, 200],
  ])('limit of %s goes from 1 to its maximum', (_, schema, max) => {
    const parse = (limit: string) => schema.safeParse({ limit });
    expect(parse('1').data?.limit).toBe(1);
    expect(parse(String(max)).data?.limit).toBe(max);
    for (const bad of ['0', String(max + 1), '-1', '1.5', '', ' 1', '1e2', 'ten']) {
      expect(parse(bad).error?.issues[0]?.path).toEqual(['limit']);
    }
  });

  it.each(['true', 'false', ''])('active may be %j', (active) => {
    expect(contract.listingsQuerySchema.safeParse({ active }).success).toBe(true);
  });

  it.each(['True', '1', 'yes'])('active may not be %j', (active) => {
    expect(contract.listingsQuerySchema.safeParse({ active }).success).toBe(false);
  });

  it.each([
    '2026-10-21',
    '2026-10-21T10:00:00Z',
    '2026-10-21T10:00:00+02:00',
    '2026-10-21T10:00:00',
  ])('start_date may be %s', (start_date) => {
    expect(contract.statsQuerySchema.safeParse({ start_date }).success).toBe(true);
  });

  it.each(['2026-13-01', '21.10.2026', '2026', 'now'])('start_date may not be %s', (start_date) => {
    expect(contract.statsQuerySchema.safeParse({ start_date }).success).toBe(false);
  });

  it.each([
    [{ event_id: '7' }, true],
    [{ event_id_sh: '7' }, true],
    [{}, false],
    [{ event_id: '7', event_id_sh: '8' }, false],
    [{ event_id: 'seven' }, false],
  ])('of v0.x %j names one event: %s', (query, isValid) => {
    expect(contract.legacyEventQuerySchema.safeParse(query).success).toBe(isValid);
  });
});

describe('a batch body', () => {
  it('drops repeats per list, after reading digits as ids', () => {
    const body = { event_ids: [7, '7', 8], event_ids_sh: ['9'] };
    expect(contract.salesBatchBodySchema.parse(body)).toEqual({
      event_ids: [7, 8],
      event_ids_sh: [9],
    });
  });

  it.each([[[true]], [[1.5]], [['1.0']], [['٣']], [[null]], ['7'], [7]])(
    'may not hold %j',
    (event_ids) => {
      expect(contract.salesBatchBodySchema.safeParse({ event_ids }).success).toBe(false);
    },
  );
});

describe('a sales row', () => {
  it.each([
    ['sh', SH_SALE],
    ['vs', VS_SALE],
  ])('of %s has the shape of its source', (_, row) => {
    expect(contract.saleSchema.parse(row)).toEqual(row);
  });

  it.each([
    ['an sh row with a string id', { ...SH_SALE, listing_id: '13' }],
    ['an sh row with fees', { ...SH_SALE, all_in_price: 90 }],
    ['a vs row with a number id', { ...VS_SALE, listing_id: 13 }],
    ['a vs row without norm_zone', { ...VS_SALE, norm_zone: undefined }],
    ['a row of a third source', { ...SH_SALE, source: 'xx' }],
  ])('is not %s', (_, row) => {
    expect(contract.saleSchema.safeParse(row).success).toBe(false);
  });
});

it('has the columns of the daily CSV in the order of the search item', () => {
  expect(contract.DAILY_CSV_COLUMNS).toEqual([
    'event_id',
    'event_name',
    'event_date',
    'event_time',
    'tm_event_id',
    'days_on_service',
    'first_seen_date',
    'venue_name',
    'venue_city',
    'venue_state',
    'venue_country_code',
    'venue_country',
    'venue_lat',
    'venue_lng',
    'venue_slug',
    'venue_tm_id',
    'std_event_id',
    'std_venue_id',
    'performer',
    'event_type',
    'tour_name',
  ]);
});

it('can be written as JSON schema, each named shape once', () => {
  const schemas = Object.values(contract).filter((value) => value instanceof z.ZodType);
  const ids = schemas.map((schema) => schema.meta()?.id).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(ids.length);
  for (const schema of schemas) expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow();
});
