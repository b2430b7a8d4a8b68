// A price alert's mail in the local inbox: its links open and work in a browser, as its reader would use them.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chart } from '#shared/charts/chart.ts';
import { everyWatch } from '#shared/watchlist/channel.ts';
import { type Api, startApi } from '#test/support/api.ts';
import { openPage, type WatchedPage } from '#test/support/browser.ts';
import {
  aChannel,
  below80,
  createDeliveryRig,
  type DeliveryRig,
  startMs,
} from '#test/support/delivering.ts';
import { type Inbox, startInbox } from '#test/support/inbox.ts';
import { type ServedLinks, serveLinks } from '#test/support/serve-links.ts';
import { useBrowser } from '#test/support/worker-browser.ts';

const channelId = 'ch_00000000000000000000000000000001';
const chart: Chart = {
  points: [
    [startMs - 7 * 86_400_000, 9_000],
    [startMs - 1_000, 7_400],
  ],
  utcOffsetMinutes: 0,
};

const worker = useBrowser();
let api: Api;
let served: ServedLinks;
let inbox: Inbox;
let rig: DeliveryRig;
let watched: WatchedPage;
let watchId: string;

const watch = () => api.stores.watches.find(watchId);

/** Opens the inbox before anything was sent, and lets a rule of a watch on Knicks at Heat fire. */
beforeEach(async () => {
  api = await startApi();
  served = await serveLinks(api);
  inbox = await startInbox();
  const { alerts } = api.stores;
  rig = await createDeliveryRig({
    ...api.stores,
    alerts: { ...alerts, create: (alert) => alerts.create({ ...alert, chart }) },
  });
  rig.sendWith(inbox.send);
  await api.stores.channels.create(
    aChannel({
      channelId,
      target: { kind: 'email', address: 'ann@example.com' },
      stopUrl: await served.links.manageUrl(channelId),
    }),
  );
  await api.stores.eventFacts.keep({
    ...{ eventId: 4711, name: 'Knicks at Heat', date: '2026-05-01', updatedAt: startMs },
  });
  watched = await openPage(worker.browser);
  await watched.page.goto(inbox.url);
  const made = await rig.watch([below80], [channelId]);
  watchId = made.watchId;
  await rig.fire(made);
  await rig.drain();
});
afterEach(async () => {
  expect(watched.complaints).toEqual([]);
  await watched.close();
  await inbox.stop();
  await served.stop();
});

/** The mail as its reader sees it, once it has come. */
async function openMail({ page }: WatchedPage) {
  await page.getByRole('link', { name: 'Knicks at Heat' }).click();
  return page.frameLocator('#frame');
}

/** The tab that a click opens. */
async function tabOf(click: Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([watched.page.context().waitForEvent('page'), click]);
  await tab.waitForLoadState();
  return tab;
}

describe('the mail of an alert in the local inbox', () => {
  it('opens "Stop or snooze" in a tab that says what it is for and does what is pressed', async () => {
    const mail = await openMail(watched);
    const tab = await tabOf(mail.getByRole('link', { name: 'Stop or snooze' }).click());
    expect(tab.url()).toMatch(new RegExp(`^${served.url}/l/`));
    await tab.getByRole('heading', { name: 'Your alerts' }).waitFor();
    await tab.getByText('ann@example.com').waitFor();

    await tab.getByRole('button', { name: 'Snooze all alerts here for 24 hours' }).click();
    await tab.getByRole('heading', { name: 'Snoozed' }).waitFor();
    const channel = await api.stores.channels.find(channelId);
    expect(channel?.watchesSilentUntil).toEqual({ [everyWatch]: startMs + 86_400_000 });
  });

  it('opens each act in a tab with one button that does it; a purchase is undone there', async () => {
    const mail = await openMail(watched);
    const tab = await tabOf(mail.getByRole('link', { name: 'Bought it' }).click());
    expect(tab.url()).toMatch(/\?do=bought$/);
    await tab.getByRole('heading', { name: 'Bought it?' }).waitFor();
    expect((await watch())?.status).toBe('active');

    await tab.getByLabel('Price of one ticket (optional)').fill('76');
    await tab.getByRole('button', { name: 'Bought it' }).click();
    await tab.getByText('You bought a ticket for $76. The watch has ended.').waitFor();
    expect(await watch()).toMatchObject({ status: 'ended', bought: { paidCents: 7_600 } });

    await tab.getByRole('button', { name: 'Undo: not bought' }).click();
    await tab.getByText('The watch is on again.').waitFor();
    expect((await watch())?.status).toBe('active');
    expect(await watch()).not.toHaveProperty('bought');

    for (const [act, told] of [
      ['Level to $76', 'The rule is “Get-in at or below $76” now.'],
      ['Silent until a new low', 'The rule is “Get-in below $74” now.'],
      ['Snooze a day', 'No alerts of this watch come here until Mar 2, 12:00 PM UTC.'],
    ] as const) {
      const other = await tabOf(mail.getByRole('link', { name: act }).click());
      await other.locator('button.primary').click();
      await other.getByRole('status').getByText(told).waitFor();
    }
  });

  it('shows the chart of the alert', async () => {
    const mail = await openMail(watched);
    const picture = mail.getByAltText('Get-in of the last 7 days: from $90 down to $74').first();
    const width = () =>
      picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0));
    await expect.poll(width, { timeout: 30_000 }).toBeGreaterThan(500);
  });

  it('opens each of our links in a tab that shows a page', async () => {
    const mail = await openMail(watched);
    const ours = mail.locator(`a[href^="${served.url}/"]`);
    await ours.first().waitFor();
    const opened = [];
    for (const link of await ours.all()) {
      const tab = await tabOf(link.click());
      opened.push(await tab.getByRole('heading', { level: 1 }).textContent());
      await tab.close();
    }
    expect(opened.length).toBeGreaterThan(1);
    expect(opened).not.toContain('This link no longer works');
    expect(opened).not.toContain('');
  });
});
