// One event: its newest numbers and its history, from what is stored.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, eventId, startApi, startMs, statsAt } from '#test/support/api.ts';
import { storePolled } from '#test/support/polled-event.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

describe('GET /v1/events/{event_id}', () => {
  it('shows what is known and the newest snapshot', async () => {
    await api.stores.eventFacts.keep({ eventId, name: 'Finals', date: '2026-06-04', updatedAt: 1 });
    await api.stores.snapshots.createAll(
      [statsAt(startMs - 60_000, 90), statsAt(startMs, 85.5, { Court: 85.5 })],
      startMs,
    );
    const { status, body } = await api.call(`/v1/events/${eventId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      event_id: 4711,
      event_name: 'Finals',
      event_date: '2026-06-04',
      latest: {
        observed_at: '2026-03-01T12:00:00.000Z',
        metrics: { get_in: 85.5, total_listings_active: 50, listing_fill_rate: 40 },
        zones: { Court: { get_in: 85.5 } },
      },
    });
  });

  it('says when we looked, how often today, and what that cost', async () => {
    const looked = statsAt(startMs - 60_000, 90);
    const startsAt = Date.parse('2026-03-01T00:00:00Z');
    await storePolled(api.stores, [looked], { dayCount: { startsAt, looks: 31, pulls: 6 } });
    const polling = async () => (await api.call(`/v1/events/${eventId}`)).body.polling;
    expect(await polling()).toEqual({
      ...{ looked_at: '2026-03-01T11:59:00.000Z', looks_today: 31, pulls_today: 6 },
    });
    api.clock.now += 86_400_000;
    expect(await polling()).toMatchObject({ looks_today: 0, pulls_today: 0 });
  });

  it.each(['12', '0', 'abc', '9'.repeat(30), '1e3'])('answers 404 for %s', async (id) => {
    expect((await api.call(`/v1/events/${id}`)).status).toBe(404);
  });
});

describe('GET /v1/events/{event_id}/history', () => {
  beforeEach(async () => {
    await api.stores.snapshots.createAll(
      [100, 90, null, 80, 70].map((price, index) =>
        statsAt(startMs - (5 - index) * 60_000, price, price ? { Court: price + 1 } : {}),
      ),
      startMs,
    );
  });
  const values = async (query: string) =>
    (await api.call(`/v1/events/${eventId}/history?${query}`)).body.data.map(
      ({ value }: { value: number }) => value,
    );

  it('tells one number over time, oldest first', async () => {
    expect(await values('')).toEqual([100, 90, null, 80, 70]);
    expect(await values('zone=Court')).toEqual([101, 91, null, 81, 71]);
    expect(await values('metric=total_listings_active')).toEqual([50, 50, 0, 50, 50]);
    expect(await values('from=2026-03-01T11:56:00Z&to=2026-03-01T11:58:00Z')).toEqual([
      90,
      null,
      80,
    ]);
  });

  it('is refused for a range that ends before it begins', async () => {
    const range = 'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z';
    const { status, body } = await api.call(`/v1/events/${eventId}/history?metric=get_in&${range}`);
    expect([status, body.detail]).toEqual([
      400,
      '/from must not be after `to`, whose default is now',
    ]);
  });

  it('goes page by page through all of it', async () => {
    const found: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 5; page += 1) {
      const { body } = await api.call(`/v1/events/${eventId}/history?limit=2${cursor}`);
      found.push(...body.data.map(({ value }: { value: unknown }) => value));
      if (!body.has_more) break;
      cursor = `&starting_after=${body.next_cursor}`;
    }
    expect(found).toEqual([100, 90, null, 80, 70]);
  });
});
