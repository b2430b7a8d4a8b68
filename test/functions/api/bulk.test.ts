// Bulk changes: by ids and by filter, with a dry run, an undo, and each watch for itself.
import { beforeEach, describe, expect, it } from 'vitest';
import { createBulkRun } from '#functions/api/watches/bulk/bulk-lot.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import {
  type Api,
  aChannel,
  anyVersion,
  levelRule,
  startApi,
  watchBody,
} from '#test/support/api.ts';
import { drainJobs, jobDepsOf } from '#test/support/jobs.ts';

class Crash extends Error {}

let api: Api;
/** Runs before the next write of a watch. */
let meanwhile: ((watchId: string) => Promise<void>) | undefined;
/** Writes of watches until one dies, before or after it is done. */
let dies: { after: number; isDone: boolean } | undefined;

const interrupted = (stores: Stores): Stores => ({
  ...stores,
  watches: {
    ...stores.watches,
    async change(watch, changes, now) {
      const between = meanwhile;
      meanwhile = undefined;
      await between?.(watch.watchId);
      if (dies) dies.after -= 1;
      const isLast = dies?.after === 0;
      if (isLast && !dies?.isDone) throw new Crash();
      const after = await stores.watches.change(watch, changes, now);
      if (isLast) throw new Crash();
      return after;
    },
  },
});

beforeEach(async () => {
  meanwhile = undefined;
  dies = undefined;
  const requestLimit = { requests: 1_000_000, windowSeconds: 60 };
  api = await startApi({ requestLimit }, interrupted);
  return () => api.stop();
});

async function create(also: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await api.call('/v1/watches', { body: watchBody(api, also) });
  expect(status, text).toBe(201);
  return body.id;
}
/** Watches of three events with the tag "knicks". */
const createThree = () =>
  Promise.all(
    [7, 8, 9].map((id) =>
      create({ event_id: id, tags: ['knicks'], rules: [levelRule(80)], latency_seconds: 60 }),
    ),
  );
const bulk = (body: object, headers: Record<string, string> = {}) =>
  api.call('/v1/watches/bulk', { body, headers });
const undo = (id: string) => api.call(`/v1/watches/bulk/${id}/undo`, { method: 'POST' });
const read = async (id: string) => (await api.call(`/v1/watches/${id}`)).body;
const levelsOf = async (ids: readonly string[]) => {
  const found = await Promise.all(ids.map((id) => api.stores.watches.find(id)));
  return found.map((watch) => watch?.rules.map(({ rule }) => Reflect.get(rule, 'at_or_below')));
};

describe('POST /v1/watches/bulk', () => {
  it('changes the watches of a filter, and says of each what changed', async () => {
    const ids = await createThree();
    const other = await create();
    const { status, body } = await bulk({ filter: { tag: 'knicks' }, action: { type: 'pause' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: false, total: 3, counts: { changed: 3 }, cost: null });
    expect(body.watches).toEqual(ids.map((id) => ({ id, outcome: 'changed', detail: 'paused' })));
    expect((await read(ids[0] ?? '')).status).toBe('paused');
    expect((await read(other)).status).toBe('active');
    const { data } = (await api.call(`/v1/watches/${ids[0]}/versions`)).body;
    expect(data[0].changed_by).toMatchObject({ way: 'bulk', run: body.id });
  });

  it.each<[string, object, Record<string, unknown>, string]>([
    [
      'a snooze',
      { type: 'snooze', minutes: 60 },
      { snoozed_until: '2026-03-01T13:00:00.000Z' },
      'snoozed until 2026-03-01T13:00:00.000Z',
    ],
    [
      'tags added',
      { type: 'add_tags', tags: ['vip'] },
      { tags: ['knicks', 'vip'] },
      'tag vip added',
    ],
    ['tags removed', { type: 'remove_tags', tags: ['knicks'] }, { tags: [] }, 'tag knicks removed'],
    [
      'tags replaced',
      { type: 'replace_tags', tags: ['a', 'b'] },
      { tags: ['a', 'b'] },
      'tags a and b added; tag knicks removed',
    ],
    [
      'a latency',
      { type: 'set_latency', latency_seconds: 900 },
      { latency_seconds: 900 },
      'latency 900 seconds (was 3600 seconds); latency no longer set by the defaults',
    ],
    [
      'a level',
      { type: 'change_level', to: 75.5 },
      {},
      'rule “Get-in at or below $75.50” (was “Get-in at or below $80”)',
    ],
  ])('takes %s', async (_what, action, expected, words) => {
    const id = await create({ tags: ['knicks'] });
    const { body } = await bulk({ ids: [id], action });
    expect(body.watches).toEqual([{ id, outcome: 'changed', detail: words }]);
    expect(await read(id)).toMatchObject(expected);
    const again = await bulk({ ids: [id], action: action });
    expect(again.body.watches[0].outcome).toBe('unchanged');
  });

  it('takes channels by name, id or address, and keeps the last one', async () => {
    const ops = 'ch_00000000000000000000000000000077';
    const target = { kind: 'email', address: 'ops@example.com' } as const;
    await api.stores.channels.create({ ...aChannel(ops, api.ann.ownerId), name: 'Ops', target });
    const id = await create();
    const send = async (type: string, channels: string[]) =>
      (await bulk({ ids: [id], action: { type, channels } })).body;
    expect((await send('add_channels', ['ops'])).watches[0]).toMatchObject({ outcome: 'changed' });
    expect((await read(id)).channels).toEqual([api.ann.channelId, ops]);
    await send('remove_channels', ['ann@example.com']);
    expect((await read(id)).channels).toEqual([ops]);
    expect((await send('remove_channels', [ops])).watches[0]).toMatchObject({
      outcome: 'refused',
      detail: 'would have no channel; pause or delete it instead',
    });
    await send('replace_channels', [api.ann.channelId]);
    expect((await read(id)).channels).toEqual([api.ann.channelId]);
    const unknown = await send('add_channels', ['Nobody']);
    expect(unknown.errors[0]).toMatchObject({
      pointer: '#/action/channels/0',
      detail: expect.stringContaining('neither the id nor the name'),
    });
  });

  it('changes the levels that fit, and names the rules that it leaves', async () => {
    const median = { type: 'level', metric: 'median_price', at_or_above: 100 };
    const listing = { type: 'listing', sections: ['101'], at_or_below: 33.33 };
    const supply = { type: 'supply', at_or_below: 40 };
    const id = await create({ rules: [levelRule(79.99), median, listing, supply] });
    const change = async (action: object) =>
      (await bulk({ ids: [id], action: { type: 'change_level', ...action } })).body.watches[0];
    expect((await change({ by_percent: -5 })).detail).toBe(
      'rule “Get-in at or below $75.99” (was “Get-in at or below $79.99”); rule “Median price at or above $95” (was “Median price at or above $100”); rule “A new cheapest listing in section 101 at or below $31.66” (was “A new cheapest listing in section 101 at or below $33.33”); the change is not about rule “Active listings at or below 40”',
    );
    await change({ by_dollars: 0.01, metric: 'get_in' });
    await change({ to: 20, rule_type: 'listing' });
    const { rules } = await read(id);
    expect(
      rules.map(
        ({ rule }: { rule: Record<string, number> }) => rule.at_or_below ?? rule.at_or_above,
      ),
    ).toEqual([76, 95, 20, 40]);
    expect(await change({ by_dollars: -50, rule_type: 'listing' })).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('would have a level of $0 or less'),
    });
    const none = await create({ rules: [supply] });
    const { watches } = (await bulk({ ids: [none], action: { type: 'change_level', to: 5 } })).body;
    expect(watches[0]).toMatchObject({
      outcome: 'unchanged',
      detail: 'the change is not about rule “Active listings at or below 40”',
    });
  });

  it('keeps a refusal with its watch', async () => {
    const [first = '', second = ''] = await createThree();
    await api.call(`/v1/watches/${second}`, { method: 'DELETE', headers: anyVersion });
    const bobs = await api.call('/v1/watches', {
      key: api.bob.key,
      body: { ...watchBody(api), channels: [api.bob.channelId] },
    });
    const ids = [first, second, bobs.body.id, 'wat_none', first];
    const { body } = await bulk({ ids, action: { type: 'pause' } });
    expect(body.watches).toEqual([
      { id: first, outcome: 'changed', detail: 'paused' },
      { id: second, outcome: 'refused', detail: 'it is deleted' },
      { id: bobs.body.id, outcome: 'refused', detail: 'No watch with this id' },
      { id: 'wat_none', outcome: 'refused', detail: 'No watch with this id' },
    ]);
    expect(body.counts).toEqual({ changed: 1, refused: 3 });
  });

  it('takes the filters of the list: states, troubles, events, dates, teams', async () => {
    const ids = await createThree();
    await api.stores.eventFacts.keep({
      ...{ eventId: 8, name: 'Knicks at Heat', performer: 'Knicks', updatedAt: 1 },
      ...{ date: '2026-04-02', startsAt: Date.parse('2026-04-02T23:00:00Z') },
    });
    await api.call(`/v1/watches/${ids[0]}/pause`, { method: 'POST' });
    const found = async (filter: object) => {
      const { body } = await bulk({
        filter,
        action: { type: 'add_tags', tags: ['x'] },
        dry_run: true,
      });
      return body.watches.map(({ id }: { id: string }) => ids.indexOf(id));
    };
    expect(await found({ state: 'paused' })).toEqual([0]);
    expect(await found({ event_id: 9 })).toEqual([2]);
    expect(await found({ from: '2026-04-01', to: '2026-04-03' })).toEqual([1]);
    expect(await found({ team: 'knicks' })).toEqual([1]);
    expect(await found({ trouble: 'paused' })).toEqual([0]);
    expect(await found({})).toEqual([0, 1, 2]);
  });

  it('refuses a body with one clear error', async () => {
    const pause = { type: 'pause' };
    const faultOf = async (body: object) => (await bulk(body)).body.errors?.[0];
    expect(await faultOf({ action: pause })).toMatchObject({
      detail: 'must have either `ids` or `filter`',
    });
    expect(await faultOf({ ids: ['a'], action: { type: 'dance' } })).toMatchObject({
      pointer: '#/action/type',
    });
    expect(await faultOf({ ids: ['a'], action: { type: 'change_level' } })).toMatchObject({
      detail: 'must have one of `to`, `by_dollars` and `by_percent`',
    });
    expect(
      await faultOf({ ids: ['a'], action: { type: 'snooze', until: '2020-01-01T00:00:00Z' } }),
    ).toMatchObject({
      pointer: '#/action/until',
    });
    const zero = { type: 'change_level', by_percent: 0 };
    expect(await faultOf({ ids: ['a'], action: zero })).toMatchObject({
      pointer: '#/action/by_percent',
    });
  });
});

describe('a dry run', () => {
  it('says what would change in each watch and in the cost, and writes nothing', async () => {
    const ids = await createThree();
    await create({ event_id: 7, name: 'stays', latency_seconds: 60 });
    const before = await Promise.all(ids.map((id) => api.stores.watches.find(id)));
    const { body } = await bulk({
      ...{ filter: { tag: 'knicks' }, action: { type: 'pause' }, dry_run: true },
    });
    expect(body).toMatchObject({ id: null, dry_run: true, counts: { would_change: 3 } });
    expect(body.watches[0]).toEqual({
      ...{ id: ids[0], outcome: 'would_change', detail: 'paused' },
      changes: [{ field: 'status', before: 'active', after: 'paused', words: 'paused' }],
    });
    // Event 7 is still watched, so only the polls of two events end.
    expect(body.cost).toEqual({
      ...{ pulls_per_day_before: 4_320, pulls_per_day_after: 1_440 },
      ...{ pulls_per_day_change: -2_880, flat_value_per_day_change: -43.2 },
    });
    expect(await Promise.all(ids.map((id) => api.stores.watches.find(id)))).toEqual(before);
    expect((await api.call('/v1/jobs')).body.data).toEqual([]);
  });

  it('says what a longer latency saves, and that a level costs nothing', async () => {
    await createThree();
    const costOf = async (action: object) =>
      (await bulk({ filter: {}, action, dry_run: true })).body.cost;
    expect(await costOf({ type: 'set_latency', latency_seconds: 600 })).toMatchObject({
      ...{ pulls_per_day_before: 4_320, pulls_per_day_after: 432, pulls_per_day_change: -3_888 },
    });
    expect(await costOf({ type: 'change_level', by_percent: 10 })).toMatchObject({
      ...{ pulls_per_day_before: 0, pulls_per_day_change: 0 },
    });
  });
});

describe('a filter that would take every watch, or none, by mistake', () => {
  it.each([
    [{ team: '-' }, '#/filter/team', 'must have a letter or a digit'],
    [{ team: '\u200b' }, '#/filter/team', 'must have a letter or a digit'],
    [{ from: '2026-05-02', to: '2026-05-01' }, '#/filter/from', 'must not be after `to`'],
  ])('is refused: %j', async (filter, pointer, detail) => {
    await createThree();
    const { status, body } = await bulk({ filter, action: { type: 'delete' } });
    expect([status, body.errors]).toMatchObject([400, [{ pointer, detail }]]);
  });
});

describe('POST /v1/watches/bulk/{id}/undo', () => {
  it('brings every watch back that nobody changed since, and says which were skipped', async () => {
    const ids = await createThree();
    const run = await bulk({ ids, action: { type: 'change_level', by_percent: -50 } });
    await api.call(`/v1/watches/${ids[1]}`, {
      ...{ method: 'PATCH', body: { name: 'mine' }, headers: anyVersion },
    });
    const { status, body } = await undo(run.body.id);
    expect(status).toBe(200);
    expect(body.counts).toEqual({ changed: 2, skipped: 1 });
    expect(body.watches[1].detail).toMatch(
      /^it was changed since by a request with the key “test”/,
    );
    expect(await levelsOf(ids)).toEqual([[80], [40], [80]]);
    const { data } = (await api.call(`/v1/watches/${ids[0]}/versions`)).body;
    expect(data[0].changed_by).toMatchObject({ way: 'undo', run: body.id });
  });

  it('brings back no snooze that is over', async () => {
    const [id] = await createThree();
    await bulk({ ids: [id], action: { type: 'snooze', minutes: 5 } });
    const end = await bulk({ ids: [id], action: { type: 'end_snooze' } });
    api.clock.now += 600_000;
    expect((await undo(end.body.id)).status).toBe(200);
    expect((await api.call(`/v1/watches/${id}`)).body.snoozed_until).toBeNull();
  });

  it('is possible for seven days', async () => {
    await createThree();
    const run = await bulk({ filter: {}, action: { type: 'pause' } });
    api.clock.now += 7 * 86_400_000 + 1_000;
    expect((await undo(run.body.id)).status).toBe(404);
  });

  it('restores deleted watches, and may be undone itself', async () => {
    const ids = await createThree();
    const run = await bulk({ filter: { tag: 'knicks' }, action: { type: 'delete' } });
    expect((await api.call('/v1/watches')).body.data).toEqual([]);
    const undone = await undo(run.body.id);
    expect(undone.body.counts).toEqual({ changed: 3 });
    expect(undone.body.watches[0].detail).toBe('restored');
    expect((await api.call('/v1/watches')).body.data).toHaveLength(3);
    const again = await undo(undone.body.id);
    expect(again.body.counts).toEqual({ changed: 3 });
    expect((await api.call('/v1/watches?deleted=true')).body.data).toHaveLength(3);
    expect((await undo(run.body.id)).body.counts).toEqual({ skipped: 3 });
    expect(ids).toHaveLength(3);
  });

  it('belongs to the owner, and is for runs that have changed something', async () => {
    const ids = await createThree();
    const run = await bulk({ ids, action: { type: 'pause' } });
    const path = `/v1/watches/bulk/${run.body.id}/undo`;
    expect((await api.call(path, { method: 'POST', key: api.bob.key })).status).toBe(404);
    expect((await undo(`job_${'0'.repeat(32)}`)).status).toBe(404);
    const same = await bulk({ ids, action: { type: 'pause' } });
    expect((await undo(same.body.id)).body).toMatchObject({ total: 0, watches: [] });
  });
});

describe('a run that is interrupted', () => {
  it('leaves a watch alone that another request changes at the same time', async () => {
    const ids = await createThree();
    meanwhile = async (watchId) => {
      await api.stores.watches
        .find(watchId)
        .then(
          (watch) => watch && api.stores.watches.change(watch, { name: 'mine' }, api.clock.now),
        );
    };
    const { body } = await bulk({ ids, action: { type: 'change_level', by_percent: -50 } });
    expect(body.counts).toEqual({ changed: 2, refused: 1 });
    const refused = body.watches.find(({ outcome }: { outcome: string }) => outcome === 'refused');
    expect(refused.detail).toContain('another request changed it at the same time');
    expect((await levelsOf([refused.id]))[0]).toEqual([80]);
  });

  it.each([
    ['before its first write', { after: 1, isDone: false }],
    ['after its first write', { after: 1, isDone: true }],
    ['after its last write', { after: 3, isDone: true }],
  ])('%s is finished by a worker, and changes no level twice', async (_when, death) => {
    const ids = await createThree();
    dies = { ...death };
    const key = { 'idempotency-key': 'a-run' };
    const body = { ids, action: { type: 'change_level', by_percent: -50 } };
    expect((await bulk(body, key)).status).toBe(500);
    dies = undefined;
    api.clock.now += 3_600_000;
    const answer = await bulk(body, key);
    expect(answer.status).toBe(200);
    expect(answer.body.counts).toEqual({ changed: 3 });
    expect(answer.body.watches[0].detail).toBe(
      'rule “Get-in at or below $40” (was “Get-in at or below $80”)',
    );
    expect(await levelsOf(ids)).toEqual([[40], [40], [40]]);
    expect((await bulk(body, key)).body).toEqual(answer.body);
    expect((await undo(answer.body.id)).body.counts).toEqual({ changed: 3 });
    expect(await levelsOf(ids)).toEqual([[80], [80], [80]]);
  });

  it('whose lot is carried out twice, even after another change, changes nothing twice', async () => {
    const ids = await createThree();
    const action = { type: 'change_level', by_percent: -50 } as const;
    const { body } = await bulk({ ids, action });
    const job = await api.stores.jobs.find(body.id);
    await api.call(`/v1/watches/${ids[0]}`, {
      ...{ method: 'PATCH', body: { name: 'mine' }, headers: anyVersion },
    });
    const { carryOutLot } = createBulkRun(jobDepsOf(api))(job ?? (undefined as never));
    const again = await carryOutLot({ ...job, lots: 0 } as never, api.clock.now);
    expect(again.counts).toEqual({ changed: 3 });
    expect(again.results.map(({ detail }) => detail)).toEqual(
      body.watches.map(({ detail }: { detail: string }) => detail),
    );
    expect(await levelsOf(ids)).toEqual([[40], [40], [40]]);
  });
});

it('the first plan of a lot counts', async () => {
  const { jobs } = api.stores;
  const place = { jobId: `job_${'1'.repeat(32)}`, part: 'plan', lot: 0 } as const;
  const job = { expiresAtEpochSeconds: 2_000_000_000 };
  expect(await jobs.keepRows(place, ['first'], job)).toBe(true);
  expect(await jobs.keepRows(place, ['second'], job)).toBe(false);
  expect(await jobs.readRows(place)).toEqual(['first']);
});

describe('more than 200 watches', () => {
  it('are changed by a job with progress, results and undo', async () => {
    const count = 230;
    const rule = ruleSchema.parse(levelRule(80));
    const createdAt = new Date(api.clock.now).toISOString();
    const ids = Array.from({ length: count }, (_, at) => `wat_${String(at).padStart(32, '0')}`);
    for (const [at, watchId] of ids.entries()) {
      await api.stores.watches.create({
        ...{ watchId, ownerId: api.ann.ownerId, eventId: 100 + Math.floor(at / 10), version: 1 },
        ...{ channelIds: [api.ann.channelId], status: 'active', latencySeconds: 60 },
        ...{ tags: ['many'], createdAt, updatedAt: createdAt },
        rules: [{ ruleId: `rul_${at}`, rule, triggerIds: [`trg_${at}`] }],
      });
    }
    const action = { type: 'add_tags', tags: ['x'] };
    const dry = await bulk({ filter: { tag: 'many' }, action, dry_run: true });
    expect([dry.status, dry.body.is_dry_run]).toEqual([202, true]);
    await drainJobs(api);
    const told = (await api.call(`/v1/jobs/${dry.body.id}`)).body;
    expect(told).toMatchObject({
      ...{ state: 'done', counts: { would_change: count } },
      summary: { cost: { pulls_per_day_change: 0 } },
    });
    expect((await undo(dry.body.id)).status).toBe(409);

    const { status, body } = await bulk({ filter: { tag: 'many' }, action });
    expect([status, body.kind, body.state]).toEqual([202, 'bulk_change', 'queued']);
    expect((await undo(body.id)).status).toBe(409);
    await drainJobs(api);
    const job = (await api.call(`/v1/jobs/${body.id}`)).body;
    expect(job).toMatchObject({ state: 'done', done: count, counts: { changed: count } });
    const { data } = (await api.call(`/v1/jobs/${body.id}/results?limit=1`)).body;
    expect(data[0]).toMatchObject({ line: 1, outcome: 'changed', detail: 'tag x added' });

    const undone = await undo(body.id);
    expect(undone.status).toBe(202);
    await drainJobs(api);
    expect((await api.call(`/v1/jobs/${undone.body.id}`)).body.counts).toEqual({ changed: count });
    expect((await read(ids[7] ?? '')).tags).toEqual(['many']);
  });
});
