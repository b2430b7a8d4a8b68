// The board as a person uses it, in a browser, against the API over real tables.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createKey, levelRule, statsAt } from '#test/support/api.ts';
import { faultsOfLooks, violationsOf } from '#test/support/axe.ts';
import { aWatchOf } from '#test/support/desk.ts';
import { deskInBrowser, toast } from '#test/support/desk-in-browser.ts';
import { storePolled } from '#test/support/polled-event.ts';

const { desk, open, openAnother, forgetComplaints } = deskInBrowser({ per: 'test' });

const names = (page: Page) => page.locator('.board .name').allInnerTexts();

const link = (page: Page, name: string) => page.getByRole('link', { name });

/** Waits until a watch has what the API says of it. */
async function watchUntil(id: string, fits: (watch: Record<string, unknown>) => boolean) {
  await expect.poll(async () => fits((await desk.api.call(`/v1/watches/${id}`)).body)).toBe(true);
}

describe('the board', () => {
  it('shows the watch that is nearest to its level first, usable by everybody', async () => {
    await aWatchOf(desk, 'Knicks at Heat', 100, { id: 1, tags: ['knicks'] });
    await aWatchOf(desk, 'Nets at Magic', 81, { id: 2 });
    const page = await open();
    await link(page, 'Knicks at Heat').waitFor();
    expect(await names(page)).toEqual(['Nets at Magic', 'Knicks at Heat']);
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('shows the prices of the zone that a rule is about', async () => {
    const rules = [{ ...levelRule(200), zone: 'Courtside' }];
    await aWatchOf(desk, 'Knicks at Heat', 100, { id: 1, rules });
    desk.api.clock.now += 60_000;
    const { now } = desk.api.clock;
    const line = { hour: Math.floor(now / 3_600_000), cents: [...Array(24).fill(30_000), 24_000] };
    await storePolled(desk.api.stores, [{ ...statsAt(now, 100, { Courtside: 240 }), eventId: 1 }], {
      recent: { ...line, zones: [{ ...line, name: 'Courtside' }] },
    });
    const page = await open();
    const row = page.getByRole('row', { name: 'Knicks at Heat' });
    await row.getByText('$240', { exact: true }).waitFor();
    await row.getByText('▼ 20%').waitFor();
  });

  it('begins with one search when there is no watch', async () => {
    const page = await open();
    await page.getByRole('searchbox', { name: 'Search for an event' }).fill('knicks dec');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/console/watches/new?q=knicks%20dec');
  });

  it('is searched and filtered, and the address keeps the choice', async () => {
    await aWatchOf(desk, 'Knicks at Heat', 100, { id: 1, tags: ['east'] });
    await aWatchOf(desk, 'Beyoncé', 81, { id: 2 });
    const page = await open();
    await page.getByRole('searchbox', { name: 'Search watches' }).fill('beyonce garden');
    await expect.poll(() => names(page)).toEqual(['Beyoncé']);
    await page.reload();
    await link(page, 'Beyoncé').waitFor();
    expect(await names(page)).toEqual(['Beyoncé']);
    await page.getByRole('searchbox', { name: 'Search watches' }).fill('nobody');
    await page.getByText('No watch fits').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: '#east' }).click();
    await expect.poll(() => names(page)).toEqual(['Knicks at Heat']);
    expect(await page.getByRole('button', { name: 'Near 1' }).isVisible()).toBe(true);
  });

  it('changes the selected watches by mouse, and takes it back', async () => {
    const { id } = await aWatchOf(desk, 'Knicks at Heat', 100, { id: 1 });
    await aWatchOf(desk, 'Nets at Magic', 81, { id: 2 });
    const page = await open();
    await page.getByRole('checkbox', { name: 'Select Knicks at Heat' }).check();
    await page.getByRole('button', { name: 'Level −5%' }).click();
    await toast(page).getByText('Changed the level of 1 watch').waitFor();
    await page.getByText('$76', { exact: true }).waitFor();
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await toast(page).getByText('Undone: Changed the level of 1 watch').waitFor();
    await watchUntil(id, ({ rules }) => JSON.stringify(rules).includes('"at_or_below":80'));

    await page.getByRole('checkbox', { name: 'Select Knicks at Heat' }).check();
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByText('2 watches selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Nets at Magic' }).uncheck();
    await page.getByRole('textbox', { name: 'Add a tag' }).fill('#finals');
    await page.getByRole('textbox', { name: 'Add a tag' }).press('Enter');
    await page.getByRole('button', { name: '#finals' }).waitFor();
  });

  it('says which selected watches were not changed', async () => {
    const anyChange = [{ type: 'any_change', metric: 'get_in', min_percent: 5 }];
    await aWatchOf(desk, 'Knicks at Heat', 100, { id: 1, rules: anyChange });
    const page = await open();
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    await page.getByRole('button', { name: 'Level −5%' }).click();
    await toast(page).getByText('1 watch was so already').waitFor();
    expect(await toast(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('is used by keys', async () => {
    const { id } = await aWatchOf(desk, 'Knicks at Heat', 100, { id: 1 });
    await aWatchOf(desk, 'Nets at Magic', 81, { id: 2 });
    const page = await open();
    await link(page, 'Knicks at Heat').waitFor();
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Knicks at Heat');
    await page.keyboard.press('p');
    await toast(page).getByText('Paused 1 watch').waitFor();
    await watchUntil(id, ({ status }) => status === 'paused');
    await page.keyboard.press('u');
    await watchUntil(id, ({ status }) => status === 'active');
    await page.keyboard.press('s');
    await page.getByText(/^snoozed to/).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('nets');
    await expect.poll(() => names(page)).toEqual(['Nets at Magic']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/events/2');
  });

  it('says that the connection is lost, keeps what it shows, and recovers by itself', async () => {
    await aWatchOf(desk, 'Knicks at Heat', 100);
    const page = await open();
    await link(page, 'Knicks at Heat').waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await page.clock.runFor(20_000);
    await page.getByText(/Getin is not reached/).waitFor();
    expect(await names(page)).toEqual(['Knicks at Heat']);
    await page.unroute('**/v1/**');
    await page.clock.runFor(6_000);
    await page.getByText(/Getin is not reached/).waitFor({ state: 'detached' });
    // The requests that were cut off.
    forgetComplaints();
  });

  it('shows names from the market as text, whatever they are', async () => {
    const name = '<img src=x onerror=alert(1)> **bold** \u202Eevil';
    await aWatchOf(desk, name, 100, { name: '"><script>alert(1)</script>' });
    const page = await open();
    await page.getByText(name).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  it('shows nothing of another owner, and nothing that a reading key can’t do', async () => {
    await aWatchOf(desk, 'Knicks at Heat', 100);
    const other = await open('/board', desk.api.bob.key);
    await other.getByText('What do you want to see?').waitFor();
    const key = await createKey(desk.api, desk.api.ann.ownerId, 'read');
    const page = await open('/board', key);
    await page.getByRole('checkbox', { name: 'Select Knicks at Heat' }).check();
    await page.getByText('This key can only read.').waitFor();
    expect(await link(page, 'New watch').count()).toBe(0);
  });
});

describe('signing in', () => {
  it('takes a key once, keeps it nowhere, and ends when the session ends elsewhere', async () => {
    await aWatchOf(desk, 'Knicks at Heat', 100);
    const page = await openAnother({ width: 375 });
    await page.goto(desk.url);
    await page.getByLabel('API key').fill('getin_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not known here').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('API key').fill(desk.api.ann.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await link(page, 'Knicks at Heat').waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    );
    expect(kept).toBe('[{},{},""]');

    desk.api.clock.now += 12 * 3_600_000;
    await page.clock.runFor(16_000);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The answers that say so: 401.
    forgetComplaints();
  });

  it('says that a link was used before', async () => {
    const page = await openAnother();
    await page.goto(`${desk.url}/console/sign-in#getin_link_used`);
    await page.getByText('This link was used before').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    forgetComplaints();
  });
});
