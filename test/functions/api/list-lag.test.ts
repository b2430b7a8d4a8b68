// Lists over an index that lags behind, as DynamoDB's may: what a list misses is there by its id, as the
// document says.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import { type Api, anyVersion, startApi, watchBody } from '#test/support/api.ts';

let api: Api;
let isLagging: boolean;

/** While it lags, the index has what it had when the lag began. */
function lagging<Asked extends unknown[], Page>(
  list: (...asked: Asked) => Promise<Page>,
): (...asked: Asked) => Promise<Page> {
  let seen: Promise<Page> | undefined;
  return (...asked) => {
    seen = isLagging && seen ? seen : list(...asked);
    return seen;
  };
}

const withLag = (stores: Stores): Stores => ({
  ...stores,
  watches: { ...stores.watches, list: lagging(stores.watches.list) },
  channels: { ...stores.channels, list: lagging(stores.channels.list) },
});

beforeEach(async () => {
  isLagging = false;
  api = await startApi({}, withLag);
  return () => api.stop();
});

const ids = async (path: string) =>
  (await api.call(path)).body.data.map(({ id }: { id: string }) => id);

describe('a list whose index lags', () => {
  it('is told of in the document, with how late it may be', async () => {
    const { info } = (await api.call('/openapi.json', { key: '' })).body;
    expect(info.description).toContain('up to date within about a second');
    expect(info.description).toContain('A read by id always returns the current state.');
  });

  it('misses a new watch, which is there by its id', async () => {
    expect(await ids('/v1/watches')).toEqual([]);
    isLagging = true;
    const { id } = (await api.call('/v1/watches', { body: watchBody(api) })).body;
    expect(await ids('/v1/watches')).toEqual([]);
    expect((await api.call(`/v1/watches/${id}`)).status).toBe(200);
    isLagging = false;
    expect(await ids('/v1/watches')).toEqual([id]);
  });

  it('still has a deleted watch, which is gone by its id', async () => {
    const { id } = (await api.call('/v1/watches', { body: watchBody(api) })).body;
    expect(await ids('/v1/watches')).toEqual([id]);
    isLagging = true;
    await api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: anyVersion });
    expect(await ids('/v1/watches')).toEqual([id]);
    expect((await api.call(`/v1/watches/${id}`)).status).toBe(404);
  });

  it('misses a new channel, which a watch can name all the same', async () => {
    expect(await ids('/v1/channels')).toEqual([api.ann.channelId]);
    isLagging = true;
    const wanted = { kind: 'webhook', url: 'https://example.com/hook' };
    const { id } = (await api.call('/v1/channels', { body: wanted })).body;
    expect(await ids('/v1/channels')).toEqual([api.ann.channelId]);
    expect((await api.call(`/v1/channels/${id}`)).status).toBe(200);
    const { status } = await api.call('/v1/watches', { body: watchBody(api, { channels: [id] }) });
    expect(status).toBe(201);
  });
});
