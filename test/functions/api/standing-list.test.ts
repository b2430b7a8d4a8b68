// A board of all watches in one request: what each shows now, filters, orders and counts.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, levelRule, startApi, startMs, statsAt, watchBody } from '#test/support/api.ts';
import { storePolled } from '#test/support/polled-event.ts';

let api: Api;
const minuteMs = 60_000;
const events = [
  { eventId: 1, name: 'Knicks at Nets', date: '2026-04-01', performer: 'Brooklyn Nets', price: 90 },
  { eventId: 2, name: 'Beyoncé', date: '2026-05-01', performer: 'Beyoncé', price: 200 },
  {
    eventId: 3,
    name: 'Knicks at Celtics',
    date: '2026-03-20',
    performer: 'Boston Celtics',
    price: 81,
  },
];
/** The watches by name: the event, and the level. */
const watches = {
  far: [1, 50],
  near: [3, 80],
  paused: [1, 60],
  unpriced: [4, 10],
  concert: [2, 100],
} as const;

beforeAll(async () => {
  api = await startApi();
  for (const { eventId, price, ...facts } of events) {
    await api.stores.eventFacts.keep({ eventId, ...facts, updatedAt: 1 });
    const day = [24, 12, 0].map((hours) => startMs - hours * 60 * minuteMs);
    const found = day.map((at, n) => ({ ...statsAt(at, price + 20 - 10 * n), eventId }));
    const cents = [price + 20, price].map((dollars) => dollars * 100);
    const recent = {
      hour: startMs / 3_600_000,
      cents: [...Array(24).fill(cents[0]), cents[1] ?? 0],
    };
    await storePolled(api.stores, found, { recent });
  }
  for (const [name, [event_id, level]] of Object.entries(watches)) {
    const body = watchBody(api, {
      event_id,
      name,
      rules: [levelRule(level)],
      tags: [`e${event_id}`],
    });
    const made = await api.call('/v1/watches', { body });
    expect(made.status).toBe(201);
    if (name === 'paused') await api.call(`/v1/watches/${made.body.id}/pause`, { method: 'POST' });
    if (name === 'near') await evaluated(made.body.id);
  }
  return () => api.stop();
});

/** Arms the triggers of a watch, as its first evaluation does. */
async function evaluated(watchId: string): Promise<void> {
  const watch = await api.stores.watches.find(watchId);
  for (const triggerId of watch?.rules.flatMap(({ triggerIds }) => triggerIds) ?? []) {
    await api.stores.triggers.edit(triggerId, (trigger) => ({ ...trigger, state: 'armed' }));
  }
}

const board = async (query: string) => {
  const { status, body } = await api.call(`/v1/watches?include=standing&${query}`);
  expect(status).toBe(200);
  return body;
};
const names = async (query: string) =>
  (await board(query)).data.map(({ name }: { name: string }) => name);

describe('a row', () => {
  it('has the event, the value, the distance, the day’s prices, the state and the cost', async () => {
    const { data } = await board('event_id=3');
    expect(data).toMatchObject([
      {
        ...{ name: 'near', event_name: 'Knicks at Celtics', event_date: '2026-03-20', trouble: [] },
        standing: {
          state: 'armed',
          rules: [
            { state: 'armed', unit: 'dollars', value: 81, level: 80, distance: 1, reached: false },
          ],
          ...{ distance_percent: 1.25, get_in: 81, get_in_change_24h_percent: -19.8 },
          ...{ data_as_of: '2026-03-01T12:00:00.000Z', last_alert: null, cost_pulls: 0 },
          next_poll_at: expect.any(String),
        },
      },
    ]);
    expect(data[0].standing.get_in_hourly).toEqual([...Array(24).fill(101), 81]);
    expect(data[0].standing.nearest_rule).toBe(data[0].rules[0].id);
  });

  it('says the same as a request for the watch alone', async () => {
    for (const row of (await board('')).data) {
      const { body: alone } = await api.call(`/v1/watches/${row.id}`);
      const { rules, data_as_of, next_poll_at, last_alert, cost_pulls } = row.standing;
      expect(rules).toMatchObject(
        alone.rules.map(
          ({
            sentence: _sentence,
            rule: _rule,
            ...rest
          }: object & { sentence: string; rule: object }) => rest,
        ),
      );
      expect([data_as_of, next_poll_at, last_alert, cost_pulls, row.trouble]).toEqual([
        alone.data_as_of,
        alone.next_poll_at,
        alone.last_alert,
        alone.cost.pulls,
        alone.trouble,
      ]);
    }
  });

  it('has nulls where nothing is known', async () => {
    const { data } = await board('event_id=4');
    expect(data[0]).toMatchObject({
      ...{ event_name: null, event_date: null },
      standing: {
        ...{ state: 'new', nearest_rule: null, distance_percent: null, get_in: null },
        ...{ get_in_change_24h_percent: null, get_in_hourly: [], data_as_of: null },
      },
    });
  });
});

describe('filters', () => {
  it.each([
    ['team=knicks', ['paused', 'near', 'far']],
    ['team=beyonce', ['concert']],
    ['state=armed', ['near']],
    ['state=paused', ['paused']],
    ['trouble=paused', ['paused']],
    ['trouble=none&team=knicks', ['near', 'far']],
    ['trouble=any&team=knicks', ['paused']],
    ['from=2026-04-01', ['concert', 'paused', 'far']],
    ['from=2026-03-02&to=2026-04-01', ['paused', 'near', 'far']],
    ['tag=e1&status=active', ['far']],
  ])('%s', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });
});

describe('orders', () => {
  it.each([
    ['newest', ['concert', 'unpriced', 'paused', 'near', 'far']],
    ['closeness', ['near', 'paused', 'far', 'concert', 'unpriced']],
    ['date', ['near', 'paused', 'far', 'concert', 'unpriced']],
    ['cost', ['concert', 'unpriced', 'paused', 'near', 'far']],
    ['last_alert', ['concert', 'unpriced', 'paused', 'near', 'far']],
  ])('%s, in pages of any size', async (sort, found) => {
    for (const limit of [1, 2, 1_000]) {
      const walked: string[] = [];
      let cursor = '';
      do {
        const body = await board(`sort=${sort}&limit=${limit}${cursor}`);
        walked.push(...body.data.map(({ name }: { name: string }) => name));
        cursor = body.has_more ? `&starting_after=${body.next_cursor}` : '';
      } while (cursor !== '');
      expect(walked).toEqual(found);
    }
  });

  it('refuse a cursor of another order', async () => {
    const { next_cursor } = await board('sort=date&limit=1');
    const { status, body } = await api.call(`/v1/watches?sort=cost&starting_after=${next_cursor}`);
    expect([status, body.errors[0].detail]).toEqual([
      400,
      'is a cursor of another order; start again without it',
    ]);
  });
});

it('the first page counts the watches in each state, whatever state is asked for', async () => {
  const first = await board('limit=1&state=armed');
  expect(first.counts).toEqual({
    ...{ ended: 0, paused: 1, snoozed: 0, pending: 0, fired: 0, armed: 1, new: 3 },
  });
  const page = await board('limit=1');
  expect((await board(`limit=1&starting_after=${page.next_cursor}`)).counts).toBeUndefined();
  expect((await api.call('/v1/watches')).body.counts).toBeUndefined();
});
