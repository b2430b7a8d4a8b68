// How every operation reads a body: its type, its size, its JSON.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, levelRule, startApi, watchBody } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

const newWatch = (also: Record<string, unknown> = {}) => watchBody(api, also);
const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/v1/watches', { body, headers });

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

  it.each([
    ['{\n  "event_id": 1,\n}', 'The body is not valid JSON: look at line 3, column 1'],
    ['{"event_id": 1', 'The body is not valid JSON: it ends too early'],
  ])('that are no JSON are told where: %j', async (body, detail) => {
    const response = await send(body, 'application/json');
    expect(await response.json()).toMatchObject({ status: 400, detail });
  });

  it.each(['application/json', 'text/csv'])(
    'of %s that are not UTF-8 are refused, and not changed',
    async (type) => {
      const response = await api.app.request('/v1/watchlist/import', {
        method: 'POST',
        headers: { authorization: `Bearer ${api.ann.key}`, 'content-type': type },
        body: Buffer.from('[{"name":"Caf\u00e9"}]', 'latin1'),
      });
      expect(await response.json()).toMatchObject({
        status: 400,
        detail: 'The body is not UTF-8 text; save it as UTF-8 and send it again',
      });
    },
  );

  it('with a key __proto__ are refused, and pollute nothing', async () => {
    const response = await send(
      valid().replace('{', '{"__proto__":{"admin":true},'),
      'application/json',
    );
    expect(await response.json()).toMatchObject({
      status: 400,
      detail: 'The body has a key "__proto__", which can\'t be stored; rename it',
    });
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each([
    ['POST', '', 'application/json'],
    ['POST', '\n', 'application/json'],
    ['POST', '', 'text/plain'],
    ['POST', '{}', 'application/json'],
    ['DELETE', '', 'application/json'],
    ['DELETE', '{}', 'application/json'],
  ])('may be empty where none is taken: %s %j as %s', async (method, body, type) => {
    const { id } = (await post(newWatch({ name: `body ${Math.trunc(api.clock.now++)}` }))).body;
    const response = await api.app.request(
      `/v1/watches/${id}${method === 'POST' ? '/pause' : ''}`,
      {
        method,
        headers: { authorization: `Bearer ${api.ann.key}`, 'content-type': type },
        body,
      },
    );
    expect(response.status).toBe(method === 'POST' ? 200 : 204);
  });

  it('with fields are refused where none is taken', async () => {
    const response = await api.call('/v1/watches/wat_1/pause', { body: { until: 1 } });
    expect(response).toMatchObject({
      status: 400,
      body: { detail: 'This path takes no body; send none, or {}' },
    });
  });

  it('take equal keys in different objects', async () => {
    const rules = [levelRule(41), levelRule(42)];
    expect((await post(newWatch({ rules }))).status).toBe(201);
  });
});

describe('a value that cannot be kept', () => {
  it.each([
    ['half a character', '{"rules":[{"zone":"\\ud83d"}]}', '#/rules/0/zone'],
    ['a number too large', '{"rules":[{"at_or_below":1e200}]}', '#/rules/0/at_or_below'],
    ['a key of a prototype', '{"tags":{"__proto__":{}}}', '#/tags/__proto__'],
  ])('is named by its place: %s', async (_what, body, pointer) => {
    const { status, body: answer } = await post(body);

    expect(status).toBe(400);
    expect(answer.errors).toMatchObject([{ pointer }]);
  });
});
