import { describe, expect, it } from 'vitest';
import {
  aStatsPage,
  createBench,
  json,
  NOW_MS,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

async function clockOf(headers: Record<string, string>) {
  const service = await startFakeService(json(aStatsPage([]), 200, headers));
  const { client } = createBench(service.url);
  return (await client.statsPage(7)).serviceClock;
}

describe('the service clock of a result', () => {
  it('is the Date header and the client’s own time of arrival', async () => {
    expect(await clockOf({ date: 'Wed, 21 Oct 2026 07:28:00 GMT' })).toEqual({
      dateMs: Date.UTC(2026, 9, 21, 7, 28),
      receivedAtMs: NOW_MS,
    });
  });

  it.each([
    ['a date of another form', { date: '2026-10-21T07:28:00Z' }],
    ['an answer that a proxy kept', { date: 'Wed, 21 Oct 2026 07:28:00 GMT', age: '600' }],
  ])('is absent for %s', async (_, headers) => {
    expect(await clockOf(headers)).toBeUndefined();
  });

  it('is in a walk’s first page too', async () => {
    const headers = { date: 'Wed, 21 Oct 2026 07:28:00 GMT' };
    const service = await startFakeService(json(aStatsPage([]), 200, headers));
    const walk = createBench(service.url).client.stats(7);
    await walk.toArray();
    expect(walk.firstPage?.serviceClock?.dateMs).toBe(Date.UTC(2026, 9, 21, 7, 28));
  });
});
