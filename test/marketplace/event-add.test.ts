import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Discover } from '#marketplace/jobs.ts';
import { eventAddJobSchema, eventAddSubmittedSchema } from '#shared/marketplace/contract.ts';
import { anEvent, dayMs, openMarket } from './support/market.ts';

const submitPath = '/v0.4/events/event-request-add';
const statusPath = (jobId: string) => `/v0.4/events/event-request-status/${jobId}/`;

const never: Discover = () => new Promise(() => {});

function submit(
  market: ReturnType<typeof openMarket>,
  search_query: unknown = 'knicks',
  key?: string,
) {
  return market.post(submitPath, { search_query }, key);
}

/** Lets a waiting job start its search. */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('POST /v0.4/events/event-request-add', () => {
  it('answers 202 with the job and how many are active', async () => {
    const market = openMarket({ discover: never });
    const { status, json } = await submit(market);
    expect(status).toBe(202);
    expect(eventAddSubmittedSchema.safeParse(json).error).toBeUndefined();
    expect(json).toMatchObject({ status: 'pending', active_jobs: 1, max_simultaneous: 5 });
    market.close();
  });

  it('takes at most five unfinished jobs per user', async () => {
    const market = openMarket({ discover: never });
    for (let i = 1; i <= 5; i += 1) expect((await submit(market)).json.active_jobs).toBe(i);
    expect(await submit(market)).toMatchObject({
      status: 429,
      json: { error: expect.any(String), active_jobs: 5, max_simultaneous: 5 },
    });
    expect((await submit(market, 'knicks', market.keys.flat)).status).toBe(202);
    market.close();
  });

  it.each([
    ['letters, digits and all punctuation', `Beyoncé 2026 - _ . , ' " &`, 202],
    ['200 characters', 'a'.repeat(200), 202],
    ['201 characters', 'a'.repeat(201), 400],
    ['nothing', '', 400],
    ['another character', 'a;b', 400],
    ['a line break', 'a\nb', 400],
    ['an emoji', '🎟', 400],
    ['a number', 5, 400],
    ['null', null, 400],
  ])('query: %s', async (_, query, status) => {
    const market = openMarket({ discover: never });
    const reply = await submit(market, query);
    expect(reply.status).toBe(status);
    if (status === 400) expect(reply.json).toEqual({ error: expect.any(String) });
    market.close();
  });

  it('a body that is not JSON is 400', async () => {
    const reply = await openMarket().ask(submitPath, { method: 'POST', body: 'nope' });
    expect(reply).toMatchObject({ status: 400, json: { error: expect.any(String) } });
  });
});

describe('event-add states', () => {
  it('pending, processing, completed, with counts of new and known events', async () => {
    const found = [
      anEvent(1, { event_name: 'Knicks one' }),
      anEvent(8, { event_name: 'Knicks two' }),
    ];
    let release = (): void => {};
    const market = openMarket({
      discover: () => new Promise((resolve) => (release = () => resolve(found))),
    });
    market.ingest.accept({ events: [anEvent(7, { event_name: 'Knicks zero' })] });
    const { job_id } = (await submit(market)).json;
    const ask = async () => (await market.get(statusPath(job_id))).json;
    expect(await ask()).toMatchObject({ status: 'pending', started_at: null, completed_at: null });
    await nextTurn();
    market.pass(2000);
    expect(await ask()).toMatchObject({
      status: 'processing',
      started_at: '2026-11-27T12:00:00.000Z',
    });
    release();
    await market.jobs.idle();
    const job = await ask();
    expect(eventAddJobSchema.safeParse(job).error).toBeUndefined();
    expect(job).toMatchObject({
      job_id,
      status: 'completed',
      search_query: 'knicks',
      events_added: 1,
      events_updated: 2,
      error: null,
      response_time_ms: 2000,
      completed_at: '2026-11-27T12:00:02.000Z',
      expired: false,
    });
    expect((await market.get('/v1/events/search?event_name=knicks%20two')).json.data).toHaveLength(
      1,
    );
    market.pass(dayMs);
    expect(await ask()).toMatchObject({ status: 'completed', expired: true });
  });

  it('failed, with the error', async () => {
    const market = openMarket({ discover: () => Promise.reject(new Error('no answer')) });
    const { job_id } = (await submit(market)).json;
    await market.jobs.idle();
    const { json } = await market.get(statusPath(job_id));
    expect(json).toMatchObject({ status: 'failed', error: 'no answer' });
  });

  it('timeout after three minutes; then the next job runs', async () => {
    const queries: string[] = [];
    const market = openMarket({
      discover: (query, signal) => {
        queries.push(query);
        return query === 'slow' ? never(query, signal) : Promise.resolve([]);
      },
    });
    const slow = (await submit(market, 'slow')).json.job_id;
    const next = (await submit(market, 'next')).json.job_id;
    await nextTurn();
    market.pass(180_000);
    expect((await market.get(statusPath(slow))).json.status).toBe('processing');
    market.pass(1);
    expect((await market.get(statusPath(slow))).json).toMatchObject({
      status: 'timeout',
      error: expect.any(String),
      response_time_ms: 180_000,
    });
    await market.jobs.idle();
    expect((await market.get(statusPath(next))).json).toMatchObject({
      status: 'completed',
      message: 'No events found',
    });
    expect(queries).toEqual(['slow', 'next']);
  });

  it('an unknown job, or a job of another account, is a plain-text 404', async () => {
    const market = openMarket();
    const { job_id } = (await submit(market)).json;
    for (const [id, key] of [
      ['00000000-0000-4000-8000-000000000000', market.keys.main],
      ['nope', market.keys.main],
      [job_id, market.keys.flat],
    ] as const) {
      expect(await market.get(statusPath(id), key)).toMatchObject({
        status: 404,
        text: 'Job not found',
      });
    }
    expect((await market.get(statusPath(job_id).slice(0, -1))).status).toBe(200);
  });

  it('jobs survive a restart: unfinished jobs run again, finished jobs stay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-'));
    const db = join(folder, 'market.sqlite');
    const before = openMarket({ db, discover: never });
    const { job_id } = (await submit(before)).json;
    await nextTurn();
    expect((await before.get(statusPath(job_id))).json.status).toBe('processing');
    before.close();
    const after = openMarket({ db, discover: async () => [anEvent(9)] });
    expect(after.keys).toEqual(before.keys);
    await after.jobs.idle();
    expect((await after.get(statusPath(job_id))).json).toMatchObject({
      status: 'completed',
      events_added: 1,
    });
    after.close();
    rmSync(folder, { recursive: true });
  });
});
