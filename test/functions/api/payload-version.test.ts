// The version of a webhook's bodies: a setting of generic webhooks alone.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, anyVersion, startApi } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const url = 'https://example.com/hook';
const create = async (more: object = {}) =>
  (await api.call('/v1/channels', { body: { kind: 'webhook', url, ...more } })).body;
const change = (id: string, body: object) =>
  api.call(`/v1/channels/${id}`, { method: 'PATCH', body, headers: anyVersion });
const targetOf = async (id: string) => (await api.stores.channels.find(id))?.target;

/** A channel as it was stored before bodies had a second version. */
async function createEarlier(): Promise<string> {
  const { id } = await create();
  const channel = await api.stores.channels.find(id);
  if (channel?.target.kind !== 'webhook') throw new Error('no webhook');
  const { payloadVersion: _later, ...earlier } = channel.target;
  await api.stores.channels.changeSettings(id, { target: earlier }, channel);
  return id;
}

describe('the payload version of a webhook', () => {
  it('is 2 for a new channel, and 1 where that is asked for', async () => {
    expect((await create()).payload_version).toBe(2);
    const { id, payload_version } = await create({ payload_version: 1 });
    expect(payload_version).toBe(1);
    expect(await targetOf(id)).toMatchObject({ payloadVersion: 1 });
  });

  it('is 1 for a channel from before there was a choice, until it is changed', async () => {
    const id = await createEarlier();
    expect((await api.call(`/v1/channels/${id}`)).body.payload_version).toBe(1);
    await change(id, { url: 'https://example.com/other', name: 'Prices' });
    expect((await api.call(`/v1/channels/${id}`)).body.payload_version).toBe(1);
    expect((await change(id, { payload_version: 2 })).body.payload_version).toBe(2);
  });

  it('outlives a new URL and a new secret', async () => {
    const { id } = await create();
    await change(id, { url: 'https://example.com/other' });
    const { status } = await api.call(`/v1/channels/${id}/secret`, { method: 'POST' });
    expect(status).toBe(201);
    expect(await targetOf(id)).toMatchObject({
      url: 'https://example.com/other',
      payloadVersion: 2,
    });
  });

  it.each([0, 3, '2', null])('is refused as %j', async (payload_version) => {
    const { status, body } = await api.call('/v1/channels', {
      body: { kind: 'webhook', url, payload_version },
    });
    expect([status, body.errors[0].pointer]).toEqual([400, '#/payload_version']);
  });

  it('is refused for mail, with the reason', async () => {
    const { body } = await api.call('/v1/channels', {
      body: { kind: 'email', address: 'ann@example.com' },
    });
    expect(body).not.toHaveProperty('payload_version');
    const refused = await change(body.id, { payload_version: 2 });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      { pointer: '#/payload_version', detail: 'is not for e-mail channels' },
    ]);
  });
});
