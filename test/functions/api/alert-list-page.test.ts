// The page behind "and n more": the newest alerts of one channel, each with a link to its own page.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { alertedWatch, openPage } from '#test/support/alert-pages.ts';
import { anAlert, firedAt, hostileNames } from '#test/support/alerts.ts';
import { type Api, aChannel, signedLinks, startApi } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

it('lists the alerts of the channel, and each entry opens the page of its alert', async () => {
  const { alert, page } = await alertedWatch(api);
  await alertedWatch(api, { alert: { channelIds: ['ch_00000000000000000000000000000fff'] } });
  const url = new URL(await signedLinks.manageUrl(api.ann.channelId));
  const { status, text, html } = await openPage(api, `${url.pathname}?do=alerts`);
  expect(status).toBe(200);
  expect(text).toContain('The newest alerts here');
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  expect(links.map((href) => new URL(href).pathname)).toEqual([page]);
  expect(text).toContain(`${alert.eventName}`);
});

let channels = 0;

/** The list of a channel that got these alerts, the newest first. */
async function listOf(alerts: readonly Partial<Alert>[]) {
  const { ownerId } = api.ann;
  channels += 1;
  const channelId = `ch_${String(channels).padStart(32, '0')}`;
  await api.stores.channels.create(aChannel(channelId, ownerId));
  const stored = alerts.map((changes, index) =>
    anAlert({
      ...{ ownerId, channelIds: [channelId], alertId: `alt_${channels}x${index}_1` },
      ...{ firedAt: firedAt - index, ...changes },
    }),
  );
  await Promise.all(stored.map(api.stores.alerts.create));
  const url = new URL(await signedLinks.manageUrl(channelId));
  return openPage(api, `${url.pathname}?do=alerts`);
}

it('says when there is none', async () => {
  const { text, html } = await listOf([]);
  expect(text).toContain('There are no alerts for your email channel (ann@example.com) yet.');
  expect(html).not.toContain('<ul>');
});

it('has each alert with its price first, in the colour of where it went', async () => {
  const { html } = await listOf([
    {},
    { base: 9_900, value: 9_900, direction: 'up' },
    { role: 'recovery', base: 8_500, value: 8_500, previousBase: 7_400 },
  ]);
  expect([...html.matchAll(/<b(?: class="\w+")?>[^<]*/g)].map(([lead]) => lead)).toEqual([
    '<b class="fall">$74 ▼ 18%',
    '<b class="rise">$99 ▲ 10%',
    '<b>$85 ▲ went back',
  ]);
});

it('lists 100 alerts, and says that there are older ones', async () => {
  const { html, text } = await listOf(Array.from({ length: 101 }, () => ({})));
  expect(html.match(/<li>/g)).toHaveLength(100);
  expect(text).toContain('Older ones are not listed here.');
});

it('has names as text, whatever is in them', async () => {
  const { html, text } = await listOf(hostileNames.map((eventName) => ({ eventName })));
  expect(html.match(/<li>/g)).toHaveLength(hostileNames.length);
  expect(text).toContain('<a href="https://evil.example">Reset password</a>, Lower Bowl');
  expect(text).not.toContain('Older ones');
});
