import { describe, expect, it } from 'vitest';
import {
  aSnapshot,
  aStatsPage,
  createBench,
  json,
  NOW_MS,
  type Reply,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const silence: Reply = () => undefined;

describe('a deadline', () => {
  it('that has passed prevents the request', async () => {
    const service = await startFakeService(json(aStatsPage([])));
    const call = createBench(service.url).client.statsPage(7, { deadlineMs: NOW_MS });
    await expect(call).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'deadline',
      possiblePulls: 0,
    });
    expect(service.seen).toHaveLength(0);
  });

  it('ends a call that waits for its answer, which may have cost a pull', async () => {
    const service = await startFakeService(silence);
    const call = createBench(service.url).client.statsPage(7, { deadlineMs: NOW_MS + 40 });
    await expect(call).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'deadline',
      possiblePulls: 1,
    });
    expect(service.seen).toHaveLength(1);
  });

  it('turns a rate-limit wait that does not fit into an error with the wait', async () => {
    const service = await startFakeService(raw('', 429, { 'retry-after': '5' }));
    const { client, sleeps } = createBench(service.url);
    const call = client.statsPage(7, { deadlineMs: NOW_MS + 5000 });
    await expect(call).rejects.toMatchObject({ name: 'RateLimitedError', retryAfterMs: 5000 });
    expect(sleeps).toEqual([]);
  });

  it('allows a wait that fits', async () => {
    const service = await startFakeService(
      raw('', 429, { 'retry-after': '5' }),
      json(aStatsPage([])),
    );
    const { client, sleeps } = createBench(service.url);
    await client.statsPage(7, { deadlineMs: NOW_MS + 10_000 });
    expect(sleeps).toEqual([5000]);
  });

  it('ends retries with the last error instead of sleeping past it', async () => {
    const service = await startFakeService(raw('', 503));
    const { client, sleeps } = createBench(service.url);
    const call = client.statsPage(7, { deadlineMs: NOW_MS + 600 });
    await expect(call).rejects.toMatchObject({ name: 'ServerError', status: 503 });
    expect(sleeps).toEqual([250]);
  });

  it('applies to a whole walk', async () => {
    const more = { has_more: true, next_cursor: 'c' };
    const service = await startFakeService(
      json(aStatsPage([aSnapshot('2026-10-20T10:00:00Z')], more)),
    );
    const bench = createBench(service.url);
    const walk = bench.client.stats(7, { deadlineMs: NOW_MS + 1000 });
    const rows: unknown[] = [];
    const walking = (async () => {
      for await (const row of walk) {
        rows.push(row);
        bench.advance(1000);
      }
    })();
    await expect(walking).rejects.toMatchObject({ name: 'NetworkError', fault: 'deadline' });
    expect(rows).toHaveLength(1);
    expect(walk.isComplete).toBe(false);
  });
});

describe('the signal of the caller', () => {
  it('rejects with its own reason while the call waits for an answer', async () => {
    const reason = new Error('the user left');
    const controller = new AbortController();
    const service = await startFakeService(() => controller.abort(reason));
    const call = createBench(service.url).client.statsPage(7, { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
  });

  it('rejects before anything is sent when it has fired already', async () => {
    const service = await startFakeService(silence);
    const signal = AbortSignal.abort(new Error('too late'));
    const call = createBench(service.url).client.statsPage(7, { signal });
    await expect(call).rejects.toThrow('too late');
    expect(service.seen).toHaveLength(0);
  });

  it('ends a wait between attempts', async () => {
    const controller = new AbortController();
    const service = await startFakeService((request, response) => {
      setImmediate(() => controller.abort(new Error('shutting down')));
      return raw('', 429, { 'retry-after': '30' })(request, response);
    });
    const { MarketplaceClient } = await import('#shared/marketplace/client.ts');
    const client = new MarketplaceClient({ baseUrl: service.url, apiKey: 'k'.repeat(64) });
    const call = client.statsPage(7, { signal: controller.signal });
    await expect(call).rejects.toThrow('shutting down');
  });

  it('leaves no listener behind', async () => {
    const controller = new AbortController();
    let added = 0;
    const { signal } = controller;
    const counting = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') added += 1;
        if (name === 'removeEventListener') added -= 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const service = await startFakeService(json(aStatsPage([])));
    await createBench(service.url).client.statsPage(7, { signal: counting });
    expect(added).toBe(0);
  });
});
