// What holds for every operation of the API: errors, bodies, keys, limits, versions, logs.
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultsIn } from '#functions/api/faults.ts';
import { newWatchSchema } from '#shared/watchlist/watch.ts';
import { type Api, adminKey, createKey, eventId, levelRule, startApi } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

const newWatch = (also: Record<string, unknown> = {}) => ({
  event_id: eventId,
  rules: [levelRule(80)],
  channels: [api.ann.channelId],
  ...also,
});
const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/v1/watches', { body, headers });
const countWatches = async () => (await api.call('/v1/watches?limit=200')).body.data.length;

describe('problems', () => {
  it('are problem+json with a stable type, and tell all faults at once', async () => {
    const { status, headers, body } = await post({
      event_id: 0,
      nmae: 'x',
      rules: [
        { type: 'level', metric: 'get_in', at_or_belw: 5 },
        { type: 'fill_rate', at_or_above: 120 },
      ],
      channels: [],
      latency_seconds: 90_000,
    });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({
      type: 'urn:getin:problem:invalid-request',
      title: 'The request is not valid',
      status: 400,
    });
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(pointers).toEqual([
      '#/channels',
      '#/event_id',
      '#/latency_seconds',
      '#/nmae',
      '#/rules/0',
      '#/rules/0/at_or_belw',
      '#/rules/1/at_or_above',
    ]);
  });

  it('name the nearest known field of the very object', async () => {
    const { body } = await post(newWatch({ chanels: [], rules: [{ ...levelRule(5), zome: 'A' }] }));
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringContaining('the nearest known name is "zone"'),
      expect.stringContaining('the nearest known name is "channels"'),
    ]);
  });

  it('tell the bounds of a value that is out of range, and write nothing', async () => {
    const before = await countWatches();
    const { body } = await post(newWatch({ latency_seconds: 0 }));
    expect(body.errors).toEqual([
      {
        pointer: '#/latency_seconds',
        detail: 'must be at least 1 and at most 86,400',
        min: 1,
        max: 86_400,
      },
    ]);
    expect(await countWatches()).toBe(before);
  });

  it.each([
    ['an empty string', ''],
    ['a blank', ' '],
    ['null', null],
    ['true', true],
    ['a list', []],
    ['hexadecimal', '0x10'],
    ['an exponent', '1e3'],
    ['full-width digits', '１００'],
    ['more than two decimals', 1.005],
    ['far too much', 1e21],
    ['thousands with a German comma', '1.226,00'],
    ['thousands with an English comma', '1,226.00'],
    ['thousands with a space', '1 226'],
    ['thousands with an apostrophe', "1'226"],
    ['nothing', 0],
    ['less than nothing', -5],
  ])('refuse a price that is %s, and name the field', async (_, price) => {
    const { status, body } = await post(newWatch({ rules: [levelRule(price)] }));
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(
      '#/rules/0/at_or_below',
    );
  });

  it.each([
    [3.01, 3.01],
    [0.1 + 0.2, 0.3],
    [19.99, 19.99],
    ['1226', 1226],
    [1226, 1226],
  ])('take the price %s as %s', async (price, read) => {
    const { status, body } = await post(
      newWatch({ rules: [levelRule(price)], name: `p${price}${typeof price}` }),
    );
    expect([status, body.rules[0].rule.at_or_below]).toEqual([201, read]);
  });

  it('find words for any junk in a rule, whatever field it stands in', () => {
    const junk = fc.oneof(fc.jsonValue(), fc.record({ conditions: fc.jsonValue() }));
    const fields = ['all_of', 'any_of', 'from', 'drops_by', 'matching', 'zone', 'within', 'rows'];
    const types = ['level', 'change', 'any_change', 'extreme', 'supply', 'fill_rate', 'listing'];
    const rule = fc
      .tuple(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom(...fields), fc.oneof(junk, fc.array(junk))),
      )
      .map(([type, rest]) => ({ type, metric: 'get_in', at_or_below: 5, ...rest }));
    fc.assert(
      fc.property(rule, (input) => {
        const body = { event_id: 1, rules: [input] };
        const parsed = newWatchSchema.safeParse(body);
        if (parsed.error) faultsIn(parsed.error, { schema: newWatchSchema, input: body });
      }),
      { numRuns: 500, seed: 8 },
    );
  });

  it('say nothing of an unexpected error', async () => {
    const broken = await startApi({
      searchEvents: async () => {
        throw new Error('secret detail');
      },
    });
    const { status, body, text } = await broken.call('/v1/events');
    await broken.stop();
    expect([status, body.type]).toEqual([500, 'urn:getin:problem:internal-error']);
    expect(text).not.toContain('secret');
  });

  it('tell a path that is not there from a method that it does not take', async () => {
    expect((await api.call('/v1/nothing')).status).toBe(404);
    const { status, headers } = await api.call('/v1/watches', { method: 'PUT', body: {} });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, GET']);
  });
});

describe('bodies', () => {
  const valid = () => JSON.stringify(newWatch({ name: `body ${Math.trunc(api.clock.now++)}` }));
  const send = (body: string | undefined, type?: string) =>
    api.app.request('/v1/watches', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.ann.key}`,
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: new TextEncoder().encode(body) }),
    });

  it.each<[string, () => Promise<Response>, number]>([
    ['no content type', async () => send(valid()), 415],
    ['JSON', async () => send(valid(), 'application/json'), 201],
    ['JSON with its charset', async () => send(valid(), 'application/json; charset=utf-8'), 201],
    ['JSON in another charset', async () => send(valid(), 'application/json; charset=latin1'), 415],
    ['text', async () => send(valid(), 'text/plain'), 415],
    ['CSV where none is taken', async () => send(valid(), 'text/csv'), 415],
    ['something like JSON', async () => send(valid(), 'application/jsonp'), 415],
    ['no JSON', async () => send('not json', 'application/json'), 400],
    ['an empty body', async () => send('', 'application/json'), 400],
    ['nothing at all', async () => send(undefined), 400],
    ['a scalar', async () => send('7', 'application/json'), 400],
    ['10 MB', async () => send(`"${'x'.repeat(10_000_000)}"`, 'application/json'), 413],
    ['100 KB and a byte', async () => send(`"${'x'.repeat(102_399)}"`, 'application/json'), 413],
    ['too deep', async () => send('['.repeat(21) + ']'.repeat(21), 'application/json'), 400],
    ['absurdly deep', async () => send('['.repeat(50_000), 'application/json'), 400],
    ['a key twice', async () => send('{"event_id":1,"event_id":2}', 'application/json'), 400],
    ['a number too near to 0', async () => send('{"event_id":1e-200}', 'application/json'), 400],
    ['a number too large', async () => send('{"event_id":1e400}', 'application/json'), 400],
    ['half a character', async () => send('{"name":"\\ud83d"}', 'application/json'), 400],
    ['a key twice in disguise', async () => send('{"a":1,"\\u0061":2}', 'application/json'), 400],
  ])('%s', async (_, request, status) => {
    const response = await request();
    expect(response.status).toBe(status);
    if (status < 400) return;
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.text()).not.toMatch(/node_modules|at .*\.ts/);
  });

  it('drop __proto__ and pollute nothing', async () => {
    const response = await send(
      valid().replace('{', '{"__proto__":{"admin":true},'),
      'application/json',
    );
    expect(response.status).toBe(201);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('take equal keys in different objects', async () => {
    const rules = [levelRule(41), levelRule(42)];
    expect((await post(newWatch({ rules }))).status).toBe(201);
  });
});

describe('query parameters', () => {
  it('refuse unknown ones with the nearest name, and known ones given twice', async () => {
    const { status, body } = await api.call('/v1/watches?limt=5');
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          pointer: '#/limt',
          detail:
            'is not known; the nearest known name is "limit"; known are limit, starting_after, event_id, status, tag, sort',
        },
      ],
    ]);
    expect((await api.call('/v1/watches?limit=5&limit=6')).status).toBe(400);
    expect((await api.call('/v1/health?x=1', { key: '' })).status).toBe(400);
  });

  it.each(['0', '201', '-1', '1e1', '5.0', '', ' 5', '0x5'])(
    'refuse the limit "%s"',
    async (limit) => {
      const { status, body } = await api.call(`/v1/watches?limit=${encodeURIComponent(limit)}`);
      expect([status, body.errors[0]]).toMatchObject([
        400,
        { pointer: '#/limit', min: 1, max: 200 },
      ]);
    },
  );
});

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

describe('versions', () => {
  it.each([
    ['/v1/owner', (n: number) => ({ time_zone: n === 0 ? 'UTC' : 'Europe/Vienna' })],
    ['/v1/channels/CHANNEL', (n: number) => ({ name: `name ${n}` })],
    ['/v1/defaults', (n: number) => ({ latency_seconds: 60 + n })],
  ])('lose no update of %s: of two on one version, one wins', async (path, body) => {
    const at = path.replace('CHANNEL', api.ann.channelId);
    const etag = (await api.call(at)).headers.get('etag') ?? '';
    const patch = (n: number, match: string) =>
      api.call(at, { method: 'PATCH', body: body(n), headers: { 'if-match': match } });
    const answers = await Promise.all([patch(0, etag), patch(1, etag)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await patch(2, etag)).status).toBe(412);
    const now = answers.find(({ status }) => status === 200)?.headers.get('etag') ?? '';
    expect((await api.call(at)).headers.get('etag')).toBe(now);
    expect((await patch(3, now)).status).toBe(200);
  });

  it('lose no update to a deletion', async () => {
    const { body: channel } = await api.call('/v1/channels', {
      body: { kind: 'webhook', url: 'https://example.com/hook' },
    });
    const at = `/v1/channels/${channel.id}`;
    const match = { 'if-match': (await api.call(at)).headers.get('etag') ?? '' };
    const [patched, deleted] = await Promise.all([
      api.call(at, { method: 'PATCH', body: { name: 'kept' }, headers: match }),
      api.call(at, { method: 'DELETE', headers: match }),
    ]);
    expect([patched.status, deleted.status].sort()).not.toEqual([200, 204]);
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
});

describe('headers and logs', () => {
  let quiet: Api;

  beforeEach(async () => {
    quiet = await startApi();
    return () => quiet.stop();
  });

  it('names each request, and sends security headers and nothing for other origins', async () => {
    const { headers } = await quiet.call('/v1/watches', {
      headers: { origin: 'https://a.example' },
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await quiet.app.request('/v1/watches', { method: 'OPTIONS' });
    expect(preflight.status).not.toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('logs one line a request with ids, route and status, and nothing that was sent', async () => {
    await quiet.call('/v1/watches?starting_after=canary-query', {
      headers: { 'x-canary': 'canary-header' },
    });
    await quiet.call('/v1/watches', {
      body: { event_id: 1, name: 'canary-body', rules: [], channels: [] },
    });
    await quiet.call(`/v1/watches/wat_${'0'.repeat(32)}`);
    await quiet.call('/v1/watches', { key: 'getin_canarykey' });
    const lines = quiet.logged.filter(({ message }) => message === 'request.finished');
    expect(lines.map(({ fields }) => [fields.method, fields.route, fields.status])).toEqual([
      ['GET', '/v1/watches', 400],
      ['POST', '/v1/watches', 400],
      ['GET', '/v1/watches/{id}', 404],
      ['GET', '/v1/watches', 401],
    ]);
    expect(lines[0]?.fields).toEqual({
      requestId: expect.any(String),
      keyId: expect.stringMatching(/^key_/),
      method: 'GET',
      route: '/v1/watches',
      status: 400,
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(quiet.logged)).not.toMatch(/canary|getin_/);
  });
});
