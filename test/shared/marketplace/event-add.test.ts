import { describe, expect, it } from 'vitest';
import { createBench, json, startFakeService } from '#test/support/marketplace/fake-service.ts';

const JOB_ID = '0198b3b4-6f5e-7cc0-8000-0242ac120002';

function aJob(status: string) {
  return {
    job_id: JOB_ID,
    status,
    message: 'm',
    created_at: '2026-10-21T07:00:00Z',
    started_at: null,
    completed_at: null,
    search_query: 'Knicks',
    events_added: 0,
    events_updated: 0,
    error: null,
    response_time_ms: null,
    expired: false,
  };
}

describe('adding events', () => {
  it('submits the query', async () => {
    const submitted = {
      job_id: JOB_ID,
      status: 'pending',
      message: 'm',
      active_jobs: 1,
      max_simultaneous: 5,
    };
    const service = await startFakeService(json(submitted, 202));
    const result = await createBench(service.url).client.addEvents('Knicks & "Nets", 2026');
    expect(result).toMatchObject({ data: submitted, cost: { pulls: 0, reason: 'free' } });
    expect(service.seen[0]).toMatchObject({
      method: 'POST',
      path: '/v0.4/events/event-request-add',
      body: '{"search_query":"Knicks & \\"Nets\\", 2026"}',
    });
  });

  it.each(['', 'a'.repeat(201), 'a;b', 'tab\there'])(
    'refuses %j without a request',
    async (query) => {
      const service = await startFakeService(json({}));
      await expect(createBench(service.url).client.addEvents(query)).rejects.toMatchObject({
        name: 'InvalidRequestError',
        param: 'search_query',
      });
      expect(service.seen).toHaveLength(0);
    },
  );
});

describe('waiting for a job', () => {
  it.each(['completed', 'failed', 'timeout'])('ends when it is %s', async (status) => {
    const service = await startFakeService(
      json(aJob('pending')),
      json(aJob('processing')),
      json(aJob(status)),
    );
    const { client, sleeps } = createBench(service.url);
    const seen: string[] = [];
    const result = await client.waitForEventAddJob(JOB_ID, {
      onProgress: (job) => seen.push(job.status),
    });
    expect(result.data.status).toBe(status);
    expect(seen).toEqual(['pending', 'processing', status]);
    expect(sleeps).toEqual([2000, 2000]);
    expect(service.seen[0]?.path).toBe(`/v0.4/events/event-request-status/${JOB_ID}/`);
  });

  it.each([
    ['four minutes at the latest', undefined, 24],
    ['the deadline', 25_000, 3],
  ])('is given up after %s', async (_, deadlineInMs, looks) => {
    const service = await startFakeService(json(aJob('processing')));
    const { client, now } = createBench(service.url);
    const call = client.waitForEventAddJob(JOB_ID, {
      pollIntervalMs: 10_000,
      deadlineMs: deadlineInMs === undefined ? undefined : now() + deadlineInMs,
    });
    await expect(call).rejects.toMatchObject({ name: 'NetworkError', fault: 'deadline' });
    expect(service.seen).toHaveLength(looks);
  });

  it('refuses an id that is no UUID', async () => {
    const { client } = createBench('http://127.0.0.1:1');
    await expect(client.eventAddJob('../account')).rejects.toMatchObject({ param: 'job_id' });
  });
});
