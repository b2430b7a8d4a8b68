// A watch's own fallback channel through the API: made, changed, taken away, exported and imported, and
// always another channel of its owner's.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, eventId, levelRule, startApi } from '#test/support/api.ts';

let api: Api;
let fallback: string;

beforeEach(async () => {
  api = await startApi();
  fallback = await newChannel();
  return () => api.stop();
});

async function newChannel(): Promise<string> {
  const { body } = await api.call('/v1/channels', {
    body: { kind: 'webhook', url: 'https://example.com/second' },
  });
  return body.id;
}

const post = (wanted: Record<string, unknown>) =>
  api.call('/v1/watches', {
    body: { event_id: eventId, rules: [levelRule(80)], channels: [api.ann.channelId], ...wanted },
  });
const patch = (id: string, body: unknown) =>
  api.call(`/v1/watches/${id}`, { method: 'PATCH', headers: { 'if-match': '*' }, body });
const remove = (id: string) =>
  api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: { 'if-match': '*' } });

const another = {
  pointer: '#/fallback_channel',
  detail: 'must not be one of the watch’s own channels',
};
const notYours = { pointer: '#/fallback_channel', detail: 'is no channel of yours' };

describe('the fallback of a watch', () => {
  it('is none where nothing is said', async () => {
    expect((await post({})).body.fallback_channel).toBeNull();
  });

  it('is kept, shown, changed and taken away', async () => {
    const { status, body } = await post({ fallback_channel: fallback });
    expect([status, body.fallback_channel]).toEqual([201, fallback]);
    expect((await api.call(`/v1/watches/${body.id}`)).body.fallback_channel).toBe(fallback);

    const other = await newChannel();
    expect((await patch(body.id, { fallback_channel: other })).body.fallback_channel).toBe(other);
    expect((await patch(body.id, { name: 'Finals' })).body.fallback_channel).toBe(other);
    expect((await patch(body.id, { fallback_channel: null })).body.fallback_channel).toBeNull();
  });

  it('is never one of the channels that it stands in for', async () => {
    const { status, body } = await post({ fallback_channel: api.ann.channelId });
    expect([status, body.errors]).toEqual([400, [another]]);

    const { body: made } = await post({ fallback_channel: fallback });
    expect((await patch(made.id, { fallback_channel: api.ann.channelId })).body.errors).toEqual([
      another,
    ]);
    expect((await patch(made.id, { channels: [fallback] })).body.errors).toEqual([another]);
    const both = { channels: [fallback], fallback_channel: api.ann.channelId };
    expect((await patch(made.id, both)).status).toBe(200);
  });

  it('is never somebody else’s', async () => {
    const { status, body } = await post({ fallback_channel: api.bob.channelId });
    expect([status, body.errors]).toEqual([400, [notYours]]);
    const { body: made } = await post({});
    const changed = await patch(made.id, { fallback_channel: api.bob.channelId });
    expect([changed.status, changed.body.errors]).toEqual([400, [notYours]]);
  });

  it.each(['json', 'csv'])('goes out and comes in with the watchlist (%s)', async (format) => {
    const { body } = await post({ fallback_channel: fallback });
    const { text } = await api.call(`/v1/watchlist/export?format=${format}`);
    await remove(body.id);
    const answer = await api.app.request('/v1/watchlist/import', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.ann.key}`,
        'content-type': format === 'csv' ? 'text/csv' : 'application/json',
      },
      body: text,
    });
    expect(answer.status).toBe(200);
    const { data } = (await api.call('/v1/watches')).body;
    expect(data.map((watch: { fallback_channel: string }) => watch.fallback_channel)).toEqual([
      fallback,
    ]);
  });

  it('that is somebody else’s keeps a file from coming in', async () => {
    const row = {
      event_id: eventId,
      rules: [levelRule(80)],
      channels: [api.ann.channelId],
      fallback_channel: api.bob.channelId,
    };
    const { status, body } = await api.call('/v1/watchlist/import', { body: { watches: [row] } });
    expect(status).toBe(400);
    const pointer = '#/watches/0/fallback_channel';
    expect(body.errors).toEqual([{ ...notYours, pointer, line: 1 }]);
  });
});
