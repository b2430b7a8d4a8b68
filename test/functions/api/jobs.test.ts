// Jobs by the API: who sees them, how they are cancelled, and when they are gone.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi, startMs } from '#test/support/api.ts';
import { aJob } from '#test/support/jobs.ts';

const idOf = (n: number) => `job_${String(n).padStart(32, '0')}`;

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

/** The nth job of Ann, with the results of its saved lots: two rows each. */
async function addJob(n: number, also: Parameters<typeof aJob>[0] = {}) {
  const job = aJob({ jobId: idOf(n), ownerId: api.ann.ownerId, ...also });
  await api.stores.jobs.create(job);
  for (let lot = 0; lot < job.lots + 1; lot += 1) {
    const rows = [1, 2].map((row) => ({
      ...{ line: 2 * lot + row, outcome: 'created', id: null, detail: null },
    }));
    await api.stores.jobs.putRows({ jobId: job.jobId, part: 'result', lot }, rows, job);
  }
  return job;
}

describe('the list', () => {
  it('has the owner’s jobs in pages, the newest first', async () => {
    for (const n of [1, 2, 3]) await addJob(n);
    const first = (await api.call('/v1/jobs?limit=2')).body;
    const next = `/v1/jobs?limit=2&starting_after=${first.next_cursor}`;
    const second = (await api.call(next)).body;
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect([ids, second.has_more]).toEqual([[idOf(3), idOf(2), idOf(1)], false]);
    expect((await api.call('/v1/jobs', { key: api.bob.key })).body.data).toEqual([]);
  });

  it('has no job that has expired, also if it is still stored', async () => {
    await addJob(1, { expiresAtEpochSeconds: startMs / 1_000 });
    expect((await api.call('/v1/jobs')).body.data).toEqual([]);
    expect((await api.call(`/v1/jobs/${idOf(1)}`)).status).toBe(404);
    expect((await api.call(`/v1/jobs/${idOf(1)}/results`)).status).toBe(404);
  });
});

describe('the results', () => {
  it('are those of the lots that are saved: a lot that is under way has none yet', async () => {
    await addJob(1, { state: 'running', lots: 2 });
    const { data } = (await api.call(`/v1/jobs/${idOf(1)}/results`)).body;
    expect(data.map(({ line }: { line: number }) => line)).toEqual([1, 2, 3, 4]);
  });

  it('go on at the cursor of the page before, within a lot and between lots', async () => {
    await addJob(1, { state: 'running', lots: 3 });
    const lines: number[][] = [];
    let cursor = '';
    for (let page = 0; page < 5; page += 1) {
      const { body } = await api.call(`/v1/jobs/${idOf(1)}/results?limit=2${cursor}`);
      lines.push(body.data.map(({ line }: { line: number }) => line));
      if (!body.has_more) break;
      cursor = `&starting_after=${body.next_cursor}`;
    }
    expect(lines).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const odd = (await api.call(`/v1/jobs/${idOf(1)}/results?limit=3`)).body;
    const next = `limit=3&starting_after=${odd.next_cursor}`;
    const rest = (await api.call(`/v1/jobs/${idOf(1)}/results?${next}`)).body;
    expect(rest.data.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6]);
  });
});

describe('a cancellation', () => {
  const cancel = (n: number, key = api.ann.key) =>
    api.call(`/v1/jobs/${idOf(n)}/cancel`, { method: 'POST', key });

  it('ends a job that has not begun, and may be repeated', async () => {
    await addJob(1);
    const { status, body } = await cancel(1);
    expect([status, body.state, body.finished_at]).toEqual([
      ...[200, 'cancelled', '2026-03-01T12:00:00.000Z'],
    ]);
    expect((await cancel(1)).body).toEqual(body);
  });

  it('asks a running job to end', async () => {
    await addJob(1);
    await api.stores.jobs.acquire(idOf(1), 'a run', startMs);
    const { status, headers, body } = await cancel(1);
    expect([status, body.state, body.cancel_requested_at, headers.get('retry-after')]).toEqual([
      ...[200, 'running', '2026-03-01T12:00:00.000Z', '2'],
    ]);
  });

  it('of a job that is over is refused, and of another owner’s not found', async () => {
    await addJob(1, { state: 'done' });
    const { status, body } = await cancel(1);
    expect([status, body.detail]).toEqual([409, 'The job is over: its state is done']);
    expect((await cancel(1, api.bob.key)).status).toBe(404);
  });
});
