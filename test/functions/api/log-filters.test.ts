// The filters of the lists of alerts and deliveries: by watch, event, time, channel and state, over pages.
import { beforeAll, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';

let api: Api;
const watchA = `wat_${'a'.repeat(32)}`;
const watchB = `wat_${'b'.repeat(32)}`;
const phone = `ch_${'8'.repeat(32)}`;
const rows = 1_203;
/** Row n has the event 1 or 2; watch B has every 400th; every second goes to the phone. */
const facts = (n: number) => ({
  eventId: 1 + (n % 2),
  watchId: n % 400 === 0 ? watchB : watchA,
  at: startMs + n * 1_000,
  channelId: n % 2 === 0 ? phone : `ch_${'9'.repeat(32)}`,
});
const time = (n: number) => new Date(startMs + n * 1_000).toISOString();
const alertId = (n: number) => `alt_${n}`;
const deliveryId = (n: number) => `dlv_${n}`;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  const { ownerId } = api.ann;
  for (let from = 0; from < rows; from += 50) {
    const lot = Array.from({ length: Math.min(50, rows - from) }, (_, index) => from + index);
    await Promise.all(
      lot.map(async (n) => {
        const { eventId, watchId, at, channelId } = facts(n);
        const about = { alertId: alertId(n), ownerId, watchId, eventId, firedAt: at };
        await api.stores.alerts.create(
          anAlert({ ...about, channelIds: [channelId], unsentReason: n === 5 ? 'cap' : undefined }),
        );
        const to = { deliveryId: deliveryId(n), ownerId, channelId } as const;
        await api.stores.deliveries.create(
          newDelivery(
            {
              ...{ ...to, purpose: 'alert', channelKind: 'slack', alertIds: new Set([alertId(n)]) },
              ...(n === 7 && { status: 'failed' as const }),
            },
            { now: at },
          ),
        );
      }),
    );
  }
  return () => api.stop();
}, 60_000);

/** Every id that a list gives over all its pages, and the number of pages. */
async function walk(path: string, query: string, limit = 200) {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 1; pages < 50; pages += 1) {
    const { body, status } = await api.call(`${path}?${query}&limit=${limit}${cursor}`);
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) return { ids, pages };
    cursor = `&starting_after=${body.next_cursor}`;
  }
  throw new Error('the list has no end');
}

/** The rows that pass, newest first. */
const expected = (isWanted: (n: number) => boolean, id: (n: number) => string) =>
  Array.from({ length: rows }, (_, n) => rows - 1 - n)
    .filter(isWanted)
    .map(id);

describe.each([
  ['/v1/alerts', alertId],
  ['/v1/deliveries', deliveryId],
])('%s', (path, id) => {
  it.each<[string, (n: number) => boolean, number]>([
    [`watch_id=${watchB}`, (n) => n % 400 === 0, 200],
    [`watch_id=${watchB}`, (n) => n % 400 === 0, 1],
    [`watch_id=${watchB}&event_id=2`, () => false, 200],
    [
      `event_id=2&since=${time(100)}&before=${time(130)}`,
      (n) => n >= 100 && n < 130 && n % 2 === 1,
      4,
    ],
    [`since=${time(1_195)}`, (n) => n >= 1_195, 3],
    [`before=${time(3)}`, (n) => n < 3, 3],
    [`channel_id=${phone}&before=${time(9)}`, (n) => n < 9 && n % 2 === 0, 5],
    [`since=${time(5_000)}`, () => false, 200],
  ])('with %s gives what passes, each once', async (query, isWanted, limit) => {
    expect((await walk(path, query, limit)).ids).toEqual(expected(isWanted, id));
  });

  it('with a time range is one page, however many rows are outside', async () => {
    expect((await walk(path, `since=${time(2)}&before=${time(4)}`)).pages).toBe(1);
  });

  it('gives a cursor that continues its own filters only', async () => {
    const { body } = await api.call(`${path}?event_id=1&limit=2`);
    const read = (query: string) =>
      api.call(`${path}?${query}limit=9&starting_after=${body.next_cursor}`);
    expect((await read('event_id=1&')).status).toBe(200);
    for (const other of ['', 'event_id=2&', `event_id=1&watch_id=${watchA}&`]) {
      const refused = await read(other);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '#/starting_after']);
    }
  });

  it.each([
    [`since=${time(2)}&before=${time(2)}`, '#/since'],
    ['since=yesterday', '#/since'],
    ['watch_id=wat_1', '#/watch_id'],
    ['event_id=0', '#/event_id'],
  ])('refuses %s', async (query, pointer) => {
    const { status, body } = await api.call(`${path}?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('shows nothing of another owner', async () => {
    const { body } = await api.call(`${path}?watch_id=${watchB}`, { key: api.bob.key });
    expect([body.data, body.has_more]).toEqual([[], false]);
  });
});

describe('a rare state', () => {
  it('of an alert is found behind many others', async () => {
    expect((await walk('/v1/alerts', 'reason=cap')).ids).toEqual([alertId(5)]);
  });

  it('of a delivery is found behind many others', async () => {
    expect((await walk('/v1/deliveries', 'status=failed')).ids).toEqual([deliveryId(7)]);
  });
});
