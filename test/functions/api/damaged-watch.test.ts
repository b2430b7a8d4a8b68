// One stored watch that is damaged, among good ones: the list and the others are answered, and the damaged
// one says so or is answered with a plain problem.
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi, watchBody } from '#test/support/api.ts';

let api: Api;
let ids: string[];
let keys: { pk: string; sk: string };
let stored: Record<string, unknown>;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
  ids = [];
  for (const name of ['first', 'damaged', 'last']) {
    ids.push((await api.call('/v1/watches', { body: watchBody(api, { name }) })).body.id);
  }
  const { Items = [] } = await api.client.send(
    new ScanCommand({ TableName: api.names.WATCHLIST_TABLE }),
  );
  stored = Items.find(({ watchId, entity }) => watchId === ids[1] && entity === 'watch') ?? {};
  keys = { pk: String(stored.pk), sk: String(stored.sk) };
  return () => api.stop();
});

const write = (name: string, value: unknown) =>
  api.client.send(
    new UpdateCommand({
      TableName: api.names.WATCHLIST_TABLE,
      Key: keys,
      UpdateExpression: value === undefined ? 'REMOVE #name' : 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
    }),
  );

/** Attributes that the index lists a watch by: without one the watch is in no list, damaged or not. */
const indexed = ['pk', 'sk', 'ownerKey', 'ownerSort', 'unfinishedShard', 'nextAttemptAt'];
const damages: [string, unknown][] = [
  ['gone', undefined],
  ['a number', 7],
  ['a text', 'damaged'],
  ['a list', [1, { a: null }]],
  ['a map', { odd: 'damaged' }],
];
const oddRules: [string, unknown][] = [
  ['of a type that this release does not know', { type: 'from_tomorrow', level: 3 }],
  ['that does not compile', { type: 'level', metric: 'get_in', at_or_below: 'cheap' }],
  ['that is no object', 'rule'],
];

async function expectOthersWell(): Promise<void> {
  for (const path of [
    '/v1/watches',
    '/v1/watches?sort=closeness',
    '/v1/watchlist/export?format=csv',
  ]) {
    const { status, text } = await api.call(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain('first');
    expect(text).toContain('last');
  }
  const { status, body } = await api.call(`/v1/watches/${ids[0]}`);
  expect([status, body.trouble]).toEqual([200, []]);
}

/** It is shown with its trouble, or refused in words that name it. */
async function expectToldOfDamage(): Promise<void> {
  const { status, body } = await api.call(`/v1/watches/${ids[1]}`);
  if (status === 200) expect(body.trouble.length).toBeGreaterThan(0);
  else expect([status, body.type]).toEqual([409, 'urn:getin:problem:stored-unreadable']);
}

describe('a stored watch', () => {
  it.each(damages)(
    'of which one attribute is %s costs the list and the other watches nothing',
    async (_, value) => {
      const names = Object.keys(stored).filter((name) => !indexed.includes(name));
      expect(names.length).toBeGreaterThan(8);
      const failing: string[] = [];
      for (const name of names) {
        await write(name, value);
        await expectOthersWell();
        const { status } = await api.call(`/v1/watches/${ids[1]}`);
        if (![200, 404, 409].includes(status)) failing.push(`${name}: ${status}`);
        await write(name, stored[name]);
      }
      expect(failing).toEqual([]);
    },
  );

  it.each(oddRules)('with a rule %s costs the others nothing, and says so', async (_, rule) => {
    const [good] = stored.rules as { ruleId: string }[];
    await write('rules', [{ ...good, rule }]);
    await expectOthersWell();
    await expectToldOfDamage();
    await write('rules', stored.rules);
  });

  it.each(['rules', 'channelIds', 'eventId'])(
    'whose %s is damaged is not made a second time by its export',
    async (name) => {
      await write(name, 7);
      const row = { ...watchBody(api, { name: 'damaged' }), id: ids[1] };
      const { status, text, body } = await api.call('/v1/watchlist/import?dry_run=true', {
        body: { watches: [row] },
      });
      await write(name, stored[name]);
      expect([status, text]).toEqual([200, expect.any(String)]);
      expect(['refused', 'would_be_updated']).toContain(body.watches[0].outcome);
    },
  );
});
