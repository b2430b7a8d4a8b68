// The life of a channel through the API, and the pages behind the links in its messages.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, anyVersion, startApi } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const create = (body: object) => api.call('/v1/channels', { body });
// secretlint-disable-next-line -- leads nowhere
const slackUrl = 'https://hooks.slack.com/services/T0/B0/canarysecret';
const page = async (url: string, form?: Record<string, string>) => {
  const { pathname, search } = new URL(url);
  const response = await api.app.request(
    `${pathname}${search}`,
    form && { method: 'POST', body: new URLSearchParams(form) },
  );
  return { status: response.status, text: await response.text() };
};
const channelOf = async (id: string) => {
  const channel = await api.stores.channels.find(id);
  if (!channel) throw new Error('no channel');
  return channel;
};
const logOf = async () => (await api.stores.deliveries.list(api.ann.ownerId, { limit: 50 })).rows;

describe('a new channel', () => {
  it.each([
    [{ kind: 'slack', url: slackUrl }, 'hooks.slack.com'],
    [{ kind: 'discord', url: 'https://discord.com/api/webhooks/1/canarysecret' }, 'discord.com'],
    [
      {
        kind: 'teams',
        url: 'https://prod-1.westus.logic.azure.com:443/workflows/x?sig=canarysecret',
      },
      'prod-1.westus.logic.azure.com',
    ],
    [{ kind: 'webhook', url: 'https://example.com/canarysecret' }, 'example.com'],
    // A workflow of Slack takes the JSON that its owner defines.
    [{ kind: 'webhook', url: 'https://hooks.slack.com/triggers/canarysecret' }, 'hooks.slack.com'],
  ])('%j is active at once, and shows its host alone', async (wanted, host) => {
    const { status, body, text } = await create(wanted);
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: wanted.kind, status: 'active', host });
    expect(text).not.toContain('canarysecret');
  });

  it.each([
    [{ kind: 'slack', url: 'https://evil.example/services/x' }, 'that the chat issued'],
    [
      { kind: 'slack', url: 'https://hooks.slack.com.evil.example/services/x' },
      'that the chat issued',
    ],
    [{ kind: 'slack', url: 'https://hooks.slack.com@evil.example/services/x' }, 'user name'],
    [
      { kind: 'discord', url: 'https://discord.com.evil.example/api/webhooks/1/t' },
      'that the chat issued',
    ],
    [{ kind: 'teams', url: 'https://evil.example/workflows' }, 'that the chat issued'],
    ...['/slack', '/github', '/slack/'].flatMap((ending) =>
      ['discord', 'webhook'].map((kind): [object, string] => [
        { kind, url: `https://discord.com/api/v10/webhooks/1/t${ending}` },
        `use the kind discord, and the URL without ${ending.replace(/\/$/, '')}`,
      ]),
    ),
    [
      { kind: 'webhook', url: 'https://hooks.slack-gov.com/services/T/B/X' },
      'accepts no generic webhooks: use the kind slack',
    ],
    [{ kind: 'webhook', url: 'https://[::ffff:10.0.0.1]/' }, 'public address'],
    [{ kind: 'webhook', url: 'https://2130706433/' }, 'public address'],
    [{ kind: 'webhook', url: 'http://example.com/' }, 'https'],
    [{ kind: 'email', address: 'a@b.c\r\nCc: x@y.z' }, 'one e-mail address'],
    [
      { kind: 'webhook', url: 'https://example.com/', fallback_channel: `ch_${'9'.repeat(32)}` },
      'yours',
    ],
  ])('%j is refused: %s', async (wanted, words) => {
    const { status, text } = await create(wanted);
    expect(status).toBe(400);
    expect(text).toContain(words);
  });

  it('that is a webhook shows its secret once', async () => {
    const { body } = await create({ kind: 'webhook', url: 'https://example.com/hook' });
    expect(body.secret).toMatch(/^whsec_/);
    expect((await api.call(`/v1/channels/${body.id}`)).text).not.toContain('whsec_');
    expect((await api.call('/v1/channels')).text).not.toContain('whsec_');
  });
});

describe('a secret', () => {
  it('is rotated with a day in which both sign', async () => {
    const { body } = await create({ kind: 'webhook', url: 'https://example.com/hook' });
    const rotated = await api.call(`/v1/channels/${body.id}/secret`, { method: 'POST' });
    expect(rotated.status).toBe(201);
    const { target } = await channelOf(body.id);
    expect(target).toMatchObject({
      secrets: [
        { secret: rotated.body.secret, expiresAt: null },
        { secret: body.secret, expiresAt: api.clock.now + 86_400_000 },
      ],
    });
  });

  it('is what only webhooks have', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const refused = await api.call(`/v1/channels/${body.id}/secret`, { method: 'POST' });
    expect(refused.status).toBe(409);
  });
});

describe('a change', () => {
  it('keeps what it leaves out, and takes a new URL of the same kind', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl, name: 'Ops' });
    // secretlint-disable-next-line -- leads nowhere
    const url = 'https://hooks.slack.com/services/T0/B0/other';
    const sent = { method: 'PATCH', body: { url, immediate: true }, headers: anyVersion };
    const changed = await api.call(`/v1/channels/${body.id}`, sent);
    expect(changed.body).toMatchObject({ name: 'Ops', immediate: true, stale_alerts: 'send' });
    expect((await channelOf(body.id)).target).toEqual({ kind: 'slack', url });
    const evil = { method: 'PATCH', body: { url: 'https://evil.example/' }, headers: anyVersion };
    expect((await api.call(`/v1/channels/${body.id}`, evil)).status).toBe(400);
  });

  it('of an old version is refused', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const sent = { method: 'PATCH', body: { name: 'x' }, headers: { 'if-match': '"old"' } };
    expect((await api.call(`/v1/channels/${body.id}`, sent)).status).toBe(412);
  });
});

describe('an address', () => {
  const confirmUrl = async () =>
    (await logOf()).find(({ purpose }) => purpose === 'confirmation')?.confirmUrl ?? '';

  it('is confirmed by the link in its mail: a GET shows a page, a POST acts', async () => {
    const { body } = await create({ kind: 'email', address: 'new@example.com' });
    expect(body.status).toBe('unverified');
    const url = await confirmUrl();
    const shown = await page(url);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('Yes, send price alerts here');
    expect((await channelOf(body.id)).status).toBe('unverified');

    expect((await page(url, { do: 'confirm' })).text).toContain('Confirmed');
    expect((await channelOf(body.id)).status).toBe('active');
    expect((await page(url, { do: 'confirm' })).status).toBe(200);
  });

  it('is not confirmed by a link that was changed, is too old, or is for something else', async () => {
    const { body } = await create({ kind: 'email', address: 'new@example.com' });
    const url = await confirmUrl();
    const changed = `${url.slice(0, -2)}${url.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await page(changed, { do: 'confirm' })).status).toBe(404);
    expect((await page((await channelOf(body.id)).stopUrl, { do: 'confirm' })).status).toBe(400);
    api.clock.now += 8 * 86_400_000;
    expect((await page(url, { do: 'confirm' })).status).toBe(404);
    expect((await channelOf(body.id)).status).toBe('unverified');
  });

  it('gets another confirmation mail, but not two in a minute', async () => {
    const { body } = await create({ kind: 'email', address: 'new@example.com' });
    const again = () => api.call(`/v1/channels/${body.id}/confirmation`, { method: 'POST' });
    expect((await again()).status).toBe(429);
    api.clock.now += 60_000;
    expect((await again()).status).toBe(202);
  });

  const confirmations = async (person = api.ann) => {
    const { rows } = await api.stores.deliveries.list(person.ownerId, { limit: 50 });
    return rows.filter(({ purpose }) => purpose === 'confirmation').length;
  };
  const add = (address: string, { key } = api.ann) =>
    api.call('/v1/channels', { body: { kind: 'email', address }, key });
  const remove = (id: string) =>
    api.call(`/v1/channels/${id}`, { method: 'DELETE', headers: anyVersion });

  it('gets one mail, however many channels it is added to, deleted from and added to again', async () => {
    const first = await add('stranger@example.com');
    const more = [];
    for (let time = 0; time < 8; time += 1) more.push(await add('stranger@example.com'));
    await remove(first.body.id);
    more.push(await add('stranger@example.com'), await add('stranger@example.com', api.bob));
    expect(more.map(({ status }) => status)).toEqual(more.map(() => 429));
    expect([await confirmations(), await confirmations(api.bob)]).toEqual([1, 0]);
    expect(more[0]?.headers.get('retry-after')).toBe('60');
    expect(more[0]?.body.detail).toBe(
      'An address gets at most one confirmation mail in 60 s, counted over all channels with this address; try again in 60 s',
    );
  });

  it('gets one mail of two owners who add it at the same moment', async () => {
    const added = await Promise.all([
      ...[add('stranger@example.com'), add('stranger@example.com')],
      ...[add('stranger@example.com', api.bob), add('stranger@example.com', api.bob)],
    ]);
    expect(added.map(({ status }) => status).toSorted()).toEqual([201, 429, 429, 429]);
    expect((await confirmations()) + (await confirmations(api.bob))).toBe(1);
  });

  it('gets five mails in 24 hours, and the next one when the first is a day old', async () => {
    const statuses: number[] = [];
    for (let minute = 0; minute < 8; minute += 1) {
      const { status, body } = await add('stranger@example.com', minute % 2 ? api.bob : api.ann);
      statuses.push(status);
      if (status === 201 && minute % 2 === 0) await remove(body.id);
      api.clock.now += 60_000;
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    const refused = await add('stranger@example.com');
    expect(refused.headers.get('retry-after')).toBe(String(86_400 - 8 * 60));
    api.clock.now += 86_400_000 - 8 * 60_000;
    expect((await add('stranger@example.com')).status).toBe(201);
  });

  it.each([
    ['ann.lee@example.com', 'Ann.Lee@EXAMPLE.com'],
    ['ann@example.com', 'ann+alerts@example.com'],
    ['ann.lee@gmail.com', 'annlee+x@googlemail.com'],
  ])('%s counts as the same mailbox as %s', async (one, other) => {
    expect((await add(one)).status).toBe(201);
    expect((await add(other)).status).toBe(429);
    expect((await add('another@example.com')).status).toBe(201);
  });

  it('that is refused takes no place of the quota', async () => {
    await add('stranger@example.com');
    for (let time = 0; time < 49; time += 1) await add('stranger@example.com');
    expect((await create({ kind: 'slack', url: slackUrl })).status).toBe(201);
  });

  it('can’t be flooded through the replay of its confirmation', async () => {
    await add('stranger@example.com');
    const [delivery] = await logOf();
    const replayed = await api.call(`/v1/deliveries/${delivery?.deliveryId}/replay`, {
      method: 'POST',
    });
    expect([replayed.status, replayed.body.type]).toEqual([409, 'urn:getin:problem:conflict']);
  });

  it('of many strangers gets 50 mails a day from one owner', async () => {
    const statuses: number[] = [];
    for (let stranger = 0; stranger < 52; stranger += 1) {
      const { status, body } = await add(`stranger${stranger}@example.com`);
      statuses.push(status);
      if (status === 201) await remove(body.id);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect((await add('someone@example.com', api.bob)).status).toBe(201);
  });

  it('can be added under the same Idempotency-Key once the minute is over', async () => {
    await add('stranger@example.com');
    const again = () =>
      api.call('/v1/channels', {
        body: { kind: 'email', address: 'stranger@example.com' },
        headers: { 'idempotency-key': 'k1' },
      });
    expect((await again()).status).toBe(429);
    api.clock.now += 60_000;
    expect((await again()).status).toBe(201);
  });
});

describe('the page of a channel', () => {
  it('answers a form that can’t be read with a page, and other methods with the ones it takes', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const { pathname } = new URL((await channelOf(body.id)).stopUrl);
    const send = (method: string) =>
      api.call(pathname, {
        ...{ method, body: 'no boundary', key: '' },
        headers: { 'content-type': 'multipart/form-data' },
      });
    const answer = await send('POST');
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect((await channelOf(body.id)).status).toBe('active');
    const other = await api.call(pathname, { method: 'DELETE', key: '' });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('stops everything with one click of a mail client, and can be undone', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const { stopUrl } = await channelOf(body.id);
    const stopped = await page(stopUrl, { 'List-Unsubscribe': 'One-Click' });
    expect(stopped.status).toBe(200);
    expect((await channelOf(body.id)).status).toBe('unsubscribed');
    expect((await page(stopUrl, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    await page(stopUrl, { do: 'resume_all' });
    expect((await channelOf(body.id)).status).toBe('active');
  });

  it('takes the click as mail clients may also send it, in parts', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const { pathname } = new URL((await channelOf(body.id)).stopUrl);
    await api.app.request(pathname, { method: 'POST', body: form });
    expect((await channelOf(body.id)).status).toBe('unsubscribed');
  });

  it('changes nothing when it is only looked at', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const { stopUrl } = await channelOf(body.id);
    expect((await page(stopUrl)).text).toContain('Stop all messages here');
    expect((await channelOf(body.id)).status).toBe('active');
  });
});

describe('a test', () => {
  it('is a delivery whose outcome can be read', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const test = await api.call(`/v1/channels/${body.id}/test`, { method: 'POST' });
    expect(test.status).toBe(202);
    const read = await api.call(`/v1/deliveries/${test.body.id}`);
    expect(read.body).toMatchObject({ purpose: 'test', status: 'pending', attempts: [] });
  });

  it('is sent 20 times a minute for one owner at most', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    const test = () => api.call(`/v1/channels/${body.id}/test`, { method: 'POST' });
    const statuses = [];
    for (let time = 0; time < 21; time += 1) {
      api.clock.now += 1;
      statuses.push((await test()).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429]);
    api.clock.now += 60_000;
    expect((await test()).status).toBe(202);
  });

  it('goes to no address that has not agreed', async () => {
    const { body } = await create({ kind: 'email', address: 'new@example.com' });
    const test = await api.call(`/v1/channels/${body.id}/test`, { method: 'POST' });
    expect(test.status).toBe(409);
  });
});

describe('an address that nobody has confirmed', () => {
  it('can be neither switched off nor stopped, since on again it would be without that', async () => {
    const { body } = await create({ kind: 'email', address: 'new@example.com' });
    const off = await api.call(`/v1/channels/${body.id}`, {
      method: 'PATCH',
      headers: anyVersion,
      body: { status: 'disabled' },
    });
    expect(off.status).toBe(409);
    const { stopUrl } = (await api.stores.channels.find(body.id)) ?? { stopUrl: '' };
    for (const what of ['stop_all', 'resume_all']) {
      await api.app.request(new URL(stopUrl).pathname, {
        method: 'POST',
        body: new URLSearchParams({ do: what }),
      });
    }
    expect((await channelOf(body.id)).status).toBe('unverified');
  });
});
