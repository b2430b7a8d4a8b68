// A POST that is repeated under its Idempotency-Key.
import { beforeAll, describe, expect, it } from 'vitest';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import {
  type Api,
  aChannel,
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
const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/v1/watches', { body, headers });
const countWatches = async () => (await api.call('/v1/watches?limit=200')).body.data.length;

describe('Idempotency-Key', () => {
  const key = (value: string) => ({ 'idempotency-key': value });

  it('gives the first answer again, byte for byte', async () => {
    const body = newWatch({ name: 'once' });
    const first = await post(body, key('k-1'));
    const again = await post(body, key('k-1'));
    expect(first.status).toBe(201);
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([
      first.status,
      first.text,
      first.headers.get('etag'),
    ]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('takes the key in quotes as the key without', async () => {
    const body = newWatch({ name: 'quoted' });
    const first = await post(body, key('"k-2"'));
    expect((await post(body, key('k-2'))).text).toBe(first.text);
  });

  it('refuses the key with another body', async () => {
    await post(newWatch({ name: 'k3' }), key('k-3'));
    const { status, body } = await post(newWatch({ name: 'k3 too' }), key('k-3'));
    expect([status, body.type]).toEqual([409, 'urn:getin:problem:idempotency-key-reused']);
  });

  it('refuses the key with another query, so that a dry run never answers for the real import', async () => {
    const body = { watches: [newWatch({ name: 'imported' })] };
    const importWith = (query: string) =>
      api.call(`/v1/watchlist/import${query}`, { body, headers: key('k-query') });
    expect((await importWith('?dry_run=true')).status).toBe(200);
    expect((await importWith('')).status).toBe(409);
  });

  it('takes parameters in another order as the same query', async () => {
    const read = (query: string) =>
      api.call(`/v1/watches${query}`, { body: newWatch({ name: 'order' }), headers: key('k-o') });
    // Unknown parameters are refused, and a refusal is not stored: only the conflict would differ.
    const statuses = [await read('?a=1&b=2'), await read('?b=2&a=1'), await read('?a=2&b=1')];
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 409]);
  });

  it('refuses the key with another Content-Type: the same bytes are another file then', async () => {
    const sendAs = (type: string) =>
      api.call('/v1/watchlist/import', {
        body: JSON.stringify({ watches: [newWatch({ name: 'typed' })] }),
        headers: { ...key('k-type'), 'content-type': type },
      });
    expect((await sendAs('application/json')).status).toBe(200);
    expect((await sendAs('text/csv')).status).toBe(409);
  });

  it.each(['bearer', 'BEARER', 'Bearer '])(
    'gives the answer again where the scheme is written "%s"',
    async (scheme) => {
      const body = newWatch({ name: `scheme ${scheme}` });
      const headers = key(`k-scheme-${scheme.trim()}-${scheme.length}`);
      const first = await post(body, headers);
      const again = await post(body, { ...headers, authorization: `${scheme} ${api.ann.key}` });
      expect([again.status, again.text]).toEqual([201, first.text]);
    },
  );

  it('keeps no refusal: the same request succeeds once its reason has passed', async () => {
    const channelId = `ch_${'7'.repeat(32)}`;
    const body = newWatch({ name: 'patient', channels: [channelId] });
    const early = await post(body, key('k-refused'));
    await api.stores.channels.create(aChannel(channelId, api.ann.ownerId));
    const later = await post(body, key('k-refused'));
    expect([early.status, later.status]).toEqual([400, 201]);
    expect(later.headers.get('idempotent-replayed')).toBeNull();
  });

  it('keeps no 429', async () => {
    const test = () =>
      api.call(`/v1/channels/${api.ann.channelId}/test`, { method: 'POST', headers: key('k-429') });
    for (let sent = 0; sent < 20; sent += 1) {
      await api.call(`/v1/channels/${api.ann.channelId}/test`, { method: 'POST' });
      api.clock.now += 1;
    }
    const early = await test();
    api.clock.now += 60_000;
    expect([early.status, (await test()).status]).toEqual([429, 202]);
  });

  it('lets one of several at once win, and gives all of them its answer', async () => {
    const before = await countWatches();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => post(newWatch({ name: 'race' }), key('k-4'))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countWatches()).toBe(before + 1);
  });

  it('counts per API key and path', async () => {
    const other = await createKey(api, api.ann.ownerId, 'write');
    await post(newWatch({ name: 'k5' }), key('k-5'));
    const { status } = await api.call('/v1/watches', {
      body: newWatch({ name: 'k5 of another key' }),
      key: other,
      headers: key('k-5'),
    });
    expect(status).toBe(201);
  });

  it('is forgotten after a day, whether or not the table has let go of it', async () => {
    await post(newWatch({ name: 'k6' }), key('k-6'));
    api.clock.now += 86_401_000;
    const { status } = await post(newWatch({ name: 'k6, a day later' }), key('k-6'));
    expect(status).toBe(201);
  });

  it('finishes under the same ids what was left half done', async () => {
    let failures = 1;
    const failing = await startApi({
      sendNudges: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error('the queue does not answer');
      },
    });
    const sent = {
      body: { event_id: eventId, rules: [levelRule(80)], channels: [failing.ann.channelId] },
      headers: key('k-7'),
    };
    const first = await failing.call('/v1/watches', sent);
    const [half] = await failing.stores.watches.listAll(failing.ann.ownerId);
    failing.clock.now += 5_000;
    const second = await failing.call('/v1/watches', sent);
    const all = await failing.stores.watches.listAll(failing.ann.ownerId);
    await failing.stop();

    expect([first.status, second.status]).toEqual([500, 201]);
    expect(all.map(({ watchId }) => watchId)).toEqual([half?.watchId]);
    expect(second.body.id).toBe(half?.watchId);
  });

  it('finishes under the same id a channel whose mail could not be queued', async () => {
    let failures = 1;
    const email = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('the queue does not answer');
    };
    const failing = await startApi({ senders: sendersByKind({ email, webhook: email }) });
    const add = () =>
      failing.call('/v1/channels', {
        body: { kind: 'email', address: 'new@example.com' },
        headers: key('k-channel'),
      });
    const first = await add();
    failing.clock.now += 61_000;
    const second = await add();
    const { rows } = await failing.stores.channels.list(failing.ann.ownerId, { limit: 9 });
    await failing.stop();

    expect([first.status, second.status]).toEqual([500, 201]);
    const ids = rows.map(({ channelId }) => channelId);
    expect(ids.toSorted()).toEqual([failing.ann.channelId, second.body.id].toSorted());
  });

  it('keeps no secret that a reader of the table could use', async () => {
    const { body: made } = await api.call('/v1/keys', {
      key: adminKey,
      body: { name: 'sealed', scope: 'read' },
      headers: key('k-8'),
    });
    const again = await api.call('/v1/keys', {
      key: adminKey,
      body: { name: 'sealed', scope: 'read' },
      headers: key('k-8'),
    });
    expect(again.body.key).toBe(made.key);
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb');
    const { Items } = await api.client.send(new ScanCommand({ TableName: 'Watchlist' }));
    expect(JSON.stringify(Items)).not.toContain(made.key);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(201), 'ä'])('refuses "%s" as a key', async (value) => {
    const response = await api.app.request('/v1/watches', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.ann.key}`,
        'content-type': 'application/json',
        'idempotency-key': value,
      },
      body: JSON.stringify(newWatch()),
    });
    expect(response.status).toBe(400);
  });
});
