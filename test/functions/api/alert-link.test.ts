// Who may open an alert's page and press its buttons; that a look changes nothing; the headers of the page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import {
  alertedWatch,
  formOf,
  openPage,
  pageOf,
  postForm,
  press,
  watchOf,
} from '#test/support/alert-pages.ts';
import { type Api, aChannel, signedLinks, startApi, startMs } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
});
afterAll(() => api.stop());

const dayMs = 86_400_000;

describe('a look at the page', () => {
  it.each(['GET', 'HEAD'])('by %s changes nothing, whatever it is opened for', async (method) => {
    const { page, watchId } = await alertedWatch(api);
    const state = async () => [
      await watchOf(api, watchId),
      await api.stores.channels.find(api.ann.channelId),
      await api.stores.watchVersions.listBefore(watchId, 100, { limit: 50, now: startMs }),
    ];
    const before = await state();
    const { fields } = formOf(await openPage(api, page), 'bought');
    for (const act of ['bought', 'new_low', 'level', 'snooze', 'stop_watch', 'stop_all']) {
      const query = new URLSearchParams({ ...fields, do: act });
      const response = await api.app.request(`${page}?${query}`, { method });
      expect(response.status).toBe(200);
      if (method === 'HEAD') expect(await response.text()).toBe('');
    }
    expect(await state()).toEqual(before);
  });

  it('with a slash at the end leads to the page', async () => {
    const { page } = await alertedWatch(api);
    const { status, headers } = await api.app.request(`${page}/`);
    expect([status, headers.get('location')]).toEqual([301, `http://localhost${page}`]);
  });

  it('is not kept, framed, or allowed to load anything but a picture of ours', async () => {
    const { page } = await alertedWatch(api);
    const sent = [
      await openPage(api, page),
      await press(api, page, 'snooze'),
      await openPage(api, '/l/x'),
    ];
    for (const { headers } of sent) {
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'permissions-policy': expect.stringContaining('geolocation=()'),
        'x-robots-tag': 'noindex, nofollow',
      });
    }
  });
});

/** A form whose button is a file. */
function fileForm(): FormData {
  const form = new FormData();
  form.append('do', new Blob(['bought']));
  return form;
}

describe('an alert’s link', () => {
  const linksOf = async (channelId = api.ann.channelId) =>
    createAlertLinks(await signedLinks.manageUrl(channelId));

  it('leads nowhere for an alert of another owner, of nobody, or that has expired', async () => {
    const { alert } = await alertedWatch(api);
    const bobs = { ...alert, alertId: `${alert.alertId}1`, ownerId: api.bob.ownerId };
    await api.stores.alerts.create(bobs);
    for (const alertId of [bobs.alertId, 'alt_none', '\ud800', 'a'.repeat(2_100)]) {
      const page = await pageOf(api, { alertId });
      for (const seen of [await openPage(api, page), await postForm(api, page, { do: 'bought' })]) {
        expect([seen.status, seen.text]).toEqual([
          404,
          expect.stringContaining('This link no longer works'),
        ]);
      }
    }
    api.clock.now += 401 * dayMs;
    expect((await openPage(api, await pageOf(api, alert))).status).toBe(404);
    api.clock.now = startMs;
  });

  it('of a picture has no page', async () => {
    const { alert } = await alertedWatch(api);
    const chart = (await linksOf())?.chartUrl(alert.alertId) ?? '';
    const token = new URL(chart).pathname.replace('/c/', '').replace('.png', '');
    expect((await openPage(api, `/l/${token}`)).status).toBe(404);
  });

  it('of a channel that was deleted says so', async () => {
    const { alert } = await alertedWatch(api);
    const channelId = `ch_${'9'.repeat(32)}`;
    const url = (await linksOf(channelId))?.pageUrl(alert.alertId) ?? '';
    const seen = await openPage(api, new URL(url).pathname);
    expect([seen.status, seen.text]).toEqual([
      200,
      expect.stringContaining('Nothing more comes here'),
    ]);
  });

  it('of an owner who is being deleted does nothing', async () => {
    const { alert } = await alertedWatch(api);
    const ownerId = `own_${'8'.repeat(32)}`;
    const channelId = `ch_${'8'.repeat(32)}`;
    await api.stores.access.createOwner({
      ownerId,
      name: 'Eve',
      createdAt: new Date(startMs).toISOString(),
    });
    await api.stores.channels.create(aChannel(channelId, ownerId));
    const own = { ...alert, alertId: `${alert.alertId}2`, ownerId };
    await api.stores.alerts.create(own);
    const url = (await linksOf(channelId))?.pageUrl(own.alertId) ?? '';
    const { pathname } = new URL(url);
    expect((await openPage(api, pathname)).text).toContain('Knicks at Heat');
    await api.stores.access.beginDeletion(ownerId, { deletionId: 'del_1', since: startMs });
    const fields = { do: 'stop_all', revision: '0' };
    for (const seen of [await openPage(api, pathname), await postForm(api, pathname, fields)]) {
      expect(seen.text).toContain('Deleted What this link was for has been deleted');
    }
    expect((await api.stores.channels.find(channelId))?.status).toBe('active');
  });

  it.each([['snooze_all'], ['unsnooze_all'], ['lift'], ['confirm'], ['toString'], ['']])(
    'has no power to press “%s”',
    async (act) => {
      const { page } = await alertedWatch(api);
      const before = await api.stores.channels.find(api.ann.channelId);
      const seen = await postForm(api, page, { do: act, version: '1', revision: '0' });
      expect([seen.status, await api.stores.channels.find(api.ann.channelId)]).toEqual([
        400,
        before,
      ]);
    },
  );

  it('is no one-click unsubscription: that is the link of the mail’s header', async () => {
    const { page } = await alertedWatch(api);
    const seen = await postForm(api, page, { 'List-Unsubscribe': 'One-Click' });
    const channel = await api.stores.channels.find(api.ann.channelId);
    expect([seen.status, channel?.status]).toEqual([400, 'active']);
  });

  it.each<[string, RequestInit]>([
    ['JSON', { body: '{"do":"bought"}', headers: { 'content-type': 'application/json' } }],
    ['nothing', {}],
    ['a file', { body: fileForm() }],
  ])('does nothing when %s is posted', async (_, sent) => {
    const { page, watchId } = await alertedWatch(api);
    const response = await api.app.request(page, { method: 'POST', ...sent });
    expect([response.status, (await watchOf(api, watchId)).status]).toEqual([400, 'active']);
  });
});
