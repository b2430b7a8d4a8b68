// The rotation of a webhook's secret beside other changes of the channel: no secret that was handed out is
// lost, and no other change either.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mostSecrets, validSecrets } from '#shared/delivery/channels/webhook-secrets.ts';
import { type Answered, type Api, anyVersion, startApi } from '#test/support/api.ts';

const url = 'https://example.com/hook';
const dayMs = 86_400_000;

let api: Api;
let id: string;
let first: string;
/** Runs once, after the next read of the channel and before its change. */
let meanwhile: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
  meanwhile = undefined;
  api = await startApi({}, (stores) => {
    const { find } = stores.channels;
    const channels = {
      ...stores.channels,
      find: async (channelId: string) => {
        const found = await find(channelId);
        const interrupt = meanwhile;
        meanwhile = undefined;
        await interrupt?.();
        return found;
      },
    };
    return { ...stores, channels };
  });
  const { body } = await api.call('/v1/channels', { body: { kind: 'webhook', url } });
  ({ id, secret: first } = body);
});
afterEach(() => api.stop());

const rotate = (headers = {}) => api.call(`/v1/channels/${id}/secret`, { method: 'POST', headers });
const change = (body: object, headers: Record<string, string> = anyVersion) =>
  api.call(`/v1/channels/${id}`, { method: 'PATCH', body, headers });
const target = async () => {
  const channel = await api.stores.channels.find(id);
  if (channel?.target.kind !== 'webhook') throw new Error('no webhook');
  return channel.target;
};
const valid = async (at = api.clock.now) => validSecrets((await target()).secrets, at);

describe('a rotation', () => {
  it('keeps a URL that is changed at the same moment', async () => {
    meanwhile = () => change({ url: 'https://example.com/other' });
    const { body } = await rotate();
    expect((await target()).url).toBe('https://example.com/other');
    expect(await valid()).toEqual([body.secret, first]);
  });

  it('is kept by a change of the URL at the same moment', async () => {
    let secret = '';
    meanwhile = async () => {
      secret = (await rotate()).body.secret;
    };
    expect((await change({ url: 'https://example.com/other' })).status).toBe(200);
    expect((await target()).url).toBe('https://example.com/other');
    expect(await valid()).toEqual([secret, first]);
  });

  it('that meets another leaves the secrets of both valid', async () => {
    let other: Answered | undefined;
    meanwhile = async () => {
      other = await rotate();
    };
    const { body } = await rotate();
    expect(await valid()).toEqual([body.secret, other?.body.secret, first]);
  });

  it('of five at once hands out five secrets that all sign', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => rotate()));
    const handedOut = answers.map(({ body }) => body.secret);
    expect((await valid()).toSorted()).toEqual([...handedOut, first].toSorted());
  });

  it('after another leaves each old secret its own day', async () => {
    const second = (await rotate()).body.secret;
    api.clock.now += 3_600_000;
    const third = (await rotate()).body.secret;
    const rotatedAt = api.clock.now;
    expect(await valid()).toEqual([third, second, first]);
    expect(await valid(rotatedAt - 3_600_000 + dayMs)).toEqual([third, second]);
    expect(await valid(rotatedAt + dayMs)).toEqual([third]);
  });

  it('is refused until a secret expires where the most are valid', async () => {
    for (let made = 1; made < mostSecrets; made += 1) {
      expect((await rotate()).status).toBe(201);
      api.clock.now += 1_000;
    }
    const before = await valid();
    const refused = await rotate();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86391']);
    expect(await valid()).toEqual(before);
    api.clock.now += 86_391_000;
    expect((await rotate()).status).toBe(201);
  });

  it('of an old version is refused', async () => {
    const { headers } = await api.call(`/v1/channels/${id}`);
    await change({ name: 'Prices' });
    expect((await rotate({ 'if-match': headers.get('etag') ?? '' })).status).toBe(412);
    expect(await valid()).toEqual([first]);
  });
});
