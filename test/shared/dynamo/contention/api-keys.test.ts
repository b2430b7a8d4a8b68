import type { Stores } from '#shared/dynamo/stores.ts';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const _now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const aKey: ApiKey = {
  ...{ hash: 'h', keyId: 'key_1', ownerId: 'own_1', scope: 'write' },
  createdAt: '2026-03-01T00:00:00Z',
};
const createKey = (name: string) => (stores: Stores) => stores.apiKeys.create({ ...aKey, name });
const use = (at: string, notAfter: string) => (stores: Stores) =>
  stores.apiKeys.noteUse(aKey, at, notAfter);
const keyLeft = async ({ apiKeys }: Stores) => {
  const found = await apiKeys.findByHash('h');
  return found && [found.name, found.lastUsedAt, found.revokedAt];
};

describeMeetings('an API key', {
  'is made once': meeting({
    given: nothing,
    a: createKey('a'),
    b: createKey('b'),
    left: keyLeft,
    outcomes: [
      [false, true, ['b', undefined, undefined]],
      [true, false, ['a', undefined, undefined]],
    ],
  }),
  'is revoked at the first time': meeting({
    given: createKey('x'),
    a: ({ apiKeys }) => apiKeys.revoke(aKey, '2026-03-02'),
    b: ({ apiKeys }) => apiKeys.revoke(aKey, '2026-03-03'),
    left: keyLeft,
    outcomes: [
      [false, true, ['x', undefined, '2026-03-03']],
      [true, false, ['x', undefined, '2026-03-02']],
    ],
  }),
  'has its use noted now and then': meeting({
    given: createKey('x'),
    a: use('2026-03-02', '2026-03-01'),
    b: use('2026-03-03', '2026-03-02'),
    left: keyLeft,
    outcomes: [[undefined, undefined, ['x', '2026-03-03', undefined]]],
  }),
  'is renamed once from one version': meeting({
    given: createKey('x'),
    a: ({ apiKeys }) => apiKeys.rename(aKey, 'a'),
    b: ({ apiKeys }) => apiKeys.rename(aKey, 'b'),
    left: keyLeft,
    outcomes: [
      [false, true, ['b', undefined, undefined]],
      [true, false, ['a', undefined, undefined]],
    ],
  }),
  'is rotated to one key': meeting({
    given: createKey('x'),
    a: ({ apiKeys }) => apiKeys.rotate(aKey, { rotatedTo: 'key_a', endsAt: '2026-03-02' }),
    b: ({ apiKeys }) => apiKeys.rotate(aKey, { rotatedTo: 'key_b', endsAt: '2026-03-03' }),
    left: async ({ apiKeys }) => (await apiKeys.findByHash('h'))?.rotatedTo,
    outcomes: [
      [false, true, 'key_b'],
      [true, false, 'key_a'],
    ],
  }),
});
