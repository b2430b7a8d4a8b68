// The desk under odd circumstances: addresses that lead nowhere, hostile names, a session or a connection that ends.
import { describe, expect, it } from 'vitest';
import { createKey } from '#test/support/api.ts';
import { aWatchOf } from '#test/support/desk.ts';
import { button, deskInBrowser, toast } from '#test/support/desk-in-browser.ts';

const { desk, open, openAnother, leave, forgetComplaints } = deskInBrowser({ per: 'test' });

/** How much wider than the screen the content is, in pixels. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('an address that leads nowhere', () => {
  const addresses = {
    '/nowhere': 'There is no such page',
    '/events/%E0%A4%A': 'There is no such page',
    '/events/constructor': 'There is no such page',
    '/events/-1': 'There is no such page',
    '/watches/wat_none': 'That did not work',
    '/watches/new?event=1e3': 'New watch',
  };

  it('says so, and leads to the board and back', async () => {
    for (const [address, heading] of Object.entries(addresses)) {
      const page = await open(address);
      await page.getByRole('heading', { name: heading }).waitFor();
      await page.getByRole('link', { name: 'Board', exact: true }).click();
      await page.getByText('What do you want to see?').waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: heading }).waitFor();
    }
    await leave();
    // The refusals of the API.
    forgetComplaints();
  });
});

describe('odd names', () => {
  it('are whole and leave the page as wide as the screen', async () => {
    const names = [
      'x'.repeat(190),
      `\u202E${'ش'.repeat(100)}`,
      '🎫'.repeat(60),
      '<script>alert(1)',
    ];
    for (const [index, name] of names.entries()) {
      const also = { id: index + 1, name: name.slice(0, 100), tags: ['t'.repeat(40)] };
      await aWatchOf(desk, name, 81 + index, also);
    }
    for (const address of ['/board', '/events/1', '/alerts', '/money']) {
      for (const width of [1_360, 375]) {
        const page = await open(address);
        await page.setViewportSize({ width, height: 800 });
        await page.locator('main h1, main table').first().waitFor({ state: 'attached' });
        expect([address, width, await page.evaluate(overflow)]).toEqual([address, width, 0]);
      }
    }
  });
});

describe('a session that ends', () => {
  it('midway through a change asks to sign in, and comes back to the same page', async () => {
    const { id } = await aWatchOf(desk, 'Knicks at Heat', 100);
    const page = await open(`/watches/${id}`);
    await page.getByRole('textbox', { name: 'Level, $' }).fill('70');
    desk.api.clock.now += 12 * 3_600_000;
    // The preview asks by itself: where it comes first, nothing is left to press.
    await button(page, 'Save').or(page.getByLabel('API key')).click();
    await page.getByLabel('API key').fill(desk.api.ann.key);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Knicks at Heat' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/watches/${id}`);
    forgetComplaints();
  });
});

describe('a connection that is lost', () => {
  it('at the first page is waited for', async () => {
    const page = await open('/board');
    await page.getByText('What do you want to see?').waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await page.reload();
    await page.clock.runFor(3_000);
    await page.getByText('Getin is not reached').waitFor();
    await page.unroute('**/v1/**');
    await page.clock.runFor(6_000);
    await page.getByText('What do you want to see?').waitFor();
    forgetComplaints();
  });

  it('during a change says that it was not done', async () => {
    await aWatchOf(desk, 'Knicks at Heat', 100);
    const page = await open();
    await page.getByRole('checkbox', { name: 'Select Knicks at Heat' }).check();
    await page.route('**/v1/**', (route) => route.abort());
    await button(page, 'Pause').click();
    await page.clock.runFor(3_000);
    await toast(page).getByText('The API was not reached').waitFor();
    await page.unroute('**/v1/**');
    forgetComplaints();
  });
});

describe('an amount that is no number', () => {
  it('removes no cap', async () => {
    const key = await createKey(desk.api, desk.api.ann.ownerId, 'admin');
    const page = await open('/money', key);
    const cap = page.getByLabel('Pulls a day, at most');
    await cap.fill('1e2');
    await page.getByRole('region', { name: 'Caps' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Pulls a day, at most must be/).waitFor();
    forgetComplaints();
  });
});

describe('a watch whose event is over', () => {
  it('says so wherever it is shown', async () => {
    const { id } = await aWatchOf(desk, 'Knicks at Heat', 100);
    desk.api.clock.now += 20 * 86_400_000;
    const other = await openAnother();
    await other.goto(desk.url);
    await other.getByLabel('API key').fill(desk.api.ann.key);
    await other.keyboard.press('Enter');
    await other.getByText('over', { exact: true }).waitFor();
    await other.goto(`${desk.url}/console/watches/${id}`);
    await other
      .getByText(/is over/)
      .first()
      .waitFor();
    forgetComplaints();
  });
});
