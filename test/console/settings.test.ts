// The settings as a person uses them, in a browser, against the API over real tables.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createKey } from '#test/support/api.ts';
import { faultsOfLooks } from '#test/support/axe.ts';
import { aWatchOf } from '#test/support/desk.ts';
import { deskInBrowser, toast } from '#test/support/desk-in-browser.ts';
import { drainJobs } from '#test/support/jobs.ts';

// One desk for all tests: each changes settings of its own.
const { desk, open, openAnother, forgetComplaints } = deskInBrowser({ address: '/settings' });
const hostile = '<img src=x onerror=alert(1)> \u202Eevil';

const card = (page: Page, name: string) => page.getByRole('region', { name });
const undo = (page: Page) => toast(page).getByRole('button', { name: 'Undo' }).last();
const get = async (path: string) => (await desk.api.call(path)).body;

describe('the settings', () => {
  it('are usable by everybody, show names as text, and nothing of another owner', async () => {
    const { id } = await aWatchOf(desk, 'Nets at Magic', 74, { id: 9, name: hostile });
    await desk.api.call(`/v1/watches/${id}`, { method: 'DELETE' });
    await desk.api.call('/v1/keys', { body: { name: hostile, scope: 'read' } });
    const page = await open();
    await card(page, 'Deleted watches').getByText(hostile).waitFor();
    await card(page, 'API keys').getByText(hostile).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await faultsOfLooks(page)).toEqual([]);
    const other = await open('/settings', desk.api.bob.key);
    await card(other, 'You').waitFor();
    expect(await other.getByText(hostile).count()).toBe(0);
  });

  it('of the owner are changed by keys and taken back: name, time zone, recaps', async () => {
    const page = await open();
    const you = card(page, 'You');
    await you.getByLabel('Time zone').fill('Mars/Base');
    await you.getByLabel('Time zone').press('Enter');
    await you.getByText(/Time zone must be an IANA time zone/).waitFor();
    forgetComplaints();
    await you.getByLabel('Time zone').fill('America/New_York');
    await you.getByText('It is 07:00 there.').waitFor();
    await you.getByLabel('Name').fill('Ann’s tickets');
    await you.getByLabel(/After each event/).press('Space');
    await you.getByLabel('Name').press('Enter');
    await toast(page).getByText('Saved').waitFor();
    const changed = { name: 'Ann’s tickets', time_zone: 'America/New_York', recaps: false };
    expect(await get('/v1/owner')).toMatchObject(changed);
    await undo(page).press('Enter');
    await expect
      .poll(() => get('/v1/owner'))
      .toMatchObject({ name: 'person 1', time_zone: 'UTC', recaps: true });
  });

  it('of watches are changed by mouse, for all and by tag, and taken back', async () => {
    const page = await open();
    const defaults = card(page, 'Defaults of watches');
    const all = defaults.getByRole('group', { name: 'All watches' });
    await all.getByLabel('ann@example.com').check();
    await all.getByLabel('An alert may be late by').selectOption('5 min');
    await defaults.getByLabel('A tag with defaults of its own').fill('#Finals');
    await defaults.getByRole('button', { name: 'Add the tag' }).click();
    const finals = defaults.getByRole('group', { name: '#finals' });
    await finals.getByLabel('An alert may be late by').selectOption('1 min');
    await defaults.getByRole('button', { name: 'Save' }).click();
    await toast(page).getByText('Saved; 0 watches changed with it').waitFor();
    expect(await get('/v1/defaults')).toMatchObject({
      ...{ channels: [desk.api.ann.channelId], latency_seconds: 300 },
      tags: { finals: { channels: null, latency_seconds: 60 } },
    });
    await undo(page).click();
    await expect
      .poll(() => get('/v1/defaults'))
      .toEqual({ channels: null, latency_seconds: null, tags: {} });
  });

  it('have keys that are made, shown once, renamed, replaced and ended', async () => {
    const page = await open();
    const keys = card(page, 'API keys');
    await keys.getByLabel('A new key, named by what it is for').fill('bot');
    await keys.getByRole('button', { name: 'Make a key' }).click();
    const secret = await keys.getByLabel('The key, shown once').inputValue();
    const ofKey = async (key: string) =>
      (await desk.api.call('/v1/sessions/current', { key })).status;
    expect([secret.slice(0, 6), await ofKey(secret)]).toEqual(['getin_', 200]);
    await keys.getByRole('button', { name: 'Rename bot' }).click();
    await keys.getByLabel('New name').fill('chat bot');
    await keys.getByLabel('New name').press('Enter');
    await keys.getByRole('button', { name: 'Replace chat bot' }).click();
    const next = await keys.getByLabel('The new key, shown once').inputValue();
    expect([await ofKey(next), await ofKey(secret)]).toEqual([200, 200]);
    await keys.getByText(/ends Mon 12:00/).waitFor();

    const ended = keys.getByRole('button', { name: 'End chat bot' }).last();
    await ended.click();
    await undo(page).click();
    await toast(page).getByText('Undone: Ended chat bot').waitFor();
    await keys.getByRole('button', { name: 'End chat bot' }).nth(1).click();
    await keys.getByRole('button', { name: 'End chat bot' }).click();
    await page.clock.runFor(11_000);
    await expect.poll(() => Promise.all([ofKey(secret), ofKey(next)])).toEqual([401, 401]);
    await keys.getByText('2 ended keys').waitFor();
  });

  it('sign a phone in by a link, and sign out', async () => {
    const page = await open();
    const signedIn = card(page, 'Signed in');
    await signedIn.getByRole('button', { name: 'Sign in on your phone' }).click();
    const link = await signedIn.getByLabel('Open this link there').inputValue();
    const phone = await openAnother({ width: 375 });
    await phone.goto(`${desk.url}/console/sign-in${new URL(link).hash}`);
    await phone.waitForURL('**/console/board');
    await signedIn.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByLabel('API key').waitFor();
    // A read that is under way may be refused before the answer to the signing out has come.
    await expect.poll(() => page.context().cookies()).toEqual([]);
    // Reads that were under way are answered by 401.
    forgetComplaints();
  });

  it('bring a deleted watch back, and take that back', async () => {
    const { id } = await aWatchOf(desk, 'Knicks at Heat', 74);
    await desk.api.call(`/v1/watches/${id}`, { method: 'DELETE' });
    const page = await open();
    const deleted = card(page, 'Deleted watches');
    await deleted.getByRole('button', { name: 'Restore Knicks at Heat' }).click();
    await toast(page).getByText('Restored Knicks at Heat').waitFor();
    expect((await get(`/v1/watches/${id}`)).status).toBe('active');
    await undo(page).click();
    await deleted.getByText('Knicks at Heat').waitFor();
  });
});

describe('files', () => {
  const file = (name: string, ...lines: string[]) => ({
    ...{ name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) },
  });
  const heading = 'event_id,at_or_below,channels';

  it('are imported after a preview that changes nothing', async () => {
    await desk.api.stores.eventFacts.keep({ eventId: 7, name: 'Cup Final', updatedAt: 1 });
    const page = await open();
    const card_ = card(page, 'Import a file');
    const choose = (of: ReturnType<typeof file>) => card_.locator('input').setInputFiles(of);
    await choose(file('list.xlsx', 'x'));
    await card_.getByText('Choose a CSV or a JSON file').waitFor();
    await choose(file('list.csv', 'event_id,price', '7,80'));
    await card_.getByRole('alert').waitFor();
    forgetComplaints();
    await choose(file('list.csv', heading, '7,80,ann@example.com', '7,cheap,ann@example.com'));
    await card_.getByText('1 refused, 1 would be made').waitFor();
    await card_.getByText('Correct the refused rows first').waitFor();
    await choose(file('list.csv', heading, '7,80,ann@example.com'));
    await card_.getByText('1 would be made', { exact: false }).first().waitFor();
    await card_.getByText('7,80,ann@example.com').waitFor();
    expect((await get('/v1/watches?event_id=7')).data).toEqual([]);
    await card_.getByRole('button', { name: 'Carry it out' }).click();
    await card_.getByText('1 made').waitFor();
    expect((await get('/v1/watches?event_id=7')).data).toHaveLength(1);
  });

  it('of many rows are imported by a job, whose progress is seen', async () => {
    const page = await open();
    const import_ = card(page, 'Import a file');
    const rows = Array.from({ length: 201 }, (_, row) => `7,${row + 100},ann@example.com`);
    await import_.locator('input').setInputFiles(file('list.csv', heading, ...rows));
    await import_.getByText('Import, preview only: not begun').waitFor();
    await drainJobs(desk.api);
    await page.clock.runFor(2_500);
    await import_.getByText('201 would be made').waitFor();
    const jobs = card(page, 'Jobs of the last 7 days');
    await jobs.getByText(/preview only: done/).waitFor();
    const [started] = await Promise.all([
      page.waitForEvent('download'),
      jobs.getByRole('link', { name: 'Results, row by row' }).first().click(),
    ]);
    expect(await readFile(await started.path(), 'utf8')).toContain('would_be_created');
    await import_.getByRole('button', { name: 'Leave it' }).click();
  });

  it('are taken along: the watchlist, and everything that is stored', async () => {
    const page = await open();
    const take = card(page, 'Take it along');
    const save = async (press: () => Promise<void>) => {
      const [started] = await Promise.all([page.waitForEvent('download'), press()]);
      return readFile(await started.path(), 'utf8');
    };
    const watchlist = await save(() =>
      take.getByRole('link', { name: 'Watchlist as CSV' }).press('Enter'),
    );
    expect(watchlist).toMatch(/^id,/);
    const all = await save(() =>
      take.getByRole('button', { name: 'Everything stored of you' }).press('Enter'),
    );
    expect(JSON.parse(all).map(({ kind }: { kind: string }) => kind)).toContain('channel');
    const links = card(page, 'Links for programs');
    await links.getByRole('button', { name: 'Show the links' }).click();
    const address = await links.getByLabel('The events, for a calendar').inputValue();
    const { pathname } = new URL(address);
    expect((await desk.api.call(pathname, { key: '' })).text).toContain('BEGIN:VCALENDAR');
  });
});

describe('what a key may not do', () => {
  it('is not offered to one that only reads', async () => {
    const page = await open('/settings', await createKey(desk.api, desk.api.ann.ownerId, 'read'));
    await page.getByText('This key can only read.').first().waitFor();
    expect(await card(page, 'Delete everything').count()).toBe(0);
    expect(await card(page, 'You').getByLabel('Name').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Make a key' }).count()).toBe(0);
  });

  it('but an admin adds an owner with its first key', async () => {
    const page = await open('/settings', await createKey(desk.api, desk.api.ann.ownerId, 'admin'));
    const another = card(page, 'Another owner');
    await another.getByLabel('Name of the person or company').fill('Carl');
    await another.getByRole('button', { name: 'Add' }).click();
    const key = await another.getByLabel('Its first key, shown once').inputValue();
    expect((await desk.api.call('/v1/owner', { key })).body.name).toBe('Carl');
  });
});

describe('deleting everything', () => {
  it('asks for the name, says how far it is, and leaves no key', async () => {
    const { bob } = desk.api;
    const page = await open('/settings', bob.key);
    const all = card(page, 'Delete everything');
    const go = all.getByRole('button', { name: 'Delete everything of person 2' });
    expect(await go.isDisabled()).toBe(true);
    await all.getByLabel(/write your name: person 2/).fill('person 2');
    await go.click();
    await page.getByRole('heading', { name: 'Everything is being deleted' }).waitFor();
    expect((await desk.api.call('/v1/owner', { key: bob.key })).status).toBe(401);
    const { jobId } = desk.api.jobs.at(-1) ?? expect.fail('there is no job');
    // A message that is to wait is left to reconcile.
    const leave = { sendJobs: async () => {} };
    await drainJobs(desk.api, leave);
    desk.api.clock.now += 6 * 60_000;
    desk.api.jobs.push({ jobId });
    await drainJobs(desk.api, leave);
    await page.clock.runFor(2_500);
    await page.getByRole('heading', { name: 'Everything is deleted' }).waitFor();
    forgetComplaints();
    expect(await faultsOfLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in with another key' }).click();
    await page.getByLabel('API key').waitFor();
  });
});
