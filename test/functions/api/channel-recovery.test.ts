// Channels that fall silent, and their ways back: a reader's mute, the last channel of a watch, an address
// that bounced or complained.
import { beforeEach, describe, expect, it } from 'vitest';
import { createLinks } from '#shared/delivery/links.ts';
import { forever } from '#shared/watchlist/channel.ts';
import { type Api, aChannel, anyVersion, startApi, startMs, watchBody } from '#test/support/api.ts';

const dayMs = 86_400_000;
const address = 'ann@example.com';
const links = createLinks(async () => 'a secret of links', 'https://getin.example');

let api: Api;
let watchId: string;
let channel: string;

beforeEach(async () => {
  api = await startApi();
  channel = `/v1/channels/${api.ann.channelId}`;
  watchId = (await api.call('/v1/watches', { body: watchBody(api) })).body.id;
  return () => api.stop();
});

const codes = async () => {
  const { trouble } = (await api.call(`/v1/watches/${watchId}`)).body;
  return trouble.map(({ code }: { code: string }) => code);
};
const post = (path: string, body?: object) => api.call(path, { method: 'POST', body });
const suppress = (reason: 'bounce' | 'complaint' | 'soft_bounces', at = startMs) =>
  api.stores.suppressions.suppress(address, reason, at);
const log = async () => (await api.stores.deliveries.list(api.ann.ownerId, { limit: 50 })).rows;
const press = async (act: string, query = '') => {
  const { pathname } = new URL(await links.manageUrl(api.ann.channelId));
  const body = new URLSearchParams({ do: act });
  return (await api.app.request(`${pathname}${query}`, { method: 'POST', body })).text();
};
const page = async () => {
  const { pathname } = new URL(await links.manageUrl(api.ann.channelId));
  return (await api.app.request(pathname)).text();
};
const addSecondChannel = async () => {
  const second = `ch_${'7'.repeat(32)}`;
  const target = { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/X' } as const;
  await api.stores.channels.create({ ...aChannel(second, api.ann.ownerId), target });
  return second;
};

describe('a link with an odd watch', () => {
  it.each(['w'.repeat(2_100), '%ED%A0%80', '%00', '', 'wat_none'])(
    'is the page of the channel: ?w=%.20s',
    async (id) => {
      const { pathname } = new URL(await links.manageUrl(api.ann.channelId));
      const response = await api.app.request(`${pathname}?w=${id}`);
      expect([response.status, await response.text()]).toEqual([200, await page()]);
      const body = new URLSearchParams({ do: 'stop_watch' });
      const sent = await api.app.request(`${pathname}?w=${id}`, { method: 'POST', body });
      expect(sent.status).toBe(400);
    },
  );
});

describe('a watch that its reader has stopped on its only channel', () => {
  beforeEach(() => press('stop_watch', `?w=${watchId}`));

  it('is in trouble, is named by the channel, and is heard of again by API', async () => {
    expect(await codes()).toEqual(['no_usable_channel', 'channel_muted']);
    expect((await api.call(channel)).body.muted_watches).toEqual([{ watch: watchId, until: null }]);
    const undone = await post(`${channel}/unmute`, { watch: watchId });
    expect([undone.status, undone.body.muted_watches]).toEqual([200, []]);
    expect(await codes()).toEqual([]);
    expect((await post(`${channel}/unmute`, { watch: watchId })).status).toBe(200);
  });

  it('stays stopped when another owner asks', async () => {
    const { status } = await api.call(`${channel}/unmute`, {
      body: { watch: watchId },
      key: api.bob.key,
    });
    expect(status).toBe(404);
    expect(await codes()).toContain('channel_muted');
  });

  it('leaves no trace of other watches that are named', async () => {
    await post(`${channel}/unmute`, { watch: `wat_${'9'.repeat(32)}` });
    const stored = await api.stores.channels.find(api.ann.channelId);
    expect(stored?.watchesSilentUntil).toEqual({ [watchId]: forever });
  });
});

describe('a reader who stops one watch', () => {
  it('leaves the owner a word by another channel where no channel of the watch is left', async () => {
    const second = await addSecondChannel();
    await press('stop_watch', `?w=${watchId}`);
    const [notice, ...others] = await log();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ purpose: 'notice', channelId: second });
    expect(notice?.notice?.headline).toContain('is muted for it by its reader');
    expect(notice?.notice?.paragraphs[0]).toContain(watchId);
  });

  it('leaves no word where the watch has another channel', async () => {
    const second = await addSecondChannel();
    await api.call(`/v1/watches/${watchId}`, {
      ...{ method: 'PATCH', headers: anyVersion },
      body: { channels: [api.ann.channelId, second] },
    });
    await press('stop_watch', `?w=${watchId}`);
    expect(await log()).toEqual([]);
  });
});

describe('deleting a channel', () => {
  const remove = (query = '') =>
    api.call(`${channel}${query}`, { method: 'DELETE', headers: anyVersion });

  it('that is a watch’s last is refused, naming the watch', async () => {
    const { status, body } = await remove();
    expect([status, body.type, body.watches]).toEqual([
      409,
      'urn:getin:problem:last-channel',
      [watchId],
    ]);
    expect(body.detail).toContain(watchId);
    expect((await api.call(channel)).status).toBe(200);
  });

  it('in a dry run is answered as it would be, and changes nothing', async () => {
    expect((await remove('?dry_run=true')).body.watches).toEqual([watchId]);
    expect((await remove('?dry_run=true&force=true')).status).toBe(204);
    expect((await api.call(channel)).status).toBe(200);
    expect((await api.call(`/v1/watches/${watchId}`)).body.status).toBe('active');
    expect(await log()).toEqual([]);
  });

  it('with force pauses the watch, which is then not polled, and tells the owner elsewhere', async () => {
    const second = await addSecondChannel();
    expect((await remove('?force=true')).status).toBe(204);
    expect((await api.call(`/v1/watches/${watchId}`)).body.status).toBe('paused');
    expect((await api.stores.feeds.find(4711, 'stats'))?.status).toBe('idle');
    const [notice] = await log();
    expect(notice).toMatchObject({ purpose: 'notice', channelId: second });
    expect(notice?.notice?.headline).toBe(
      '1 watch can’t alert you: your email channel (a…@example.com) has been deleted',
    );
  });

  it.each([
    ['another channel works', 204, undefined],
    ['the other channel is switched off', 409, 'disabled'],
    ['the other channel is unsubscribed', 409, 'unsubscribed'],
  ] as const)('where %s answers %i', async (_, status, other) => {
    const second = await addSecondChannel();
    await api.call(`/v1/watches/${watchId}`, {
      method: 'PATCH',
      body: { channels: [api.ann.channelId, second] },
      headers: anyVersion,
    });
    if (other) await api.stores.channels.changeStatus(second, ['active'], { status: other });
    expect((await remove()).status).toBe(status);
  });

  it('of a paused watch, or of one whose event is over, is let through', async () => {
    await post(`/v1/watches/${watchId}/pause`);
    expect((await remove()).status).toBe(204);
    const second = await addSecondChannel();
    await api.call('/v1/watches', { body: watchBody(api, { channels: [second] }) });
    const facts = { eventId: 4711, name: 'Over', startsAt: startMs - dayMs, updatedAt: startMs };
    await api.stores.eventFacts.keep(facts);
    const { status } = await api.call(`/v1/channels/${second}`, {
      method: 'DELETE',
      headers: anyVersion,
    });
    expect(status).toBe(204);
  });
});

describe('defaults that lose their channels', () => {
  it('leave the watches that follow them the channels that they had', async () => {
    const change = (channels: string[] | null) =>
      api.call('/v1/defaults', { method: 'PATCH', body: { channels }, headers: anyVersion });
    await change([api.ann.channelId]);
    const body = watchBody(api, { name: 'follows', channels: undefined });
    const { id } = (await api.call('/v1/watches', { body })).body;
    expect((await change(null)).status).toBe(200);
    expect((await api.call(`/v1/watches/${id}`)).body).toMatchObject({
      channels: [api.ann.channelId],
      trouble: [],
    });
  });
});

describe('a reader who stops everything', () => {
  it('leaves the owner a word about the watches that reach nobody now', async () => {
    const second = await addSecondChannel();
    await press('stop_all');
    expect(await codes()).toEqual(['no_usable_channel', 'channel_unsubscribed']);
    const [notice] = await log();
    expect(notice).toMatchObject({ purpose: 'notice', channelId: second });
    expect(notice?.notice?.headline).toContain('was unsubscribed by its reader');
  });
});

describe('an address that bounced', () => {
  beforeEach(() => suppress('bounce'));

  it('is blocked at once, and the channel says why and how it ends', async () => {
    const { body } = await api.call(channel);
    expect(body).toMatchObject({
      status: 'suppressed',
      blocked: {
        reason: 'bounce',
        since: '2026-03-01T12:00:00.000Z',
        text: 'No mail can be sent to this address, because a mail to it was returned as permanently undeliverable.',
        ends: expect.stringContaining('/unblock'),
      },
    });
    expect((await api.call('/v1/channels')).body.data[0]).toEqual(body);
  });

  it.each<[string, () => ReturnType<typeof post>]>([
    ['a test', () => post(`${channel}/test`)],
    ['the same address again', () => post('/v1/channels', { kind: 'email', address })],
    ['it in capitals', () => post('/v1/channels', { kind: 'email', address: 'ANN@EXAMPLE.COM' })],
  ])('refuses %s in words', async (_, ask) => {
    const { status, body } = await ask();
    expect([status, body.type]).toEqual([409, 'urn:getin:problem:address-suppressed']);
    expect(body.detail).toContain('was returned as permanently undeliverable');
    expect(await log()).toEqual([]);
  });

  it('refuses a confirmation in words', async () => {
    await api.stores.channels.changeStatus(api.ann.channelId, ['active'], { status: 'unverified' });
    const { status, body } = await post(`${channel}/confirmation`);
    expect([status, body.type]).toEqual([409, 'urn:getin:problem:address-suppressed']);
  });

  it('is lifted by its owner, and hears nothing but a confirmation before its reader agrees', async () => {
    const { status, body } = await post(`${channel}/unblock`);
    expect([status, body.status, body.blocked]).toEqual([202, 'unverified', null]);
    expect((await log()).map(({ purpose }) => purpose)).toEqual(['confirmation']);
    const again = await post(`${channel}/unblock`);
    expect([again.status, again.body.detail]).toEqual([409, 'This channel is not blocked']);
  });

  it('that bounces again after a lift waits a day, then two', async () => {
    await post(`${channel}/unblock`);
    await suppress('bounce', startMs + 1_000);
    api.clock.now = startMs + dayMs;
    const early = await post(`${channel}/unblock`);
    expect(early.status).toBe(409);
    expect(early.headers.get('retry-after')).toBe('1');
    api.clock.now = startMs + dayMs + 1_000;
    expect((await post(`${channel}/unblock`)).status).toBe(202);
    await suppress('bounce', api.clock.now + 1_000);
    api.clock.now += dayMs + 60_000;
    expect((await post(`${channel}/unblock`)).status).toBe(409);
  });

  it('stays lifted when the feedback of the old bounce comes again', async () => {
    await post(`${channel}/unblock`);
    expect(await suppress('bounce')).toBe(false);
    expect((await api.call(channel)).body.blocked).toBeNull();
  });
});

describe('an address whose reader complained', () => {
  beforeEach(() => suppress('complaint'));

  it('is not lifted by its owner', async () => {
    const { status, body } = await post(`${channel}/unblock`);
    expect([status, body.type]).toEqual([409, 'urn:getin:problem:address-suppressed']);
    expect(body.detail).toContain('Only the reader can lift the block');
  });

  it('stays a complaint when a bounce follows', async () => {
    await suppress('bounce', startMs + 1);
    expect((await api.call(channel)).body.blocked.reason).toBe('complaint');
  });

  it('is lifted by its reader, by the link of any mail', async () => {
    expect(await page()).toContain('its reader reported a mail as spam');
    expect(await press('lift')).toContain('On again');
    expect((await api.call(channel)).body).toMatchObject({ status: 'active', blocked: null });
    expect(await codes()).toEqual([]);
  });

  it('is switched on again by its reader after a send had switched it off', async () => {
    const off = { status: 'disabled', disabledReason: 'address_complaint' } as const;
    await api.stores.channels.changeStatus(api.ann.channelId, ['active'], off);
    await press('lift');
    expect((await api.call(channel)).body.status).toBe('active');
  });

  it('of a channel that its owner switched off stays off', async () => {
    const off = { status: 'disabled', disabledReason: 'by_owner' } as const;
    await api.stores.channels.changeStatus(api.ann.channelId, ['active'], off);
    await press('lift');
    expect((await api.call(channel)).body).toMatchObject({ status: 'disabled', blocked: null });
  });
});

describe('the pages of a stopped channel', () => {
  it('say that nothing comes there, and confirm nothing', async () => {
    await press('stop_all');
    expect(await page()).toContain('No more messages are sent to your email channel');
    const { pathname } = new URL(await links.confirmUrl(api.ann.channelId, startMs));
    const body = new URLSearchParams({ do: 'confirm' });
    const answer = await api.app.request(pathname, { method: 'POST', body });
    expect(await answer.text()).toContain('Nothing to confirm');
    expect((await api.call(channel)).body.status).toBe('unsubscribed');
  });
});
