// An owner's own keys: each key manages the keys of its owner, up to its own scope.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, adminKey, anyVersion, createKey, startApi } from '#test/support/api.ts';

let api: Api;
const hourMs = 3_600_000;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

async function newOwner(): Promise<{ ownerId: string; key: string; keyId: string }> {
  const { body: owner } = await api.call('/v1/owners', { key: adminKey, body: { name: 'Carl' } });
  const { body: made } = await api.call('/v1/keys', {
    key: adminKey,
    body: { owner_id: owner.id, name: 'first', scope: 'write' },
  });
  return { ownerId: owner.id, key: made.key, keyId: made.id };
}

const make = (key: string, scope: string, name = 'bot', headers = {}) =>
  api.call('/v1/keys', { key, body: { name, scope }, headers });
const rotate = (key: string, keyId: string, headers = {}) =>
  api.call(`/v1/keys/${keyId}/rotation`, { method: 'POST', key, headers });
const revoke = (key: string, keyId: string) =>
  api.call(`/v1/keys/${keyId}`, { method: 'DELETE', key, headers: anyVersion });
const works = async (key: string) => (await api.call('/v1/owner', { key })).status;

describe('a write key', () => {
  it('makes, lists, renames and ends keys of its own owner', async () => {
    const { key, keyId } = await newOwner();
    const { status, body: made } = await make(key, 'read', 'dashboard');
    expect([status, made.scope, await works(made.key)]).toEqual([201, 'read', 200]);
    const renamed = await api.call(`/v1/keys/${made.id}`, {
      method: 'PATCH',
      key,
      body: { name: 'board' },
      headers: { 'if-match': '"1"' },
    });
    expect([renamed.body.name, renamed.headers.get('etag')]).toEqual(['board', '"2"']);
    expect((await revoke(key, made.id)).status).toBe(204);
    expect(await works(made.key)).toBe(401);
    const { body: list } = await api.call('/v1/keys', { key });
    expect(list.data.map(({ id }: { id: string }) => id).sort()).toEqual([keyId, made.id].sort());
    const { status: read, body: gone } = await api.call(`/v1/keys/${made.id}`, { key });
    expect([read, gone.revoked_at]).toEqual([200, expect.any(String)]);
  });

  it('makes no key with more than its own scope', async () => {
    const { key } = await newOwner();
    const { status, body } = await make(key, 'admin');
    expect([status, body.detail]).toEqual([
      403,
      'A key with scope write can make keys with scope read or write, not admin',
    ]);
  });

  it('changes no key with more than its own scope', async () => {
    const { ownerId, key } = await newOwner();
    const { body: admin } = await api.call('/v1/keys', {
      key: adminKey,
      body: { owner_id: ownerId, name: 'admin', scope: 'admin' },
    });
    const renaming = { method: 'PATCH', key, body: { name: 'mine' }, headers: anyVersion };
    const answers = [
      await rotate(key, admin.id),
      await revoke(key, admin.id),
      await api.call(`/v1/keys/${admin.id}`, renaming),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await works(admin.key)).toBe(200);
  });

  it('finds no key and no owner but its own', async () => {
    const { key } = await newOwner();
    const other = await newOwner();
    const answers = [
      await api.call(`/v1/keys/${other.keyId}`, { key }),
      await rotate(key, other.keyId),
      await revoke(key, other.keyId),
      await api.call(`/v1/keys?owner_id=${other.ownerId}`, { key }),
      await api.call('/v1/keys', {
        key,
        body: { owner_id: other.ownerId, name: 'bot', scope: 'read' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('makes at most 50 valid keys, and counts again when some have ended', async () => {
    const { key, keyId } = await newOwner();
    const before = (await api.stores.apiKeys.find(keyId)) ?? expect.fail('the key is there');
    for (let count = 0; count < 48; count += 1) {
      await api.stores.quotas.take(
        { ownerId: before.ownerId, kind: 'keys', now: api.clock.now },
        { wanted: 1, most: 50 },
        async () => 0,
      );
    }
    expect((await make(key, 'read')).status).toBe(201);
    const { status, body } = await make(key, 'read');
    expect([status, body.type, body.max]).toEqual([403, 'urn:getin:problem:quota-exceeded', 50]);
    api.clock.now += 61_000;
    expect((await make(key, 'read')).status).toBe(201);
  });
});

describe('a read key', () => {
  it('reads the keys of its owner, and manages none', async () => {
    const { ownerId, keyId } = await newOwner();
    const key = await createKey(api, ownerId, 'read');
    expect((await api.call('/v1/keys', { key })).status).toBe(200);
    expect((await api.call(`/v1/keys/${keyId}`, { key })).status).toBe(200);
    const answers = [await make(key, 'read'), await rotate(key, keyId), await revoke(key, keyId)];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('a rotation', () => {
  it('answers a new key once, and lets the old one work for a day', async () => {
    const { key, keyId } = await newOwner();
    const { status, body: made } = await rotate(key, keyId);
    expect([status, made.name, made.scope]).toEqual([201, 'first', 'write']);
    const { body: old } = await api.call(`/v1/keys/${keyId}`, { key });
    const endsAt = new Date(api.clock.now + 24 * hourMs).toISOString();
    expect([old.ends_at, old.rotated_to]).toEqual([endsAt, made.id]);

    api.clock.now += 24 * hourMs - 1;
    expect([await works(key), await works(made.key)]).toEqual([200, 200]);
    api.clock.now += 1;
    const { status: after, body } = await api.call('/v1/owner', { key });
    expect([after, body.detail]).toEqual([
      401,
      `This API key was rotated and ended at ${endsAt}; use the key that it was rotated to, ${made.id}`,
    ]);
    expect(await works(made.key)).toBe(200);
  });

  it('is repeated with its Idempotency-Key to the same new key', async () => {
    const { key, keyId } = await newOwner();
    const headers = { 'idempotency-key': randomUUID(), 'if-match': '"1"' };
    const [first, second] = [await rotate(key, keyId, headers), await rotate(key, keyId, headers)];
    expect([first.status, second.body.key]).toEqual([201, first.body.key]);
    expect((await api.call('/v1/keys', { key })).body.data).toHaveLength(2);
  });

  it('happens once to a key', async () => {
    const { key, keyId } = await newOwner();
    const answers = await Promise.all([rotate(key, keyId), rotate(key, keyId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { body } = await rotate(key, keyId);
    expect(body.detail).toContain('rotate that one');
    expect((await api.call('/v1/keys', { key })).body.data).toHaveLength(2);
  });

  it('can be cut short by revoking the old key with the new one', async () => {
    const { key, keyId } = await newOwner();
    const { body: made } = await rotate(key, keyId);
    expect((await revoke(made.key, keyId)).status).toBe(204);
    expect(await works(key)).toBe(401);
    expect((await rotate(made.key, keyId)).body.detail).toBe(
      'This key has been revoked; make a new one with POST /v1/keys',
    );
  });
});

describe('a rotation that dies', () => {
  it.each([
    ['before it stores the new key', 1],
    ['before it marks the old key', 3],
    ['before it is answered', 4],
  ])('%s makes one new key when it is sent again', async (_, fatalWrite) => {
    const { ownerId, key, keyId } = await newOwner();
    const headers = { 'idempotency-key': randomUUID(), 'if-match': '"1"' };
    const remove = dieAtKeyWrite(fatalWrite);
    expect((await rotate(key, keyId, headers)).status).toBe(500);
    remove();
    api.clock.now += 60_000;
    const { status, body } = await rotate(key, keyId, headers);
    expect([status, await works(body.key)]).toEqual([201, 200]);
    const stored = await api.stores.apiKeys.listAll(ownerId);
    expect(stored.map((each) => each.keyId).sort()).toEqual([keyId, body.id].sort());
    expect(stored.find((each) => each.keyId === keyId)?.rotatedTo).toBe(body.id);
  });
});

/** Lets the n-th write to an item of a key fail; the fourth is to the stored answer. */
function dieAtKeyWrite(fatal: number): () => void {
  let writes = 0;
  const name = `die ${randomUUID()}`;
  api.client.middlewareStack.add(
    (next) => async (args) => {
      const { Item, Key, UpdateExpression } = args.input as {
        Item?: { pk: string };
        Key?: { pk: string };
        UpdateExpression?: string;
      };
      const isWrite = Item !== undefined || UpdateExpression !== undefined;
      const pk = String(Item?.pk ?? Key?.pk);
      const isOfKey = /^(APIKEY|APIKEYID|OWNER)#/.test(pk);
      const isAnswer = pk.startsWith('IDEMPOTENCY#') && UpdateExpression !== undefined;
      if (isWrite && isOfKey) writes += 1;
      if ((isWrite && isOfKey && writes === fatal) || (isAnswer && writes === fatal)) {
        throw new Error('died');
      }
      return next(args);
    },
    { step: 'initialize', name },
  );
  return () => api.client.middlewareStack.remove(name);
}

describe('a key that revokes itself', () => {
  it('is refused while it is the last valid one of its scope', async () => {
    const { key, keyId } = await newOwner();
    await make(key, 'read');
    const { status, body } = await revoke(key, keyId);
    expect([status, body.detail]).toEqual([
      409,
      'This is the last valid key with scope write; make another one first, or rotate this one',
    ]);
    await make(key, 'write');
    expect((await revoke(key, keyId)).status).toBe(204);
    expect(await works(key)).toBe(401);
  });

  it('does not count a key that is about to end', async () => {
    const { key, keyId } = await newOwner();
    const { body: second } = await make(key, 'write');
    await rotate(key, second.id);
    const { body: list } = await api.call('/v1/keys', { key });
    const third = list.data.find((each: { id: string }) => ![keyId, second.id].includes(each.id));
    expect((await revoke(key, third.id)).status).toBe(204);
    expect((await revoke(key, keyId)).status).toBe(409);
  });
});
