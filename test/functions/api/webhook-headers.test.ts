// The headers that an owner adds to a webhook's messages: what may be one, and that no value comes out again.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, anyVersion, startApi } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  return () => api.stop();
});

const url = 'https://example.com/hook';
const canary = 'c4n4ry-t0ken';
const authorization = { Authorization: `Bearer ${canary}` };
const add = (headers: unknown) =>
  api.call('/v1/channels', { body: { kind: 'webhook', url, headers } });
const change = (id: string, body: object) =>
  api.call(`/v1/channels/${id}`, { method: 'PATCH', body, headers: anyVersion });
const storedOf = async (id: string) => (await api.stores.channels.find(id))?.target;

describe('the headers of a webhook', () => {
  it('are stored, and only their names are shown', async () => {
    const made = await add({ ...authorization, 'X-Source': 'getin' });
    expect(made.status).toBe(201);
    expect(made.body.header_names).toEqual(['Authorization', 'X-Source']);
    const { id } = made.body;
    expect(await storedOf(id)).toMatchObject({
      headers: { ...authorization, 'X-Source': 'getin' },
    });
    const answers = [made, await api.call(`/v1/channels/${id}`), await api.call('/v1/channels')];
    const exported = await api.call('/v1/owner/export');
    const items = exported.body.data.map(({ item }: { item: object }) => item);
    expect(items).toContainEqual(
      expect.objectContaining({
        channel_id: id,
        target: expect.objectContaining({ header_names: ['Authorization', 'X-Source'] }),
      }),
    );
    for (const { text } of [...answers, exported]) expect(text).not.toContain(canary);
  });

  it('are none unless they are given', async () => {
    const { body } = await add(undefined);
    expect(body.header_names).toEqual([]);
    expect(await storedOf(body.id)).not.toHaveProperty('headers');
  });

  it('are replaced whole by a change, stay without one, and null removes them', async () => {
    const { body } = await add(authorization);
    expect((await change(body.id, { name: 'Prices' })).body.header_names).toEqual([
      'Authorization',
    ]);
    const replaced = await change(body.id, { headers: { 'X-Key': canary } });
    expect(replaced.body.header_names).toEqual(['X-Key']);
    expect(replaced.text).not.toContain(canary);
    expect((await change(body.id, { headers: null })).body.header_names).toEqual([]);
    expect(await storedOf(body.id)).not.toHaveProperty('headers');
  });

  it('outlive a new path at the same host and a new secret', async () => {
    const { body } = await add(authorization);
    await change(body.id, { url: 'https://example.com/other' });
    await api.call(`/v1/channels/${body.id}/secret`, { method: 'POST' });
    expect(await storedOf(body.id)).toMatchObject({
      url: 'https://example.com/other',
      headers: authorization,
    });
  });

  it('are never sent to another host unless they are given again', async () => {
    const { body } = await add(authorization);
    const moved = { url: 'https://other.example/hook' };
    const refused = await change(body.id, moved);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([
      { pointer: '#/headers', detail: expect.stringContaining('must be given again') },
    ]);
    expect(await storedOf(body.id)).toMatchObject({ url });
    expect((await change(body.id, { ...moved, headers: null })).status).toBe(200);
    expect(await storedOf(body.id)).toMatchObject(moved);
  });

  it('are not for chats', async () => {
    const { body } = await api.call('/v1/channels', {
      body: { kind: 'discord', url: 'https://discord.com/api/webhooks/1/t' },
    });
    const refused = await change(body.id, { headers: authorization });
    expect(refused.body.errors).toEqual([
      { pointer: '#/headers', detail: 'is not for Discord channels' },
    ]);
  });
});

const manyHeaders = { 'X-1': 'a', 'X-2': 'b', 'X-3': 'c' };

it.each<[object, string, string]>([
  [manyHeaders, '#/headers', 'must be at most 2 headers'],
  [{ 'X-Key': 'a', 'x-key': 'b' }, '#/headers/x-key', 'is there twice'],
  [{ '': 'a' }, '#/headers/', 'must be a name of letters'],
  [{ 'X Key': 'a' }, '#/headers/X Key', 'must be a name of letters'],
  [{ 'X-Kéy': 'a' }, '#/headers/X-Kéy', 'must be a name of letters'],
  [{ 'X:Key': 'a' }, '#/headers/X:Key', 'must be a name of letters'],
  [{ 'X\r\nHost': 'a' }, '#/headers/X\r\nHost', 'must be a name of letters'],
  [{ [`X-${'a'.repeat(99)}`]: 'a' }, `#/headers/X-${'a'.repeat(99)}`, 'at most 100 characters'],
  [{ Host: 'a' }, '#/headers/Host', 'use another name'],
  [{ 'user-agent': 'a' }, '#/headers/user-agent', 'use another name'],
  [{ 'Content-Length': '3' }, '#/headers/Content-Length', 'use another name'],
  [{ 'content-type': 'a' }, '#/headers/content-type', 'use another name'],
  [{ 'Transfer-Encoding': 'chunked' }, '#/headers/Transfer-Encoding', 'use another name'],
  [{ Connection: 'close' }, '#/headers/Connection', 'use another name'],
  [{ 'Keep-Alive': 'a' }, '#/headers/Keep-Alive', 'use another name'],
  [{ TE: 'a' }, '#/headers/TE', 'use another name'],
  [{ Trailer: 'a' }, '#/headers/Trailer', 'use another name'],
  [{ Upgrade: 'h2c' }, '#/headers/Upgrade', 'use another name'],
  [{ Expect: '100-continue' }, '#/headers/Expect', 'use another name'],
  [{ 'Proxy-Authorization': 'a' }, '#/headers/Proxy-Authorization', 'use another name'],
  [{ 'Webhook-Signature': 'v1,a' }, '#/headers/Webhook-Signature', 'use another name'],
  [{ constructor: 'a' }, '#/headers/constructor', 'can’t be stored; use another name'],
  [{ 'X-Key': '' }, '#/headers/X-Key', 'must be visible ASCII'],
  [{ 'X-Key': ' a' }, '#/headers/X-Key', 'must be visible ASCII'],
  [{ 'X-Key': 'a ' }, '#/headers/X-Key', 'must be visible ASCII'],
  [{ 'X-Key': 'a\r\nX-Other: b' }, '#/headers/X-Key', 'must be visible ASCII'],
  [{ 'X-Key': 'a\tb' }, '#/headers/X-Key', 'must be visible ASCII'],
  [{ 'X-Key': 'é' }, '#/headers/X-Key', 'must be visible ASCII'],
  [{ 'X-Key': 'a'.repeat(1_001) }, '#/headers/X-Key', 'must have at most 1,000 characters'],
])('the header %j is refused at %s: %s', async (headers, pointer, words) => {
  const { status, body } = await add(headers);
  expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  expect(body.errors[0].detail).toContain(words);
});

it.each([
  { "!#$%&'*+-.^_`|~09azAZ": 'x' },
  { 'X-Key': 'a b  c' },
  { 'X-Key': '!~'.repeat(500) },
  { [`X-${'a'.repeat(98)}`]: 'a' },
  { Cookie: 'a=b; c=d' },
  { 'X-Content': 'a', Webhooks: 'b' },
])('the headers %j are taken', async (headers) => {
  const { status, body } = await add(headers);
  expect([status, body.header_names]).toEqual([201, Object.keys(headers)]);
});
