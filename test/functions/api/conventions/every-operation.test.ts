// The conventions on every operation of the document, so that a new one can't leave any out.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answered, type Api, createKey, startApi } from '#test/support/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, walked by path
type Document = any;

interface Place {
  name: string;
  method: string;
  path: string;
  /** What the document says that a key needs; undefined where none is asked for. */
  scope: 'read' | 'write' | 'admin' | undefined;
  takesBody: boolean;
}

type Sent = Omit<NonNullable<Parameters<Api['call']>[1]>, 'method'>;

let api: Api;
let places: Place[];
let keys: Record<'read' | 'write' | 'admin', string>;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  const document: Document = (await api.call('/openapi.json', { key: '' })).body;
  places = placesIn(document).filter(({ path }) => !path.startsWith('/l/'));
  const { ownerId } = api.ann;
  keys = {
    read: await createKey(api, ownerId, 'read'),
    write: await createKey(api, ownerId, 'write'),
    admin: await createKey(api, ownerId, 'admin'),
  };
  return () => api.stop();
});

function placesIn({ paths }: Document): Place[] {
  return Object.entries(paths as Record<string, Record<string, Document>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method} ${path}`,
        method: method.toUpperCase(),
        path: filled(path, operation.parameters),
        // The scheme's name says the scope: readKey.
        scope: Object.keys(operation.security[0] ?? {})[0]?.replace('Key', '') as Place['scope'],
        takesBody: operation.requestBody !== undefined,
      })),
  );
}

/** The path with its parameters' own examples. */
function filled(path: string, parameters: Document[] = []): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((parameter) => parameter.name === name).example),
  );
}

const send = ({ method, path }: Place, sent: Sent, query = '') =>
  api.call(`${path}${query}`, { method, ...sent, headers: { 'if-match': '*', ...sent.headers } });

/** Everything stored, but for what every request counts and what a key's use notes. */
async function stored(): Promise<string> {
  const { Items = [] } = await api.client.send(new ScanCommand({ TableName: 'Watchlist' }));
  const things = Items.filter(({ entity }) => entity !== 'requestCount' && entity !== 'apiKey');
  return JSON.stringify(things, (_, value) => (value instanceof Set ? [...value] : value));
}

/** The places that don't refuse so, with what they answer instead. */
async function otherwise(
  chosen: readonly Place[],
  ask: (place: Place) => Promise<Answered>,
  isRefused: (answer: Answered, place: Place) => boolean,
): Promise<unknown[]> {
  const others: unknown[] = [];
  for (const place of chosen) {
    const answer = await ask(place);
    if (!isRefused(answer, place)) others.push([place.name, answer.status, answer.text]);
  }
  return others;
}

describe('every operation', () => {
  it('asks for a key, but for health, the document, what a link or a body proves, and a deletion that has ended every key', async () => {
    const open = places.filter(({ scope }) => scope === undefined);
    expect(open.map(({ name }) => name).sort()).toEqual([
      'get /docs',
      'get /openapi.json',
      'get /p/{token}/{view}',
      'get /v1/deletions/{id}',
      'get /v1/health',
      'post /telegram/updates',
      'post /v1/sessions',
    ]);
    const closed = places.filter((place) => !open.includes(place));
    expect(closed.length).toBeGreaterThan(35);
    expect(
      await otherwise(
        closed,
        (place) => send(place, { key: '' }),
        ({ status, headers }) => status === 401 && headers.get('www-authenticate') === 'Bearer',
      ),
    ).toEqual([]);
    const ofOneThing = open.filter(({ name }) => name.includes('{'));
    for (const place of open) {
      // Telegram's updates come with a secret of their own, a session with the key in its body.
      const withoutBody = place.method === 'POST' ? 400 : 200;
      const expected = ofOneThing.includes(place) ? 404 : withoutBody;
      expect((await send(place, { key: '' })).status).toBe(expected);
    }
  });

  it('refuses a key of a smaller scope than the document says, and takes one of that scope', async () => {
    const before = await stored();
    const below = { write: ['read'], admin: ['read', 'write'] } as const;
    for (const needed of ['write', 'admin'] as const) {
      const chosen = places.filter(({ scope }) => scope === needed);
      expect(chosen.length).toBeGreaterThan(5);
      for (const has of below[needed]) {
        const detail = `This needs a key with scope ${needed}; this one has ${has}`;
        expect(
          await otherwise(
            chosen,
            (place) => send(place, { key: keys[has] }),
            ({ status, body }) => status === 403 && body.detail === detail,
          ),
        ).toEqual([]);
      }
    }
    expect(await stored()).toBe(before);
    const looks = places.filter(({ scope }) => scope === 'read');
    expect(
      await otherwise(
        looks,
        (place) => send(place, { key: keys.read }),
        ({ status }) => status !== 403,
      ),
    ).toEqual([]);
  });

  it('that changes or deletes needs no If-Match in itself', async () => {
    const chosen = places.filter(({ method }) => method === 'PATCH' || method === 'DELETE');
    expect(chosen.length).toBeGreaterThan(5);
    expect(
      await otherwise(
        chosen,
        ({ method, path }) => api.call(path, { method, key: keys.admin }),
        ({ status }) => status !== 428,
      ),
    ).toEqual([]);
  });

  it('refuses a query parameter that it does not know, by its name', async () => {
    expect(
      await otherwise(
        places,
        (place) => send(place, { key: keys.admin }, '?surprise=1'),
        ({ status, body }) => status === 400 && body.errors[0].pointer === '#/surprise',
      ),
    ).toEqual([]);
  });

  it('refuses a field that it does not know, and a body of another type, size or depth', async () => {
    const before = await stored();
    const chosen = places.filter(({ method }) => method !== 'GET');
    const text = { 'content-type': 'text/plain' };
    const deep = '['.repeat(21) + ']'.repeat(21);
    const cases: [Sent, number][] = [
      [{ body: { surprise: 1 } }, 400],
      [{ body: 'a=b', headers: text }, 415],
      [{ body: JSON.stringify('x'.repeat(4 * 1024 * 1024)) }, 413],
      [{ body: deep }, 400],
    ];
    for (const [sent, expected] of cases) {
      expect(
        await otherwise(
          chosen,
          (place) => send(place, { key: keys.admin, ...sent }),
          ({ status }) => status === expected,
        ),
      ).toEqual([]);
    }
    expect(
      await otherwise(
        // Telegram adds fields to its updates, so they are taken.
        chosen.filter(({ takesBody, path }) => takesBody && path !== '/telegram/updates'),
        // A channel's kind tells which fields there are.
        (place) => send(place, { key: keys.admin, body: { kind: 'slack', surprise: 1 } }),
        ({ body }) =>
          body.errors.some(({ pointer }: { pointer: string }) => pointer === '#/surprise'),
      ),
    ).toEqual([]);
    expect(await stored()).toBe(before);
  });

  it('carries its security headers and its request’s name, refused or not, and lets no other origin in', async () => {
    const origin = { origin: 'https://elsewhere.example' };
    for (const key of ['', keys.read, keys.admin]) {
      expect(
        await otherwise(
          places,
          (place) => send(place, { key, headers: origin }, '?surprise=1'),
          ({ headers }) =>
            headers.get('x-content-type-options') === 'nosniff' &&
            headers.get('x-frame-options') === 'DENY' &&
            headers.get('referrer-policy') === 'no-referrer' &&
            (headers.get('strict-transport-security') ?? '').startsWith('max-age=') &&
            headers.has('x-request-id') &&
            ![...headers.keys()].some((name) => name.startsWith('access-control-')),
        ),
      ).toEqual([]);
    }
  });

  it('behind a key says what is left of its requests, and a refusal is kept by no cache', async () => {
    expect(
      await otherwise(
        places.filter(({ scope }) => scope !== undefined),
        (place) => send(place, { key: keys.admin }, '?surprise=1'),
        ({ headers }) =>
          headers.get('ratelimit-limit') === '100000' &&
          headers.has('ratelimit-remaining') &&
          headers.has('ratelimit-reset') &&
          headers.get('cache-control') === 'no-store',
      ),
    ).toEqual([]);
  });

  it('that only reads has a tag of its answer, and a shared cache may not keep it', async () => {
    const looks = places.filter(({ method }) => method === 'GET');
    const answered = await otherwise(
      looks,
      (place) => send(place, { key: keys.admin }),
      // The examples of the document name nothing that is stored here.
      ({ status, headers }) => {
        const cached = headers.get('cache-control') ?? 'none';
        if (status !== 200) return true;
        return headers.has('etag') ? cached === 'private, no-cache' : cached === 'no-store';
      },
    );
    expect(answered).toEqual([]);
    const tagged = await otherwise(
      looks,
      (place) => send(place, { key: keys.admin, headers: { 'if-none-match': '*' } }),
      ({ status }) => status !== 304,
    );
    expect(tagged.length).toBeGreaterThan(15);
  });
});
