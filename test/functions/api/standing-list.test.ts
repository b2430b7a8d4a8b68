// A board of all watches in one request: what each shows now, filters, orders and counts.
import { beforeAll, describe, expect, it } from 'vitest';
import { alertIdOf } from '#shared/alerts/alert.ts';
import { anAlert } from '#test/support/alerts.ts';
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
    ...{ time: '19:30', startsAt: Date.parse('2026-03-20T23:30:00Z'), venueName: 'TD Garden' },
    ...{ venueCity: 'Boston', timeZone: 'America/New_York' },
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
      week: [...Array(55).fill(cents[0]), cents[1] ?? 0],
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
        ...{ event_time: '19:30', event_starts_at: '2026-03-20T23:30:00.000Z' },
        ...{ venue_name: 'TD Garden', venue_city: 'Boston', venue_time_zone: 'America/New_York' },
        standing: {
          state: 'armed',
          rules: [
            { state: 'armed', unit: 'dollars', value: 81, level: 80, distance: 1, reached: false },
          ],
          ...{ distance_percent: 1.25, get_in: 81, get_in_change_24h_percent: -19.8, listings: 50 },
          ...{ data_as_of: '2026-03-01T12:00:00.000Z', last_alert: null, cost_pulls: 0 },
          next_poll_at: expect.any(String),
        },
      },
    ]);
    expect(data[0].standing.get_in_hourly).toEqual([...Array(24).fill(101), 81]);
    expect(data[0].standing.get_in_week).toEqual([...Array(55).fill(101), 81]);
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

  it('has the prices of the zone that its nearest rule is about', async () => {
    const id = 5;
    const newest = { ...statsAt(startMs, 50, { Club: 90, 'Upper Bowl': 50 }), eventId: id };
    const line = { hour: startMs / 3_600_000, cents: [...Array(24).fill(10_000), 9_000] };
    const recent = { ...line, zones: [{ ...line, name: 'Club', week: [10_000, 9_000] }] };
    const zoneOf = async (zone: string) => {
      const rules = [{ ...levelRule(45), zone }];
      const { body } = await api.call('/v1/watches', {
        body: watchBody(api, { event_id: id, rules, name: zone }),
      });
      await storePolled(api.stores, [newest], { recent });
      const { data } = await board(`event_id=${id}`);
      await api.call(`/v1/watches/${body.id}`, { method: 'DELETE' });
      return data[0].standing.zone;
    };
    expect(await zoneOf('Club')).toEqual({
      ...{ name: 'Club', get_in: 90, get_in_change_24h_percent: -10, get_in_week: [100, 90] },
    });
    // No poll has seen this rule.
    expect(await zoneOf('Upper Bowl')).toEqual({
      ...{ name: 'Upper Bowl', get_in: 50, get_in_change_24h_percent: null, get_in_week: [] },
    });
    expect((await board('event_id=3')).data[0].standing.zone).toBeNull();
  });

  it('has nulls where nothing is known', async () => {
    const { data } = await board('event_id=4');
    expect(data[0]).toMatchObject({
      ...{ event_name: null, event_date: null },
      standing: {
        ...{ state: 'new', nearest_rule: null, distance_percent: null, get_in: null },
        ...{ get_in_change_24h_percent: null, get_in_hourly: [], get_in_week: [] },
        ...{ listings: null, data_as_of: null },
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
    ['trouble=unexpected', []],
    ['q=knicks', ['paused', 'near', 'far']],
    ['q=GARD kni', ['near']],
    ['q=boston', ['near']],
    ['q=apr nets', ['paused', 'far']],
    ['q=beyonce may', ['concert']],
    ['q=unpriced', ['unpriced']],
    ['q=e4', ['unpriced']],
    ['q=knicks nowhere', []],
    ['near_percent=10', ['near']],
    ['near_percent=80', ['near', 'far']],
    ['near_percent=0', []],
    ['fired_since=2026-03-01T00:00:00Z', []],
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

it('the first page counts the watches, whatever state or standing is asked for', async () => {
  const states = { ended: 0, paused: 1, snoozed: 0, pending: 0, fired: 0, armed: 1, new: 3 };
  const unread = { near: null, fired_today: null, in_trouble: null };
  expect((await board('limit=1&state=armed')).counts).toEqual({ ...states, ...unread });
  const read = { near: 1, fired_today: 0, in_trouble: 0 };
  for (const chip of ['', '&state=paused', '&trouble=any', '&near_percent=10']) {
    const { counts } = await board(`limit=1&sort=closeness${chip}`);
    expect(counts, chip).toEqual({ ...states, ...read });
  }
  expect((await board('sort=closeness&near_percent=80')).counts.near).toBe(2);
  const page = await board('limit=1');
  expect((await board(`limit=1&starting_after=${page.next_cursor}`)).counts).toBeUndefined();
  expect((await api.call('/v1/watches')).body.counts).toBeUndefined();
});

it('a watch is in trouble unless it is only paused', async () => {
  const rules = [{ ...levelRule(10), within_days_of_event: 3 }];
  const body = watchBody(api, { event_id: 2, name: 'waiting', rules });
  const made = await api.call('/v1/watches', { body });
  const { data, counts } = await board('sort=closeness&trouble=unexpected');
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['waiting']);
  expect(data[0].trouble).toMatchObject([{ code: 'start_unknown' }]);
  expect(counts.in_trouble).toBe(1);
  await api.call(`/v1/watches/${made.body.id}`, { method: 'DELETE' });
});

it('an alert counts as today’s until midnight by the owner’s clock', async () => {
  const [row] = (await board('event_id=3')).data;
  const watch = await api.stores.watches.find(row.id);
  const triggerId = watch?.rules[0]?.triggerIds[0] ?? '';
  const { ownerId } = api.ann;
  // 23:30 of the day before in New York, 04:30 in London.
  const firedAt = Date.parse('2026-03-01T04:30:00Z');
  const facts = { watchId: row.id, ruleId: row.rules[0].id, triggerId, ownerId, eventId: 3 };
  await api.stores.alerts.create(anAlert({ ...facts, firedAt, alertId: alertIdOf(triggerId, 1) }));
  await api.stores.triggers.edit(triggerId, (trigger) => ({
    ...{ ...trigger, state: 'fired', generation: 1 },
    memory: { ...trigger.memory, firings: [firedAt] },
  }));
  const today = async (time_zone: string) => {
    await api.call('/v1/owner', { method: 'PATCH', body: { time_zone } });
    return (await board('sort=closeness')).counts.fired_today;
  };
  expect(await today('Europe/London')).toBe(1);
  expect(await today('America/New_York')).toBe(0);
  expect(await names('fired_since=2026-03-01T04:30:00Z')).toEqual(['near']);
  expect(await names('fired_since=2026-03-01T04:31:00Z')).toEqual([]);
  // What has fired is not near any more.
  expect(await names('near_percent=10')).toEqual([]);
});

it.each(['q=...', 'near_percent=101', 'fired_since=today', 'deleted=true&q=knicks'])(
  'refuses %s',
  async (query) => {
    expect((await api.call(`/v1/watches?${query}`)).status).toBe(400);
  },
);
