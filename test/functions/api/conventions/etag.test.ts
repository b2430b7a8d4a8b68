// ETag and If-None-Match: a read whose answer has not changed is answered without a body.
import { beforeAll, describe, expect, it } from 'vitest';
import { etagOf, hasCurrent } from '#functions/api/conventions/etag.ts';
import {
  type Api,
  createKey,
  eventId,
  startApi,
  startMs,
  statsAt,
  watchBody,
} from '#test/support/api.ts';

let api: Api;
let admin: string;
let watchPath: string;

beforeAll(async () => {
  api = await startApi();
  admin = await createKey(api, api.ann.ownerId, 'admin');
  await api.stores.snapshots.createAll([statsAt(startMs, 100, { 'Lower Bowl': 120 })], startMs);
  const { body } = await api.call('/v1/watches', { body: watchBody(api) });
  watchPath = `/v1/watches/${body.id}`;
  return () => api.stop();
});

const tagOf = async (path: string, key = api.ann.key) =>
  (await api.call(path, { key })).headers.get('etag') ?? '';
const again = (path: string, tag: string, also: { key?: string; method?: string } = {}) =>
  api.call(path, { ...also, headers: { 'if-none-match': tag } });

describe('a read', () => {
  it.each([
    ['a list', () => '/v1/watches?include=standing'],
    ['a watch with its prices', () => watchPath],
    ['an event', () => `/v1/events/${eventId}`],
    ['the budget', () => '/v1/budget'],
    ['settings', () => '/v1/owner'],
    ['a file', () => '/v1/watchlist/export?format=csv'],
    ['the document', () => '/openapi.json'],
  ])('of %s is answered by 304 without a body while it says the same', async (_, path) => {
    const key = admin;
    const first = await api.call(path(), { key });
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    api.clock.now += 15_000;
    const second = await again(path(), first.headers.get('etag') ?? '', { key });
    expect([second.status, second.text]).toEqual([304, '']);
    for (const name of ['etag', 'cache-control', 'vary']) {
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    }
    expect(second.headers.has('content-type')).toBe(false);
  });

  it('is answered in full when something that it shows has changed, though the version is the same', async () => {
    const tag = await tagOf(watchPath);
    await api.stores.snapshots.createAll([statsAt(startMs + 60_000, 90)], startMs);
    const { status, headers, body } = await again(watchPath, tag);
    expect([status, body.rules[0].value, body.version]).toEqual([200, 90, 1]);
    expect(headers.get('etag')).not.toBe(tag);
  });

  it('by another key has its own answer, which caches keep apart', async () => {
    const tag = await tagOf('/v1/owner');
    const { status, headers, body } = await again('/v1/owner', tag, { key: api.bob.key });
    expect([status, body.id, headers.get('vary')]).toEqual([
      200,
      api.bob.ownerId,
      'Authorization, Cookie',
    ]);
  });

  it('counts as a request, answered by 304 or not', async () => {
    const left = async (tag: string) =>
      Number((await again('/v1/owner', tag)).headers.get('ratelimit-remaining'));
    const tag = await tagOf('/v1/owner');
    const before = await left(tag);
    expect(await left(tag)).toBe(before - 1);
  });

  it('takes several tags, weak tags and *, and reads over a malformed header', async () => {
    const tag = await tagOf('/v1/owner');
    for (const sent of [`"other", ${tag}`, `W/${tag}`, '*']) {
      expect((await again('/v1/owner', sent)).status, sent).toBe(304);
    }
    for (const sent of ['"other"', tag.slice(1, -1), '']) {
      expect((await again('/v1/owner', sent)).status, sent).toBe(200);
    }
  });

  it('by HEAD has the tag of the GET, and is answered by 304 too', async () => {
    const tag = await tagOf('/v1/owner');
    const head = await api.call('/v1/owner', { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag]);
    expect((await again('/v1/owner', tag, { method: 'HEAD' })).status).toBe(304);
  });

  it('that is refused has no tag, and is stored by no cache', async () => {
    const { status, headers } = await again('/v1/watches?limit=0', '*');
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([
      400,
      null,
      'no-store',
    ]);
  });

  it.each(['/v1/published-links', '/v1/owner/export'])(
    'of %s, which holds secrets, is stored by no cache and has no tag',
    async (path) => {
      const { status, headers } = await again(path, '*');
      expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([
        200,
        null,
        'no-store',
      ]);
    },
  );
});

describe('the tag of a read', () => {
  it('names its version to If-Match, whatever else has changed since', async () => {
    const tag = await tagOf(watchPath);
    await api.stores.snapshots.createAll([statsAt(startMs + 120_000, 85)], startMs);
    const patch = (name: string) =>
      api.call(watchPath, { method: 'PATCH', body: { name }, headers: { 'if-match': tag } });
    expect((await patch('first')).status).toBe(200);
    expect((await patch('second')).status).toBe(412);
  });

  it('names no version that only begins like its own', () => {
    const tag = etagOf({ version: 12, content: 'a' }) ?? '';
    expect(tag).toMatch(/^"12\.[\w-]{22}"$/);
    expect(hasCurrent(tag.replace('12.', '1.'), tag)).toBe(false);
  });
});
