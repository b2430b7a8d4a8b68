// What a bulk change costs in DynamoDB, in requests and in rounds of requests: each round takes one latency.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, levelRule, startApi, watchBody } from '#test/support/api.ts';
import { roundsOf } from '#test/support/count-rounds.ts';

const watches = 50;
let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
  for (let at = 0; at < watches; at += 1) {
    const body = watchBody(api, { event_id: 1_000 + at, tags: ['many'], rules: [levelRule(80)] });
    expect((await api.call('/v1/watches', { body })).status).toBe(201);
  }
});
afterAll(() => api.stop());

const roundsFor = (action: object, also: object = {}) =>
  roundsOf(api.client, async () => {
    const body = { filter: { tag: 'many' }, action, ...also };
    const { status, body: report } = await api.call('/v1/watches/bulk', { body });
    expect([status, report.total]).toEqual([200, watches]);
  });

it('a dry run writes nothing', async () => {
  const rounds = await roundsFor({ type: 'pause' }, { dry_run: true });
  const writes = rounds.flat().filter((name) => /^(Put|Update|Delete)/.test(name));
  // It counts the request.
  expect(writes).toEqual(['UpdateItemCommand']);
  expect(rounds.length).toBeLessThan(14);
});

it.each([
  ['tags', { type: 'add_tags', tags: ['x'] }, { perWatch: 5, rounds: 20 }],
  ['levels', { type: 'change_level', by_percent: -5 }, { perWatch: 12, rounds: 27 }],
  ['pausing', { type: 'pause' }, { perWatch: 17, rounds: 32 }],
  ['deleting', { type: 'delete' }, { perWatch: 12, rounds: 27 }],
])('%s of 50 watches', async (_what, action, most) => {
  const rounds = await roundsFor(action);
  // Beside those of each watch, a run has some twenty requests.
  expect(rounds.flat().length).toBeLessThanOrEqual(watches * most.perWatch + 25);
  expect(rounds.length).toBeLessThanOrEqual(most.rounds);
});
