// The inbox as a person uses it, in a browser.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Look, openPage, type WatchedPage } from '#test/support/browser.ts';
import { type Inbox, startInbox } from '#test/support/inbox.ts';
import { useBrowser } from '#test/support/worker-browser.ts';

/** For conditions that a busy machine may meet late. */
const patient = { timeout: 30_000 };

const worker = useBrowser();
let inbox: Inbox;
let watched: WatchedPage | undefined;

beforeEach(async () => {
  inbox = await startInbox();
});
afterEach(async () => {
  await watched?.close();
  expect(watched?.complaints).toEqual([]);
  watched = undefined;
  await inbox.stop();
});

async function open(look?: Look): Promise<Page> {
  watched = await openPage(worker.browser, look);
  await watched.page.goto(inbox.url);
  return watched.page;
}

async function send(subject: string, body = '<p>get-in $74</p>', type = 'html'): Promise<void> {
  const encoded = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
  const raw =
    `From: Getin <alerts@getin.example>\r\nTo: ann@example.com\r\nSubject: ${encoded}\r\n` +
    `Content-Type: text/${type}; charset=utf-8\r\n\r\n${body}\r\n`;
  const RawMessage = { Data: Buffer.from(raw) };
  await inbox.client.send(new SendRawEmailCommand({ Source: 'alerts@getin.example', RawMessage }));
}

const subjects = (page: Page) => page.locator('#rows .subject').allInnerTexts();
/** The mail as its reader sees it. */
const mailIn = (page: Page) => page.frameLocator('#frame').locator('body');

describe('the page of the inbox', () => {
  it('says that there is no mail, and shows each as it comes, the newest first', async () => {
    const page = await open();
    await page.getByText('No mail yet').waitFor();
    await send('Knicks at Heat');
    await page.getByRole('link', { name: 'Knicks at Heat' }).waitFor();
    await send('Nets at Magic');
    await page.getByRole('link', { name: 'Nets at Magic' }).waitFor();
    expect(await subjects(page)).toEqual(['Nets at Magic', 'Knicks at Heat']);
    expect(await page.title()).toBe('(2) Inbox · Getin');
  });

  it('opens a mail, which is read from then on, after a reload too', async () => {
    await send('Knicks at Heat');
    const page = await open();
    await page.getByRole('link', { name: 'Knicks at Heat' }).click();
    await mailIn(page).getByText('get-in $74').waitFor();
    await expect.poll(() => page.title(), patient).toBe('Inbox · Getin');
    await page.reload();
    await mailIn(page).getByText('get-in $74').waitFor();
    expect(await page.locator('#rows .unread').count()).toBe(0);
    await page.getByRole('button', { name: 'Mark unread' }).click();
    await page.locator('#rows .unread').waitFor();
  });

  it('stays closed when its reader goes back before the mail has come', async () => {
    await send('Knicks at Heat');
    const page = await open();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/inbox/mails/1', async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Knicks at Heat' }).click();
    await asked.promise;
    await page.goBack();
    const answered = page.waitForResponse('**/inbox/mails/1');
    released.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await page.getByText('No mail is open').isVisible()).toBe(true);
    expect(await page.locator('#rows .unread').count()).toBe(1);
  });

  it('shows the text part with its links, and the source', async () => {
    await send('Knicks at Heat', 'get-in $74, see https://market.example/e/1.', 'plain');
    const page = await open();
    await page.getByRole('link', { name: 'Knicks at Heat' }).click();
    const link = page.getByRole('tabpanel').getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://market.example/e/1');
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Text', 'Source']);
    await page.getByRole('tab', { name: 'Text' }).press('ArrowRight');
    await page.getByRole('tabpanel').getByText('Content-Type: text/plain').waitFor();
  });

  it('finds mails, and says so if there is none', async () => {
    await send('Knicks at Heat');
    await send('Nets at Magic');
    const page = await open();
    await page.getByLabel('Search mail').fill('heat knicks');
    await expect.poll(() => subjects(page), patient).toEqual(['Knicks at Heat']);
    await page.getByLabel('Search mail').fill('lakers');
    await page.getByText('No mail has “lakers”').waitFor();
  });

  it('lists the unread mails alone, and marks all read', async () => {
    await send('Knicks at Heat');
    await send('Nets at Magic');
    const page = await open();
    await page.getByRole('link', { name: 'Knicks at Heat' }).click();
    await page.getByRole('button', { name: 'Unread 1' }).click();
    expect(await subjects(page)).toEqual(['Nets at Magic', 'Knicks at Heat']);
    await page.goBack();
    await expect.poll(() => subjects(page), patient).toEqual(['Nets at Magic']);
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await page.getByText('No unread mail').waitFor();
  });

  it('is used by keys', async () => {
    await send('Knicks at Heat', '<p>$74</p>');
    await send('Nets at Magic', '<p>$80</p>');
    const page = await open();
    await page.getByRole('link', { name: 'Nets at Magic' }).waitFor();
    await page.keyboard.press('j');
    await mailIn(page).getByText('$80').waitFor();
    await page.keyboard.press('j');
    await mailIn(page).getByText('$74').waitFor();
    await page.keyboard.press('k');
    await mailIn(page).getByText('$80').waitFor();
    await page.keyboard.press('u');
    await page.locator('#rows .unread').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No mail is open').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('kn');
    await expect.poll(() => subjects(page), patient).toEqual(['Knicks at Heat']);
  });

  it('takes names and subjects as text, and runs nothing of a mail', async () => {
    const hostile = '<img src=x onerror="document.title=1"><b>Knicks</b>';
    await send(
      hostile,
      `<p>fine</p><script>top.document.title = 2</script><img src="x" onerror="top.document.title=3">`,
    );
    const page = await open();
    await page.locator('#rows a').click();
    await mailIn(page).getByText('fine').waitFor();
    expect(await subjects(page)).toEqual([hostile]);
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe(hostile);
    expect(await page.title()).toBe('Inbox · Getin');
    // The mail's own image and script are refused, and these complaints are wanted.
    watched?.complaints.splice(0);
  });

  it('shows the images of this machine', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR4nGNggAMAAA4AAb5/ObkAAAAASUVORK5CYII=';
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'image/png').end(Buffer.from(png, 'base64'));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await send('Knicks at Heat', `<img alt="chart" src="http://127.0.0.1:${port}/c/token.png">`);
    const page = await open();
    await page.locator('#rows a').click();
    await expect
      .poll(async () => (await mailIn(page).getByAltText('chart').boundingBox())?.width, patient)
      .toBe(3);
    await new Promise((closed) => server.close(closed));
  });

  it('shows either the list or the mail on a phone', async () => {
    await send('Knicks at Heat');
    const page = await open({ width: 375, height: 667 });
    const list = page.getByLabel('Search mail');
    await page.getByRole('link', { name: 'Knicks at Heat' }).click();
    await mailIn(page).getByText('get-in $74').waitFor();
    expect(await list.isVisible()).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await page.getByRole('button', { name: 'All mails' }).click();
    await list.waitFor();
    expect(await page.getByRole('heading', { level: 2 }).isVisible()).toBe(false);
  });

  it('says that the run has stopped', async () => {
    const page = await open();
    await page.getByText('No mail yet').waitFor();
    await inbox.stop();
    await page.getByText('The run has stopped.').waitFor();
    watched?.complaints.splice(0);
    inbox = await startInbox();
  });
});
