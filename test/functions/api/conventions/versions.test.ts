// Changes that say which version they mean: no update is lost.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

describe('versions', () => {
  it.each([
    ['/v1/owner', (n: number) => ({ time_zone: n === 0 ? 'UTC' : 'Europe/Vienna' })],
    ['/v1/keys/KEY', (n: number) => ({ name: `name ${n}` })],
    ['/v1/channels/CHANNEL', (n: number) => ({ name: `name ${n}` })],
    ['/v1/defaults', (n: number) => ({ latency_seconds: 60 + n })],
  ])('lose no update of %s: of two on one version, one wins', async (path, body) => {
    const keys = (await api.call('/v1/keys')).body.data;
    const at = path.replace('CHANNEL', api.ann.channelId).replace('KEY', keys[0].id);
    const etag = (await api.call(at)).headers.get('etag') ?? '';
    const patch = (n: number, match: string) =>
      api.call(at, { method: 'PATCH', body: body(n), headers: { 'if-match': match } });
    const answers = await Promise.all([patch(0, etag), patch(1, etag)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await patch(2, etag)).status).toBe(412);
    const now = answers.find(({ status }) => status === 200)?.headers.get('etag') ?? '';
    // The tag of a read names the same version, and its own bytes after it.
    const read = (await api.call(at)).headers.get('etag') ?? '';
    expect(read.split('.')[0]).toBe(now.slice(0, -1));
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
