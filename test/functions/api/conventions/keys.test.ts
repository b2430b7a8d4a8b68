// What a key may do, how often, and how much its owner may have.
import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Api,
  adminKey,
  createKey,
  eventId,
  levelRule,
  startApi,
  watchBody,
} from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

const newWatch = (also: Record<string, unknown> = {}) => watchBody(api, also);

describe('keys', () => {
  it.each([
    ['no key', ''],
    ['an unknown key', `getin_${'x'.repeat(43)}`],
    ['something else', 'hunter2'],
  ])('%s gets 401 and how to ask', async (_, key) => {
    const { status, headers } = await api.call('/v1/watches', { key });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('a read key looks and previews, and changes nothing', async () => {
    const key = await createKey(api, api.ann.ownerId, 'read');
    expect((await api.call('/v1/watches', { key })).status).toBe(200);
    const preview = { event_id: eventId, rule: levelRule(80) };
    expect((await api.call('/v1/rules/preview', { key, body: preview })).status).toBe(200);
    const { status, body } = await api.call('/v1/watches', { key, body: newWatch() });
    expect([status, body.detail]).toEqual([
      403,
      'This needs a key with scope write; this one has read',
    ]);
  });

  it('the key made at deploy makes one owner and one key, however many ask at first', async () => {
    const fresh = await startApi();
    const ask = () => fresh.call('/v1/keys', { key: adminKey });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const { body } = await ask();
    const { body: owners } = await fresh.call('/v1/owners', { key: adminKey });
    await fresh.stop();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(body.data).toMatchObject([{ scope: 'admin', hint: 'getin_aaaa…' }]);
    expect(owners.data.filter(({ name }: { name: string }) => name === 'admin')).toHaveLength(1);
  });

  it('a key for an unknown owner gets 404', async () => {
    const body = { owner_id: `own_${'9'.repeat(32)}`, name: 'bot', scope: 'write' };
    const answer = await api.call('/v1/keys', { key: adminKey, body });
    expect([answer.status, answer.body.detail]).toEqual([404, 'No owner with this id']);
  });

  it('is stored as a hash, beside the letters by which people tell it from others', async () => {
    const { body: made } = await api.call('/v1/keys', {
      key: adminKey,
      body: { name: 'hashed', scope: 'read' },
    });
    const { Items = [] } = await api.client.send(new ScanCommand({ TableName: 'Watchlist' }));
    const stored = Items.filter((item) => item.keyId === made.id && item.entity === 'apiKey');
    expect(stored).toMatchObject([
      {
        hash: createHash('sha256').update(made.key).digest('hex'),
        hint: `${made.key.slice(0, 10)}…`,
      },
    ]);
    expect(JSON.stringify(Items)).not.toContain(made.key.slice(0, 11));
  });

  it('only an admin key makes owners and keys', async () => {
    expect((await api.call('/v1/owners')).status).toBe(403);
    const { body: owner, status } = await api.call('/v1/owners', {
      key: adminKey,
      body: { name: 'Carl' },
    });
    expect(status).toBe(201);
    const { body: made } = await api.call('/v1/keys', {
      key: adminKey,
      body: { owner_id: owner.id, name: 'bot', scope: 'write' },
    });
    expect(made.key).toMatch(/^getin_[A-Za-z0-9_-]{43}$/);
    expect(made.hint).toBe(`${made.key.slice(0, 10)}…`);
    expect((await api.call('/v1/watches', { key: made.key })).body.data).toEqual([]);
    const { body: listed, text } = await api.call(`/v1/keys?owner_id=${owner.id}`, {
      key: adminKey,
    });
    expect(listed.data).toMatchObject([{ id: made.id, last_used_at: expect.any(String) }]);
    expect(text).not.toContain(made.key);

    const revoke = { method: 'DELETE', key: adminKey, headers: { 'if-match': '"1"' } };
    expect((await api.call(`/v1/keys/${made.id}`, revoke)).status).toBe(204);
    const { status: after, body } = await api.call('/v1/watches', { key: made.key });
    expect([after, body.detail]).toEqual([401, 'This API key has been revoked']);
  });

  it('notes a key’s last use at most every five minutes', async () => {
    const key = await createKey(api, api.bob.ownerId, 'read');
    const lastUse = async () => {
      const { body } = await api.call(`/v1/keys?owner_id=${api.bob.ownerId}`, { key: adminKey });
      return body.data[0].last_used_at;
    };
    await api.call('/v1/watches', { key });
    const first = await lastUse();
    api.clock.now += 60_000;
    await api.call('/v1/watches', { key });
    expect(await lastUse()).toBe(first);
    api.clock.now += 5 * 60_000;
    await api.call('/v1/watches', { key });
    expect(await lastUse()).not.toBe(first);
  });
});

describe('limits', () => {
  it('says what is left of a key’s requests, and turns the rest away for a while', async () => {
    const limited = await startApi({ requestLimit: { requests: 3, windowSeconds: 60 } });
    limited.clock.now = Date.parse('2026-03-01T12:00:20Z');
    const answers = [];
    for (let request = 0; request < 4; request += 1)
      answers.push(await limited.call('/v1/watches'));
    const other = await limited.call('/v1/watches', { key: limited.bob.key });
    limited.clock.now += 40_000;
    const later = await limited.call('/v1/watches');
    await limited.stop();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
      '2',
      '1',
      '0',
      '0',
    ]);
    expect(answers[3]?.headers.get('retry-after')).toBe('40');
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('3');
    expect([other.status, later.status]).toEqual([200, 200]);
  });

  it('holds the quotas of watches and rules, also at once, and gives places back', async () => {
    const small = await startApi({ quotas: { watches: 2, rules: 3, channels: 1 } });
    const make = (name: string, rules = 1) =>
      small.call('/v1/watches', {
        body: {
          event_id: eventId,
          name,
          rules: Array.from({ length: rules }, (_, index) => levelRule(index + 1)),
          channels: [small.ann.channelId],
        },
      });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make(name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403]);
    const refused = answers.find(({ status }) => status === 403)?.body;
    expect(refused).toMatchObject({
      type: 'urn:getin:problem:quota-exceeded',
      quota: 'watches',
      max: 2,
    });
    const made = answers.find(({ status }) => status === 201)?.body;
    await small.call(`/v1/watches/${made.id}`, { method: 'DELETE', headers: { 'if-match': '*' } });
    expect((await make('e', 3)).body.quota).toBe('rules');
    expect((await make('f', 2)).status).toBe(201);
    await small.stop();
  });

  it('holds the quota of rules for a change of a watch too', async () => {
    const small = await startApi({ quotas: { watches: 2, rules: 3, channels: 1 } });
    const { body: made } = await small.call('/v1/watches', { body: watchBody(small) });
    const change = (rules: number) =>
      small.call(`/v1/watches/${made.id}`, {
        method: 'PATCH',
        headers: { 'if-match': '*' },
        body: { rules: Array.from({ length: rules }, (_, index) => levelRule(index + 1)) },
      });
    const { status, body } = await change(4);
    expect([status, body.quota]).toEqual([403, 'rules']);
    expect((await small.call(`/v1/watches/${made.id}`)).body.rules).toHaveLength(1);
    const after = [(await change(3)).status, (await change(1)).status, (await change(3)).status];
    await small.stop();
    expect(after).toEqual([200, 200, 200]);
  });

  it('holds the quota of channels, also at once, and gives places back', async () => {
    const small = await startApi({ quotas: { watches: 1, rules: 1, channels: 2 } });
    const make = (name: string) =>
      small.call('/v1/channels', { body: { kind: 'webhook', url: 'https://example.com/h', name } });
    const answers = await Promise.all(['a', 'b', 'c'].map(make));
    const made = answers.find(({ status }) => status === 201)?.body;
    const refused = answers.find(({ status }) => status === 403)?.body;
    await small.call(`/v1/channels/${made.id}`, {
      method: 'DELETE',
      headers: { 'if-match': '*' },
    });
    const after = await make('d');
    await small.stop();

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403]);
    expect(refused).toMatchObject({ quota: 'channels', max: 2 });
    expect(after.status).toBe(201);
  });

  it('finds places again that were taken for what never came to be', async () => {
    const small = await startApi({ quotas: { watches: 2, rules: 9, channels: 1 } });
    const place = { ownerId: small.ann.ownerId, kind: 'watches', now: small.clock.now } as const;
    await small.stores.quotas.take(place, { wanted: 2, most: 2 }, async () => 0);
    const make = async () => (await small.call('/v1/watches', { body: watchBody(small) })).status;
    const atOnce = await make();
    small.clock.now += 60_000;
    const later = await make();
    await small.stop();
    expect([atOnce, later]).toEqual([403, 201]);
  });
});
