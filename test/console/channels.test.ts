// The channels as a person uses them, in a browser, against the API over real tables.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createKey } from '#test/support/api.ts';
import { faultsOfLooks, violationsOf } from '#test/support/axe.ts';
import { aWatchOf } from '#test/support/desk.ts';
import { button, deskInBrowser, toast } from '#test/support/desk-in-browser.ts';

const { desk, open, forgetComplaints } = deskInBrowser({ per: 'test', address: '/channels' });

const add = async (body: object) => (await desk.api.call('/v1/channels', { body })).body;
const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const slack = { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/X', name: 'Deals' };

/** What a sender does with the newest message. */
async function carryOutNewest(end: 'sent' | 'failed'): Promise<void> {
  const { deliveries } = desk.api.stores;
  const { now, ...api } = { ...desk.api, now: desk.api.clock.now };
  const [newest] = (await deliveries.list(api.ann.ownerId, { limit: 1 })).rows;
  const claimed = newest && (await deliveries.claim(newest.deliveryId, now, now + 60_000));
  if (!claimed) throw new Error('there is no message');
  if (end === 'sent') await deliveries.finish(claimed, 'sent', {}, now);
  else await deliveries.finish(claimed, 'failed', { lastReason: 'http_404' });
}

describe('the channels', () => {
  it('show how each of them is, usable by everybody, wide, on a phone and in the dark', async () => {
    await add(slack);
    await add({ kind: 'webhook', url: 'https://example.com/a', name: '<img src=x> \u202Eevil' });
    await add({ kind: 'telegram' });
    const page = await open();
    await row(page, 'Telegram, no chat yet').getByText('not confirmed yet').waitFor();
    await row(page, 'Deals').getByRole('button', { name: 'Settings' }).click();
    await row(page, 'Deals').getByLabel('Name').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('are added by mouse: a kind, its steps, a fault at its field, a secret shown once, a test', async () => {
    const page = await open();
    await button(page, 'Add a channel').click();
    await page.getByRole('dialog').getByText('Where should alerts go?').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^Webhook/ }).click();
    await page.getByLabel('URL', { exact: true }).fill('http://example.com');
    await page.getByLabel('Headers of your own: name 1').fill('Authorization');
    await page.getByLabel('Headers of your own: value 1').fill('Bearer 1');
    const template = page.getByLabel('A form of your own (optional)');
    await template.fill('{"price": {{nwo}}}');
    await button(page, 'Show a message as it will be').click();
    await page.getByText(/Line 1, column 11: .*nwo/).waitFor();
    await template.fill('{"price": {{now}}}');
    await button(page, 'Show a message as it will be').click();
    expect(await page.getByLabel('The message').inputValue()).toMatch(/^{"price": \d+}$/);
    await button(page, 'Add').click();
    await page.getByText('URL must begin with https://').waitFor();
    expect(await page.evaluate('document.activeElement.value')).toBe('http://example.com');
    forgetComplaints();
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/hook');
    await button(page, 'Add').click();
    const secret = page.getByLabel('Secret, shown once');
    await secret.waitFor();
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Test from Getin: this channel works').waitFor();
    await carryOutNewest('failed');
    await page.clock.runFor(2_000);
    await page.getByText('It did not arrive: it answered with HTTP 404.').waitFor();
    await button(page, 'Done').click();
    await row(page, 'example.com').getByText('with Authorization').waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await row(page, 'example.com').waitFor({ state: 'detached' });
  });

  it('connect a Telegram chat by a link, and notice when it is there', async () => {
    const page = await open('/channels?add=telegram');
    await button(page, 'Add').click();
    const link = page.getByRole('link', { name: 'Open in Telegram' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/t\.me\//);
    const { channels } = desk.api.stores;
    const { rows } = await channels.list(desk.api.ann.ownerId, { limit: 10 });
    const made = rows.find(({ target }) => target.kind === 'telegram') ?? expect.fail('none');
    await channels.connect(made, { kind: 'telegram', chat: { id: 4_711, title: 'Ann' } });
    await page.clock.runFor(16_000);
    await page.getByText('It is connected').waitFor();
  });

  it('are changed by keys, and the change is taken back', async () => {
    const { id } = await add(slack);
    const page = await open();
    await row(page, 'Deals').getByRole('button', { name: 'Settings' }).press('Enter');
    const name = row(page, 'Deals').getByLabel('Name');
    await name.fill('Office');
    await name.press('Enter');
    await toast(page).getByText('Saved Office').waitFor();
    await row(page, 'Office').waitFor();
    await toast(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await row(page, 'Deals').waitFor();
    expect((await desk.api.call(`/v1/channels/${id}`)).body.name).toBe('Deals');
  });

  it('say whose alerts would have nowhere to go before they are deleted, and come back on undo', async () => {
    const { id } = await aWatchOf(desk, 'Knicks at Heat', 100);
    const other = await add(slack);
    const page = await open();
    const mail = row(page, 'ann@example.com');
    await mail.getByRole('button', { name: 'Settings' }).click();
    await mail.getByRole('button', { name: 'Delete' }).click();
    await mail.getByRole('link', { name: 'Knicks at Heat' }).waitFor();
    forgetComplaints();
    await mail.getByRole('button', { name: 'Delete it and pause 1 watch' }).click();
    await mail.waitFor({ state: 'detached' });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await mail.waitFor();
    expect((await desk.api.call(`/v1/watches/${id}`)).body.status).toBe('active');

    const deals = row(page, 'Deals');
    await deals.getByRole('button', { name: 'Settings' }).click();
    await deals.getByRole('button', { name: 'Delete' }).click();
    await toast(page).getByText('Deleted Deals').waitFor();
    expect((await desk.api.call(`/v1/channels/${other.id}`)).status).toBe(200);
    await page.clock.runFor(10_000);
    await expect
      .poll(async () => (await desk.api.call(`/v1/channels/${other.id}`)).status)
      .toBe(404);
  });

  it('recover: a snooze and a mute end, a block is lifted, missed alerts are asked for again', async () => {
    const { id: watchId } = await aWatchOf(desk, 'Knicks at Heat', 100);
    const { stores, clock, ann } = desk.api;
    const { id } = await add(slack);
    await stores.channels.silenceWatch(id, '*', clock.now + 3_600_000);
    await stores.channels.silenceWatch(id, watchId, clock.now + 3_600_000);
    await stores.suppressions.suppress('ann@example.com', 'bounce', clock.now);
    const page = await open();
    const deals = row(page, 'Deals');
    await deals.getByRole('button', { name: 'End the snooze' }).click();
    await deals.getByText('works, 1 muted').waitFor();
    await deals.getByRole('button', { name: 'Settings' }).click();
    await deals.getByText('Knicks at Heat').waitFor();
    await deals.getByRole('button', { name: 'Send again', exact: true }).click();
    await deals.getByText('ready').waitFor();
    await deals.getByRole('button', { name: 'Send again what was missed in' }).click();
    await toast(page).getByText('Nothing was missed since then').waitFor();
    const mail = row(page, 'ann@example.com');
    await mail.getByText('blocked', { exact: true }).waitFor();
    await mail.getByRole('button', { name: 'Lift the block' }).click();
    await mail.getByText('not confirmed yet').waitFor();
    expect((await stores.channels.find(ann.channelId))?.status).toBe('unverified');
  });

  it('show nothing of another owner, and offer nothing to a key that can only read', async () => {
    await add(slack);
    const other = await open('/channels', desk.api.bob.key);
    await other.getByRole('article').waitFor();
    expect(await other.getByText('Deals').count()).toBe(0);
    const key = await createKey(desk.api, desk.api.ann.ownerId, 'read');
    const page = await open('/channels?add=choose', key);
    await page.getByText('This key can only read.').waitFor();
    expect(await page.locator('main button:enabled').count()).toBe(0);
  });

  it('begin with what can be added when there is none', async () => {
    await desk.api.call(`/v1/channels/${desk.api.ann.channelId}`, { method: 'DELETE' });
    const page = await open();
    await page.getByText('Alerts have nowhere to go yet').waitFor();
    await button(page, 'Choose one').click();
    await page.getByRole('button', { name: /^ntfy/ }).waitFor();
  });
});

describe('quiet hours', () => {
  const stored = async () => (await desk.api.call('/v1/owner')).body;

  it('are set by keys on the bar, with a digest, and taken back', async () => {
    const page = await open();
    await page.getByLabel('Hold back alerts at night').check();
    const from = page.getByRole('slider', { name: 'Quiet from' });
    await from.press('PageUp');
    await from.press('ArrowRight');
    expect(await from.getAttribute('aria-valuetext')).toBe('23:15');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('07:00');
    await page.getByLabel('Collect alerts into a digest').selectOption('daily');
    await page.getByLabel('Time of the digest').fill('09:30');
    await button(page, 'Save').press('Enter');
    await toast(page).getByText('Quiet from 23:15 to 07:00, a digest at 09:30').waitFor();
    expect(await stored()).toMatchObject({
      quiet_hours: { from: '23:15', to: '07:00' },
      digest: { mode: 'daily', daily_at: '09:30' },
    });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await stored()).quiet_hours).toBeNull();
  });

  it('are drawn by mouse', async () => {
    const page = await open();
    await page.getByLabel('Hold back alerts at night').check();
    const bar = (await page.locator('.day-bar').boundingBox()) ?? expect.fail('no bar');
    const to = page.getByRole('slider', { name: 'Quiet until' });
    await to.hover();
    await page.mouse.down();
    await page.mouse.move(bar.x + bar.width / 2, bar.y + 5);
    await page.mouse.up();
    expect(await to.getAttribute('aria-valuetext')).toBe('12:00');
    await button(page, 'Save').click();
    await toast(page).getByText('Quiet from 22:00 to 12:00, no digest').waitFor();
  });
});
