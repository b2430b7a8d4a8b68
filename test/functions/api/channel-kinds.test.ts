// Channels whose receivers have keys and topics instead of a URL: how the API takes them, what it shows of them,
// and what it lets an owner change.
import { beforeEach, describe, expect, it } from 'vitest';
import { channelTitle, storableChannelTitle } from '#shared/delivery/message/channel-title.ts';
import { type Api, anyVersion, eventId, startApi } from '#test/support/api.ts';

let api: Api;
beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const create = (body: object) => api.call('/v1/channels', { body });
const change = (id: string, body: object) =>
  api.call(`/v1/channels/${id}`, { method: 'PATCH', body, headers: anyVersion });
const targetOf = async (id: string) => (await api.stores.channels.find(id))?.target;

const canary = 'Canary9';
const topic = `knicks-${canary}`;
const token = `tk_${canary}`;
const userKey = `u1a2${canary}${'x'.repeat(19)}`;
const appToken = `a1b2${canary}${'x'.repeat(19)}`;
const botToken = `xoxb-${canary}-${'1'.repeat(10)}`;
const ntfy = { kind: 'ntfy', topic, token };
const pushover = { kind: 'pushover', user_key: userKey, app_token: appToken, device: 'phone' };
const slackBot = { kind: 'slack_bot', token: botToken, channel: 'C0123456789' };

describe('a new channel', () => {
  it.each([
    [ntfy, { host: 'ntfy.sh', recipient: 'kni…' }],
    [
      { ...ntfy, server: 'https://ntfy.example/' },
      { host: 'ntfy.example', recipient: 'kni…' },
    ],
    [pushover, { host: 'api.pushover.net', recipient: 'u1a2… phone' }],
    [slackBot, { host: 'slack.com', recipient: 'C0123456789' }],
  ])('%j is active at once, and none of its keys is shown', async (wanted, shown) => {
    const { status, body } = await create(wanted);
    expect([status, body.kind, body.status]).toEqual([201, wanted.kind, 'active']);
    expect(body).toMatchObject(shown);
    const texts = await Promise.all(
      ['/v1/channels', `/v1/channels/${body.id}`, '/v1/owner/export'].map((path) => api.call(path)),
    );
    for (const { status: read, text } of texts) {
      expect(read).toBe(200);
      expect(text).not.toContain(canary);
    }
    const stored = await api.stores.channels.find(body.id);
    if (!stored) throw new Error('no channel');
    expect(channelTitle(stored)).not.toContain(canary);
    expect(storableChannelTitle(stored)).not.toContain(canary);
  });

  it.each([
    [{ ...ntfy, topic: 'a b' }, '#/topic', '1 to 64 letters'],
    [{ ...ntfy, token: 'Basic x' }, '#/token', 'tk_'],
    [{ ...ntfy, server: 'https://ntfy.example/alerts' }, '#/server', 'the root of a server'],
    [{ ...ntfy, server: 'https://' }, '#/server', 'must be an https address'],
    [{ ...ntfy, server: 'https://10.0.0.1' }, '#/server', 'public address'],
    [{ ...ntfy, server: 'http://ntfy.example' }, '#/server', 'https'],
    [{ ...pushover, user_key: 'short' }, '#/user_key', '30 letters and digits'],
    [{ ...pushover, device: 'my phone' }, '#/device', '1 to 25 letters'],
    [{ ...slackBot, token: botToken.replace('xoxb', 'xoxp') }, '#/token', 'xoxb-'],
    [{ ...slackBot, channel: '#alerts' }, '#/channel', 'such as C0123456789'],
  ])('%j is refused at %s', async (wanted, pointer, words) => {
    const { status, body } = await create(wanted);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect(body.errors[0].detail).toContain(words);
  });
});

describe('a change', () => {
  it('replaces a key and keeps the others', async () => {
    const { body } = await create(pushover);
    const fresh = 'b'.repeat(30);
    expect((await change(body.id, { app_token: fresh, device: null })).status).toBe(200);
    expect(await targetOf(body.id)).toEqual({ kind: 'pushover', userKey, appToken: fresh });
  });

  it('is judged by the channel’s own kind, also where two kinds have a field of that name', async () => {
    const [phone, bot] = [(await create(ntfy)).body, (await create(slackBot)).body];
    expect((await change(phone.id, { token: botToken })).body.errors).toEqual([
      { pointer: '#/token', detail: 'must be an access token of ntfy, which begins with tk_' },
    ]);
    expect((await change(bot.id, { token })).body.errors[0].detail).toContain('xoxb-');
    expect((await change(bot.id, { token: null })).status).toBe(400);
    expect((await change(phone.id, { token: null })).status).toBe(200);
    expect(await targetOf(phone.id)).toEqual({ kind: 'ntfy', server: 'https://ntfy.sh', topic });
  });

  it('of a field that the kind does not have is refused by name', async () => {
    const { body } = await create(slackBot);
    const refused = await change(body.id, { topic: 'x', url: 'https://example.com/' });
    expect(refused.body.errors).toEqual([
      { pointer: '#/url', detail: 'is not for Slack bot channels' },
      { pointer: '#/topic', detail: 'is not for Slack bot channels' },
    ]);
    expect(await targetOf(body.id)).toMatchObject({ token: botToken });
  });

  it('never sends a topic and its token to another server', async () => {
    const { body } = await create(ntfy);
    expect((await change(body.id, { server: 'https://other.example' })).status).toBe(400);
    expect(await targetOf(body.id)).toMatchObject({ server: 'https://ntfy.sh' });
  });

  it('changes the version, which says nothing of the keys', async () => {
    const first = await create(ntfy);
    const second = await create({ ...ntfy, topic: 'other' });
    expect(first.headers.get('etag')).toBe(second.headers.get('etag'));
    const changed = await change(first.body.id, { topic: 'third' });
    expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'));
  });
});

it('a watch can’t have two channels that reach the same reader', async () => {
  const ids = [(await create(ntfy)).body.id, (await create({ ...ntfy, token: undefined })).body.id];
  const refused = await api.call('/v1/watches', {
    body: {
      event_id: eventId,
      channels: ids,
      rules: [{ type: 'level', metric: 'get_in', at_or_below: 80 }],
    },
  });
  expect([refused.status, refused.text.includes('has the same address as channel 0')]).toEqual([
    400,
    true,
  ]);
});
