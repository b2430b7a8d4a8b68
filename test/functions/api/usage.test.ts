// An owner's totals of pulls: what its watches and its own calls have cost, by day, event, watch and tag.
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readUsage, usageGroups } from '#functions/api/budget/read-usage.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { askedBy, type PullSharers, sharersOf } from '#shared/polling/pull-sharers.ts';
import { type Api, startApi, startMs, watchBody } from '#test/support/api.ts';
import { startTestTables } from '#test/support/tables.ts';

let api: Api;
let watches: { id: string }[];
const dayMs = 86_400_000;
/** Each test has a month of its own. */
let month = startMs;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  watches = [];
  for (const tags of [['knicks', 'vip'], ['knicks'], []]) {
    const body = watchBody(api, { name: `tags: ${tags.join(' ')}`, tags });
    watches.push((await api.call('/v1/watches', { body })).body);
  }
  const facts = { eventId: 4711, name: 'Knicks at Heat', date: '2026-05-01', updatedAt: startMs };
  await api.stores.eventFacts.keep(facts);
  return () => api.stop();
});

beforeEach(() => {
  month += 40 * dayMs;
  api.clock.now = month + 20 * dayMs;
});

let claims = 0;
async function spend(
  at: number,
  sharers: PullSharers | undefined,
  { eventId = 4711, pulls = 1 } = {},
): Promise<void> {
  claims += 1;
  const row = pullOf({
    ...{ claim: `c${claims}`, eventId, kind: 'stats', pulls, reason: 'data', state: 'settled' },
    ...{ pulledAt: at, watches: 1 },
    ...(sharers && { sharers }),
  });
  await api.stores.pulls.create(row);
}

const wants = (...numbers: number[]) =>
  numbers.map((n) => ({ ownerId: api.ann.ownerId, watchId: watches[n]?.id ?? '' }));
const bobs = () => ({ ownerId: api.bob.ownerId, watchId: `wat_${'b'.repeat(32)}` });

async function usage(query: string, key = api.ann.key) {
  const { status, body } = await api.call(`/v1/budget/usage?${query}`, { key });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

describe('GET /v1/budget/usage', () => {
  it('divides each call equally over the watches that needed it, by day', async () => {
    await spend(month, sharersOf([...wants(0), bobs()]));
    await spend(month + 1, sharersOf(wants(0, 1)), { pulls: 2 });
    await spend(month + dayMs, sharersOf([bobs()]));
    await spend(month + 2 * dayMs, askedBy(api.ann.ownerId));
    const body = await usage('by=day');
    expect(body.data.map(({ pulls, calls }: Sum) => [pulls, calls])).toEqual([
      [2.5, 2],
      [1, 1],
    ]);
    expect(body.data[0]).toMatchObject({ dollars: 0.0375, watch_id: null });
    expect(body.total).toEqual({ pulls: 3.5, dollars: 0.0525, calls: 3 });
    expect((await usage('by=day', api.bob.key)).total).toEqual({
      ...{ pulls: 1.5, dollars: 0.0225, calls: 2 },
    });
  });

  it('says what each watch cost, with deleted ones and own calls apart', async () => {
    await spend(month, sharersOf([...wants(0, 1), { ...bobs(), ownerId: api.ann.ownerId }]), {
      pulls: 3,
    });
    await spend(month, askedBy(api.ann.ownerId), { eventId: 4712, pulls: 2 });
    const { data } = await usage('by=watch');
    expect(data).toHaveLength(4);
    expect(data[0]).toMatchObject({
      subject: 'own_call',
      watch_id: null,
      event_id: 4712,
      pulls: 2,
    });
    const first = data.find((row: { watch_id: string }) => row.watch_id === watches[0]?.id);
    expect(first).toMatchObject({
      ...{ subject: 'watch', watch_name: 'tags: knicks vip', pulls: 1, calls: 1 },
      ...{ event_id: 4711, event_name: 'Knicks at Heat', event_date: '2026-05-01' },
    });
    expect(data.filter((row: { subject: string }) => row.subject === 'deleted_watch')).toHaveLength(
      1,
    );
  });

  it('divides a watch’s part over its tags, so that the tags add up to the total', async () => {
    await spend(month, sharersOf(wants(0, 1, 2)), { pulls: 3 });
    const { data, total } = await usage('by=tag');
    expect(data.map(({ tag, pulls }: { tag: string; pulls: number }) => [tag, pulls])).toEqual([
      ['knicks', 1.5],
      [null, 1],
      ['vip', 0.5],
    ]);
    expect(total.pulls).toBe(3);
  });

  it('names events, and tells calls whose sharers are not recorded apart', async () => {
    await spend(month, undefined, { pulls: 2 });
    await spend(month, undefined, { eventId: 999 });
    await spend(month, sharersOf(wants(0)));
    const body = await usage('by=event');
    expect(body.data).toMatchObject([{ event_id: 4711, event_name: 'Knicks at Heat', pulls: 1 }]);
    expect(body.not_attributed).toEqual({ pulls: 2, dollars: 0.03, calls: 1 });
    expect(body.total.pulls).toBe(1);
  });

  it('gives pages of one range, and a file', async () => {
    for (let n = 1; n <= 5; n += 1) {
      await spend(month + n, sharersOf(wants(0)), { eventId: n, pulls: 6 - n });
    }
    const found: number[] = [];
    let cursor = '';
    do {
      const body = await usage(`by=event&limit=2${cursor}`);
      found.push(...body.data.map((row: { event_id: number }) => row.event_id));
      cursor = body.has_more ? `&starting_after=${body.next_cursor}` : '';
      await spend(api.clock.now + 1, sharersOf(wants(0)), { eventId: 77, pulls: 50 });
      api.clock.now += 60_000;
    } while (cursor !== '');
    expect(found).toEqual([1, 2, 3, 4, 5]);
    const to = new Date(month + 1_000).toISOString();
    const file = await api.call(`/v1/budget/usage?by=event&format=csv&to=${to}`);
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.text.split('\r\n').slice(0, 2)).toEqual([
      'event_id,event_name,event_date,pulls,dollars,calls',
      '1,,,5,0.075,1',
    ]);
  });

  it('is cut at the ends of the range', async () => {
    await spend(month + 10, sharersOf(wants(0)));
    const at = (ms: number) => new Date(month + ms).toISOString();
    expect((await usage(`from=${at(10)}&to=${at(11)}`)).total.pulls).toBe(1);
    expect((await usage(`from=${at(11)}&to=${at(12)}`)).total.pulls).toBe(0);
    expect((await usage(`from=${at(9)}&to=${at(10)}`)).total.pulls).toBe(0);
  });

  it.each([
    ['by=owner', '#/by'],
    ['from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', '#/from'],
    ['from=2020-03-02T00:00:00Z', '#/from'],
    ['starting_after=abc', '#/starting_after'],
  ])('refuses %s', async (query, pointer) => {
    const { status, body } = await api.call(`/v1/budget/usage?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });
});

describe('a made-up cursor', () => {
  it.each(['0#999999999999999#0', '5#5#0', `${'9'.repeat(30)}#${'9'.repeat(30)}#1`])(
    'is refused: %s',
    async (place) => {
      // A real cursor of the same filters has the mark of the filters behind the place.
      const { body } = await api.call('/v1/budget/usage?by=event&limit=1');
      const cursor = body.next_cursor ?? '';
      const [, mark = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('\n');
      const made = Buffer.from(`${place}\n${mark}`).toString('base64url');
      const path = `/v1/budget/usage?by=event&limit=1&starting_after=${made}`;
      expect((await api.call(path)).status).toBe(400);
    },
  );
});

interface Sum {
  pulls: number;
  calls: number;
}

describe('the totals of all owners', () => {
  it('add up to the ledger, with what is not attributed, in every group', async () => {
    const tables = await startTestTables();
    const owners = ['own_1', 'own_2', 'own_3'];
    const anyCall = fc.record({
      at: fc.integer({ min: 0, max: 3 * dayMs }),
      pulls: fc.integer({ min: 1, max: 7 }),
      eventId: fc.integer({ min: 1, max: 3 }),
      wanting: fc.option(
        fc.array(
          fc.record({
            ownerId: fc.constantFrom(...owners),
            watchId: fc.integer({ min: 1, max: 9 }).map((n) => `wat_${n}`),
          }),
          { maxLength: 7 },
        ),
      ),
    });
    let from = startMs;
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 12 }), async (calls) => {
        from += 10 * dayMs;
        for (const [index, { at, pulls, eventId, wanting }] of calls.entries()) {
          const sharers = wanting === null ? undefined : sharersOf(wanting);
          const facts = { claim: `c${index}`, eventId, kind: 'stats', reason: 'data' } as const;
          const spent = { pulls, state: 'settled', pulledAt: from + at, watches: 1 } as const;
          await tables.stores.pulls.create(
            pullOf({ ...facts, ...spent, ...(sharers && { sharers }) }),
          );
        }
        const attributed = calls.filter(({ wanting }) => (wanting ?? []).length > 0);
        const wanted = attributed.reduce((sum, { pulls }) => sum + pulls * 1_000_000, 0);
        for (const by of usageGroups) {
          const range = { from, to: from + 4 * dayMs, by };
          const found = await Promise.all(
            owners.map((ownerId) => readUsage(tables.stores, { ...range, ownerId })),
          );
          const totals = found.map((each) => each?.total.micropulls ?? 0);
          expect(totals.reduce((sum, each) => sum + each, 0)).toBe(wanted);
          const rows = found.map((each) =>
            (each?.rows ?? []).reduce((sum, { micropulls }) => sum + micropulls, 0),
          );
          expect(rows).toEqual(totals);
        }
      }),
      { numRuns: 25 },
    );
    await tables.stop();
  }, 60_000);
});
