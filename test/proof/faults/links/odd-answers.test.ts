// Tests what the links add to the marketplace's answers: odd values that its contract allows.
import { describe, expect, it } from 'vitest';
import { listingsPageSchema, statsPageSchema } from '#shared/marketplace/contract.ts';
import { Dice } from '../dice.ts';
import type { Answer, Request } from './exchange.ts';
import { canBeOdd, isOddZone, makeOdd, notFoundAnswer, PassedStats } from './odd-answers.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const dice = new Dice(1, 'test');
const get = (path: string): Request => ({
  method: 'GET',
  path,
  headers: {},
  body: Buffer.alloc(0),
});
const answerOf = (body: unknown): Answer => ({
  ...{ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
});
const bodyOf = ({ body }: Answer): unknown => JSON.parse(body.toString());

const stats = get('/v1/events/7001/stats?limit=10');
const listings = get('/v1/events/7001/listings');
const paging = { has_more: false, next_cursor: null };
const prices = { get_in: 80, get_in_qty2plus: 0, avg_price: 90, median_price: 85 };
const statsPage = {
  event_id: 7_001,
  data: [
    {
      timestamp: '2026-03-01T11:59:00.000Z',
      ...{ total_listings_all: 3, total_listings_active: 3, listing_fill_rate: 0 },
      ...prices,
      zones: [{ zone_name: 'Floor', ...prices }],
    },
  ],
  ...paging,
};
const listingsPage = {
  ...{ event_id: 7_001, service_event_id: 7_001, sh_event_id: 9_007_001, vs_event_id: null },
  data: [
    {
      ...{ listing_id: 1_000, active: true, zone: 'Floor', section: '101', row: 'A' },
      ...{ quantity_start: 2, quantity: 2, price: 80 },
      created_at: '2026-03-01T11:00:00.000Z',
      updated_at: '2026-03-01T11:00:00.000Z',
    },
  ],
  ...paging,
};

describe('odd answers', () => {
  it('keep to the contract and hold every true row', () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const oddStats = makeOdd('odd_rows', stats, answerOf(statsPage), {
        dice,
        now,
        hasNews: true,
      });
      const oddListings = makeOdd('odd_rows', listings, answerOf(listingsPage), {
        dice,
        now,
        hasNews: true,
      });

      const { data } = statsPageSchema.parse(bodyOf(oddStats));
      expect(data.map(({ get_in }) => get_in)).toEqual([80, 80]);
      const own = data[0]?.zones.filter(({ zone_name }) => !isOddZone(zone_name));
      expect(own).toEqual(statsPage.data[0]?.zones);
      expect(listingsPageSchema.parse(bodyOf(oddListings)).data).toContainEqual(
        listingsPage.data[0],
      );
    }
  });

  it('add one row of the future', () => {
    const odd = makeOdd('future_stamp', stats, answerOf(statsPage), { dice, now, hasNews: true });
    const { data } = statsPageSchema.parse(bodyOf(odd));

    expect(data).toHaveLength(2);
    expect(Date.parse(data[1]?.timestamp ?? '')).toBeGreaterThan(now + 3_600_000);
  });

  it('make no news of an answer without any, and touch no refusal', () => {
    const empty = answerOf({ ...statsPage, data: [] });
    const refusal = { ...answerOf({ error: 'no' }), status: 500 };

    expect(makeOdd('odd_rows', stats, empty, { dice, now, hasNews: true })).toBe(empty);
    expect(makeOdd('future_stamp', stats, refusal, { dice, now, hasNews: true })).toBe(refusal);
  });

  it('add no row of the future to an answer that brings nothing new', () => {
    const passed = new PassedStats();
    const answer = answerOf(statsPage);

    expect([passed.note(stats, answer), passed.note(stats, answer)]).toEqual([true, false]);
    expect(makeOdd('future_stamp', stats, answer, { dice, now, hasNews: false })).toBe(answer);
  });

  it('add an event that no watch has to the catalog, and keep the rest as it was', () => {
    const csv = 'event_id,event_name,event_date,event_time\r\n7001,Game,2026-05-01,19:30\r\n';
    const path = get('/v0.5/daily-csv/download');
    const odd = makeOdd(
      'odd_rows',
      path,
      { ...answerOf({}), body: Buffer.from(csv) },
      { dice, now, hasNews: true },
    );
    const lines = odd.body.toString().split('\r\n');

    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^99000001,/);
    expect(lines[2]).toBe('7001,Game,2026-05-01,19:30');
  });

  it('strike calls of one event, and the catalog with rows alone', () => {
    expect(canBeOdd('not_found', stats)).toBe(true);
    expect(canBeOdd('not_found', get('/v1/account'))).toBe(false);
    expect(canBeOdd('not_found', get('/v0.5/daily-csv/download'))).toBe(false);
    expect(notFoundAnswer(now)).toMatchObject({
      status: 404,
      headers: { date: 'Sun, 01 Mar 2026 12:00:00 GMT' },
    });
  });
});
