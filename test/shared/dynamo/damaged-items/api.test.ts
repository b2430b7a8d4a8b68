// What the stores behind the API make of an item that is damaged in one field.

import { describe, expect, it } from 'vitest';
import { leaseFrom } from '#shared/dynamo/idempotency.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { damages, eachDamageOf, now, openDamage } from '#test/support/damaged-items/open-damage.ts';

const { opened, damage } = openDamage();

const aWatch: Watch = {
  ...{ watchId: 'w_1', ownerId: 'own_1', version: 3, eventId: 7, name: 'a', rules: [] },
  ...{ status: 'paused', channelIds: [], latencySeconds: 300, changedBy: { way: 'request' } },
  ...{ createdAt: '2026-03-01T00:00:00Z', updatedAt: '2026-03-01T00:00:00Z' },
};

describe('a damaged item', () => {
  it.each(eachDamageOf(['taken', 'moves', 'movedAt']))(
    'quota is counted again: %s %s',
    async (field, _change, value) => {
      const { quotas } = opened.tables.stores;
      const place = { ownerId: 'own_1', kind: 'watches', now } as const;
      await quotas.take(place, { wanted: 1, most: 2 }, async () => 0);
      await damage('OWNER#own_1', 'QUOTA#watches', field, value);
      await quotas.give('own_1', 'watches', 1);
      const later = { ...place, now: now + 120_000 };
      expect(await quotas.take(later, { wanted: 1, most: 2 }, async () => 1)).toBe(true);
      expect(await quotas.take(later, { wanted: 2, most: 2 }, async () => 2)).toBe(false);
    },
  );

  it.each(damages)('count of requests starts again: %s', async (_change, value) => {
    const { requestCounts } = opened.tables.stores;
    await requestCounts.add('key_1', 60);
    await damage('REQUESTS#key_1', '60', 'requests', value);
    expect(await requestCounts.add('key_1', 60)).toBe(1);
    expect(await requestCounts.add('key_1', 60)).toBe(2);
  });

  it.each(damages)('tally starts again: %s', async (_change, value) => {
    const { tallies } = opened.tables.stores;
    const stretch = { name: 'day', startsAt: 0, endsAt: 86_400_000, ceiling: 2 };
    await tallies.take(stretch);
    await damage('TALLY#day', 'AT#0', 'count', value);
    expect(await tallies.take(stretch)).toBe(true);
    expect(await tallies.take(stretch)).toBe(true);
    expect(await tallies.take(stretch)).toBe(false);
  });

  it.each(eachDamageOf(['name', 'latencySeconds', 'status', 'changedBy', 'updatedAt', 'version']))(
    'version of a watch is shown with a safe value: %s %s',
    async (field, _change, value) => {
      const { watchVersions } = opened.tables.stores;
      await watchVersions.keep(aWatch, now);
      await watchVersions.keep({ ...aWatch, version: 4 }, now);
      await damage('WATCH#w_1', 'VERSION#0000000003', field, value);
      const found = await watchVersions.listBefore('w_1', 9, { limit: 5, now });
      expect(found.map(({ version }) => version)).toEqual([4, 3]);
    },
  );

  it.each(eachDamageOf(['eventId']))(
    'version of a watch is left out without its event: %s %s',
    async (field, _change, value) => {
      const { watchVersions } = opened.tables.stores;
      await watchVersions.keep(aWatch, now);
      await damage('WATCH#w_1', 'VERSION#0000000003', field, value);
      expect(await watchVersions.listBefore('w_1', 9, { limit: 5, now })).toEqual([]);
      expect(await watchVersions.find('w_1', 3, now)).toBeUndefined();
    },
  );

  it('claim of a question is taken over', async () => {
    const { watchClaims } = opened.tables.stores;
    const claim = { ownerId: 'own_1', question: 'q', watchId: 'w_1', claimedAt: now };
    await watchClaims.claim(claim, undefined);
    await damage('OWNER#own_1', 'ASKS#q', 'watchId', 7);
    await damage('OWNER#own_1', 'ASKS#q', 'claimedAt');
    const found = await watchClaims.find('own_1', 'q');
    const next = { ...claim, watchId: 'w_2' };
    expect(await watchClaims.claim(next, found)).toBe(true);
    expect(await watchClaims.claim({ ...claim, watchId: 'w_3' }, found)).toBe(false);
    expect(await watchClaims.find('own_1', 'q')).toEqual(next);
  });

  it.each(['fingerprint', 'status', 'body', 'startedAt'])(
    'answer kept is not repeated: %s',
    async (field) => {
      const { idempotency } = opened.tables.stores;
      const place = { keyId: 'key_1', route: '/v1/watches', key: 'k' };
      await idempotency.begin(place, 'f', now);
      await idempotency.keep(
        { ...place, leaseUntil: leaseFrom(now) },
        { status: 201, headers: {}, body: 'sealed' },
      );
      await damage('IDEMPOTENCY#key_1', '/v1/watches#k', field, ['odd']);
      await expect(idempotency.find(place, now)).rejects.toMatchObject({
        name: 'UnreadableItemError',
      });
    },
  );
});
