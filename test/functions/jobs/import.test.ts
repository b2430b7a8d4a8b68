// The import of a large file: taken at once, carried out as a job, and reported row by row.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Api, levelRule, startApi, startMs, statsAt, watchBody } from '#test/support/api.ts';
import { drainJobs } from '#test/support/jobs.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
});
afterEach(() => api.stop());

const rows = 250;
const fileOf = (row: (index: number) => string, count = rows, header = 'event_id,at_or_below') =>
  [header, ...Array.from({ length: count }, (_, index) => row(index))].join('\n');
/** Each row on an event of its own, on the default channel. */
const usual = fileOf((index) => `${1_000 + index},80`);

async function send(body: string, query = '', headers: Record<string, string> = {}) {
  return api.call(`/v1/watchlist/import${query}`, {
    ...{ body, headers: { 'content-type': 'text/csv', ...headers } },
  });
}
const jobOf = async (id: string) => (await api.call(`/v1/jobs/${id}`)).body;
const watches = () => api.stores.watches.listAll(api.ann.ownerId);
async function setDefaultChannel(): Promise<void> {
  const body = { channels: [api.ann.channelId], latency_seconds: 3_600 };
  await api.call('/v1/defaults', { method: 'PATCH', headers: { 'if-match': '*' }, body });
}
beforeEach(setDefaultChannel);

describe('a large file', () => {
  it('is taken with 202 and a job, and nothing is made yet', async () => {
    const { status, headers, body } = await send(usual);
    expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([
      ...[202, `/v1/jobs/${body.id}`, '2'],
    ]);
    expect(body).toMatchObject({
      ...{ kind: 'import', state: 'queued', total: 250, done: 0, counts: {}, is_dry_run: false },
      ...{ error: null, finished_at: null, expires_at: '2026-03-08T12:00:00.000Z' },
    });
    expect(await watches()).toEqual([]);
    expect((await api.call('/v1/jobs')).body.data).toEqual([body]);
  });

  it('is carried out by the worker, in the order of the file', async () => {
    const { body } = await send(usual);
    expect(await drainJobs(api)).toEqual([{ outcome: 'over', lots: 3 }]);
    expect(await jobOf(body.id)).toMatchObject({
      ...{ state: 'done', done: 250, counts: { created: 250 } },
    });
    const made = (await watches()).reverse();
    expect(made.map(({ eventId }) => eventId)).toEqual(
      Array.from({ length: rows }, (_, index) => 1_000 + index),
    );
    expect(made[0]).toMatchObject({ latencySeconds: 3_600, channelIds: [api.ann.channelId] });
  });

  it('has the result of each row, in pages and as CSV', async () => {
    const { body } = await send(usual);
    await drainJobs(api);
    const first = (await api.call(`/v1/jobs/${body.id}/results?limit=199`)).body;
    const next = `/v1/jobs/${body.id}/results?limit=199&starting_after=${first.next_cursor}`;
    const second = (await api.call(next)).body;
    expect([first.data.length, second.data.length, second.has_more]).toEqual([199, 51, false]);
    const lines = [...first.data, ...second.data].map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: rows }, (_, index) => index + 2));
    const csv = (await api.call(`/v1/jobs/${body.id}/results?format=csv&for=excel`)).text;
    const [header, row] = csv.replace('\uFEFF', '').split('\r\n');
    const { id } = first.data[0];
    expect([header, row]).toEqual(['line,outcome,id,detail', `2,created,${id},`]);
    expect(csv.trim().split('\r\n')).toHaveLength(251);
  });

  it('is foretold with the quota, over all of its lots', async () => {
    const quotas = { watches: 130, rules: 1_000, channels: 10 };
    const { body } = await send(usual, '?dry_run=true');
    await drainJobs(api, { quotas }, 2);
    expect((await jobOf(body.id)).counts).toEqual({ would_be_created: 130, refused: 120 });
  });

  it('sent again changes nothing, and goes on where the first stopped', async () => {
    const { body: first } = await send(usual);
    await drainJobs(api, {}, 1);
    expect((await jobOf(first.id)).state).toBe('done');
    const before = await watches();
    const { body } = await send(`${usual}\n9999,80`);
    await drainJobs(api);
    expect((await jobOf(body.id)).counts).toEqual({ already_there: 250, created: 1 });
    expect((await watches()).slice(1)).toEqual(before);
  });

  it('under the same Idempotency-Key is one job', async () => {
    const key = { 'idempotency-key': 'k1' };
    const { body: first } = await send(usual, '', key);
    const { body: second, headers } = await send(usual, '', key);
    expect([second.id, headers.get('location')]).toEqual([first.id, `/v1/jobs/${first.id}`]);
    expect((await api.call('/v1/jobs')).body.data).toHaveLength(1);
  });

  it('is refused while ten jobs of the owner are not over', async () => {
    for (let n = 0; n < 10; n += 1) expect((await send(usual)).status).toBe(202);
    const { status, headers, body } = await send(usual);
    expect([status, headers.get('retry-after')]).toEqual([429, '30']);
    expect(body.detail).toContain('10 of your jobs are not over, and at most 10 may be');
    const [{ id }] = (await api.call('/v1/jobs?limit=1')).body.data;
    await api.call(`/v1/jobs/${id}/cancel`, { method: 'POST' });
    expect((await send(usual)).status).toBe(202);
  });

  it('changes watches by their ids, and reports a row that is refused alone', async () => {
    await api.stores.snapshots.createAll([statsAt(startMs, 100, { Court: 90 })], startMs);
    const { id } = (await api.call('/v1/watches', { body: watchBody(api) })).body;
    const file = fileOf((index) => `,${1_000 + index},80,`, 249, 'id,event_id,at_or_below,zone');
    const { body } = await send(`${file}\n${id},4711,75,\n,4711,75,Moon`);
    await drainJobs(api);
    expect((await jobOf(body.id)).counts).toEqual({ created: 249, updated: 1, refused: 1 });
    const { data } = (await api.call(`/v1/jobs/${body.id}/results?limit=200`)).body;
    expect(data[0].line).toBe(2);
    const csv = (await api.call(`/v1/jobs/${body.id}/results?format=csv`)).text;
    expect(csv).toContain(`251,updated,${id},`);
    expect(csv).toMatch(/252,refused,,.*zone/);
    expect((await watches()).find(({ watchId }) => watchId === id)?.rules[0]?.rule).toEqual({
      ...levelRule({ amount: 75 }),
      at_or_below: 75,
    });
  });

  it('that is JSON works as well', async () => {
    const file = Array.from({ length: 201 }, (_, index) => ({
      ...{ event_id: 1_000 + index, rules: [levelRule(80)] },
    }));
    const { status, body } = await api.call('/v1/watchlist/import', { body: { watches: file } });
    expect(status).toBe(202);
    await drainJobs(api);
    expect((await jobOf(body.id)).counts).toEqual({ created: 201 });
  });
});

describe('a large file with faults', () => {
  it('is refused whole, with every fault that the file itself shows', async () => {
    const { status, body } = await send(
      fileOf((index) => `${1_000 + index},${index % 2 ? 80 : 'x'}`),
    );
    expect([status, body.errors.length, body.errors[1]]).toEqual([
      ...[400, 125],
      { line: 4, pointer: '#/at_or_below', detail: expect.any(String) },
    ]);
    expect(api.jobs).toEqual([]);
  });

  it('lists a thousand faults at most, and says how many there are', async () => {
    const { body } = await send(fileOf((index) => `${index},x`, 1_500));
    expect(body.errors).toHaveLength(1_000);
    expect(body.detail).toContain('The first 1,000 of 1,500 faults are listed');
  });

  it('of more than 10,000 rows is refused', async () => {
    const { status, body } = await send(fileOf((index) => `${1 + index},80`, 10_001));
    expect([status, body.errors[0].detail]).toEqual([
      ...[400, 'must have at most 10,000 rows, and has 10,001'],
    ]);
  });
});

describe('a dry run of a large file', () => {
  it('says what each row would do, and makes nothing', async () => {
    await send(usual);
    await drainJobs(api);
    const before = await watches();
    const file = `${usual}\n5000,80\n5000,80\n5001,x`;
    const { status, body } = await send(file, '?dry_run=true');
    expect([status, body.is_dry_run]).toEqual([202, true]);
    await drainJobs(api);
    const job = await jobOf(body.id);
    expect(job.counts).toEqual({ already_there: 251, would_be_created: 1, refused: 1 });
    const csv = (await api.call(`/v1/jobs/${body.id}/results?format=csv`)).text;
    expect(csv).toContain('253,already_there,,asks for the same watch as line 252');
    expect(csv).toMatch(/254,refused,,at_or_below/);
    expect(await watches()).toEqual(before);
  });

  it('says what the watches would cost, each event once, also over several runs', async () => {
    const day = 86_400_000;
    for (const eventId of [1, 2, 3]) {
      const facts = { eventId, name: `Event ${eventId}`, updatedAt: 1 };
      const dated = { ...facts, startsAt: startMs + 10 * day };
      await api.stores.eventFacts.keep(eventId === 2 ? facts : dated);
    }
    // Three events, watched at several levels; one row wants faster polls.
    const row = (index: number) =>
      `${1 + (index % 3)},${10 + index},${index === 199 ? 600 : 3_600}`;
    const file = fileOf(row, rows, 'event_id,at_or_below,latency_seconds');
    const { body } = await send(file, '?dry_run=true');
    await drainJobs(api, {}, 1);
    const { state, counts, summary } = await jobOf(body.id);
    expect([state, counts]).toEqual(['done', { would_be_created: 250 }]);
    // Two feeds at 24 pulls a day; one at 144, of the event without a date, which is in the sum by day only.
    expect(summary.cost).toEqual({
      ...{ pulls_per_day_added: 192, flat_value_per_day: 2.88, is_upper_bound: true },
      until_events: { pulls_added: 480, flat_value: 7.2, events_without_date: 1 },
    });
  });

  it('of a small file says the cost in its answer', async () => {
    const { body } = await send('event_id,at_or_below\n1,80\n2,80', '?dry_run=true');
    expect(body.cost).toMatchObject({ pulls_per_day_added: 48, flat_value_per_day: 0.72 });
    expect((await send('event_id,at_or_below\n1,80\n2,80')).body.cost).toBeNull();
  });
});
