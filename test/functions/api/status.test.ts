// What every screen shows: the pulls of today, the age of the data, the owner's clock.
import { beforeEach, describe, expect, it } from 'vitest';
import { createKey, startMs } from '#test/support/api.ts';
import { type CountedApi, startCountedApi } from '#test/support/counted-api.ts';

const caps = { daily: 500, monthly: 10_000 };
const dayMs = 86_400_000;
const key = 'test_until_9999999999999';

let counted: CountedApi;

beforeEach(async () => {
  counted = await startCountedApi();
  return () => counted.stop();
});

const spend = async (spent: number) => {
  const { budget } = counted.tables.stores;
  await budget.reserve({ key, wanted: spent + 1, caps }, startMs);
  const answeredAt = startMs - 12_000;
  await budget.commitReservation(key, { reserved: spent, spent, answeredAt });
};
const status = () => counted.requestsOf('/v1/status');

describe('GET /v1/status', () => {
  it('says what the deployment has spent today, when it last asked, and the owner’s time zone', async () => {
    await spend(214);
    const { ann } = counted.tables;
    await counted.tables.call('/v1/owner', {
      ...{ method: 'PATCH', body: { time_zone: 'America/New_York' } },
    });
    expect((await status()).body).toEqual({
      owner: { id: ann.ownerId, name: 'person 1', time_zone: 'America/New_York' },
      pulls_today: {
        ...{ limited_by: 'deployment', spent: 214, cap: 500, left: 285 },
        resets_at: '2026-03-02T00:00:00.000Z',
      },
      stretched: false,
      paused_for: null,
      answered_at: '2026-03-01T11:59:48.000Z',
    });
  });

  it('says what is spent of an owner’s share, where it has one', async () => {
    await spend(214);
    const { budget } = counted.tables.stores;
    const { ownerId } = counted.tables.ann;
    await budget.replaceSettings({ revision: 0 }, { daily: 400, ownerShares: { [ownerId]: 0.25 } });
    await budget.chargeOwner('2026-03-01', ownerId, 12_500_000);
    expect((await status()).body.pulls_today).toMatchObject({
      ...{ limited_by: 'share', spent: 12.5, cap: 100, left: 87 },
    });
  });

  it('begins each UTC day at 0, and is empty before the first pull', async () => {
    const ofToday = async () => (await status()).body.pulls_today;
    expect(await ofToday()).toMatchObject({ spent: 0, cap: 500, left: 500 });
    await spend(214);
    counted.api.clock.now = startMs + dayMs;
    expect(await ofToday()).toMatchObject({ spent: 0, resets_at: '2026-03-03T00:00:00.000Z' });
  });

  it('says why polling is paused', async () => {
    const pause = { reason: 'payment', since: startMs } as const;
    await counted.tables.stores.marketState.change((state) => ({ ...state, pause }));
    expect((await status()).body.paused_for).toBe('payment');
  });

  it('takes one batch of reads beside those of every request, and is the same while nothing happens', async () => {
    await spend(1);
    await status();
    const { requests, headers } = await status();
    // The key by its hash and by its id, the count of requests, and the batch.
    const counts = Map.groupBy(requests, (name) => name);
    expect(counts.get('BatchGetCommand')).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(4);
    counted.api.clock.now += 15_000;
    const again = await counted.api.call('/v1/status', {
      key: counted.tables.ann.key,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('needs no more than a read key', async () => {
    const { tables } = counted;
    const readKey = await createKey(tables, tables.ann.ownerId, 'read');
    expect((await counted.requestsOf('/v1/status', readKey)).status).toBe(200);
  });
});
