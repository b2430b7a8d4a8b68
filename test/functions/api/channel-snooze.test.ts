// The reader's snooze of a whole channel: by the link in any message, undone by the link or through the API.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

async function page(form?: Record<string, string>): Promise<string> {
  const { stopUrl = '' } = (await api.stores.channels.find(channelId)) ?? {};
  const response = await api.app.request(
    new URL(stopUrl).pathname,
    form && { method: 'POST', body: new URLSearchParams(form) },
  );
  expect(response.status).toBe(200);
  return response.text();
}

let channelId: string;
const shown = async () => (await api.call(`/v1/channels/${channelId}`)).body;

describe('a channel that its reader snoozes', () => {
  beforeEach(async () => {
    // secretlint-disable-next-line -- leads nowhere
    const url = 'https://hooks.slack.com/services/T0/B0/canarysecret';
    channelId = (await api.call('/v1/channels', { body: { kind: 'slack', url } })).body.id;
    expect(await page()).toContain('Snooze all alerts here for 24 hours');
    await page({ do: 'snooze_all' });
  });

  it('shows until when, and is no muted watch', async () => {
    expect(await shown()).toMatchObject({
      status: 'active',
      snoozed_until: '2026-03-02T12:00:00.000Z',
      muted_watches: [],
    });
    api.clock.now += 86_400_001;
    expect((await shown()).snoozed_until).toBeNull();
  });

  it('offers its undo on the page', async () => {
    expect(await page()).toContain('Undo: send alerts here again');
    await page({ do: 'unsnooze_all' });
    expect((await shown()).snoozed_until).toBeNull();
    expect(await page()).toContain('Snooze all alerts here for 24 hours');
  });

  it('can be undone by its owner', async () => {
    const unmute = () => api.call(`/v1/channels/${channelId}/unmute`, { method: 'POST' });
    expect((await unmute()).body.snoozed_until).toBeNull();
    expect((await unmute()).status).toBe(200);
  });
});
