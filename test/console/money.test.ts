// The money as a person uses it, in a browser, against the API over real tables.
import { beforeAll, describe, expect, it } from 'vitest';
import { pullOf } from '#shared/polling/pull.ts';
import { askedBy, type PullSharers, sharersOf } from '#shared/polling/pull-sharers.ts';
import { createKey } from '#test/support/api.ts';
import { faultsOfLooks } from '#test/support/axe.ts';
import { aWatchOf } from '#test/support/desk.ts';
import { deskInBrowser, toast } from '#test/support/desk-in-browser.ts';

const { desk, open, forgetComplaints } = deskInBrowser({ address: '/money' });
let adminKey: string;
const hostile = '<img src=x onerror=alert(1)> \u202Eevil';

// One for all tests: they read the same ledger.
beforeAll(async () => {
  const { ownerId } = desk.api.ann;
  adminKey = await createKey(desk.api, ownerId, 'admin');
  const { id } = await aWatchOf(desk, 'Knicks at Heat', 74, { id: 1, tags: ['east'] });
  const other = await aWatchOf(desk, 'Knicks at Heat', 74, {
    ...{ id: 1, name: 'Pairs', rules: [{ type: 'supply', at_or_below: 40 }] },
  });
  await aWatchOf(desk, hostile, 74, { id: 2 });
  const both = [id, other.id].map((watchId) => ({ ownerId, watchId }));
  await spend(1, sharersOf(both), 1);
  await spend(1, sharersOf(both), 2);
  await spend(2, askedBy(ownerId), 3);
});

/** A call to the marketplace that cost a pull, so many days ago. */
async function spend(
  eventId: number,
  sharers: PullSharers | undefined,
  days: number,
): Promise<void> {
  const { stores, clock } = desk.api;
  const facts = {
    claim: `c${eventId} ${days}`,
    kind: 'stats',
    reason: 'data',
    state: 'settled',
  } as const;
  const pulledAt = clock.now - days * 86_400_000;
  await stores.pulls.create(
    pullOf({
      ...{ ...facts, eventId, pulledAt, pulls: 1, watches: 2 },
      ...(sharers && { sharers }),
    }),
  );
}

const budget = async () => (await desk.api.call('/v1/budget', { key: adminKey })).body.settings;

describe('the money', () => {
  it('shows an owner’s own pulls by day and what they were for, usable by everybody', async () => {
    const page = await open();
    await page.getByText('3 pulls', { exact: true }).waitFor();
    await page.getByText('3 calls did the work of 5').waitFor();
    await page.getByText('The daily cap 500 is above the chart.').waitFor();
    await page.getByText(hostile).waitFor();
    expect(await page.getByText('The whole deployment').count()).toBe(0);
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByText('The days as a table').click();
    const days = await page.locator('details tbody tr').allInnerTexts();
    expect(days.slice(0, 2).map((text) => text.split(/\s*\t\s*/))).toEqual([
      ['Sun, Mar 1', '0', '$0'],
      ['Sat, Feb 28', '1', '$0.02'],
    ]);
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('is grouped by keys, and each table can be taken along', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'By watch' }).press('Enter');
    await page.getByRole('link', { name: 'Pairs' }).waitFor();
    await page.getByText(`Looked up or bought: ${hostile}`).waitFor();
    await page.getByRole('button', { name: 'By tag' }).press('Enter');
    await page.getByRole('link', { name: '#east' }).waitFor();
    await page.getByRole('button', { name: '7 d' }).press('Enter');
    await page.waitForURL('**/money?by=tag&days=7');
    const [started] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).last().press('Enter'),
    ]);
    expect(started.suggestedFilename()).toBe('usage-by-tag.csv');
  });

  it('lets an admin set a cap by mouse, refuses one that is too high, and takes it back', async () => {
    const page = await open('/money', adminKey);
    const cap = page.getByLabel('Pulls a day, at most');
    const save = page.locator('section', { hasText: 'Near a cap' }).getByRole('button');
    await cap.fill('600');
    await save.click();
    await page.getByText(/must be no more than the deployment/).waitFor();
    forgetComplaints();
    await cap.fill('2');
    await save.click();
    await toast(page).getByText('Changed the caps').waitFor();
    await page.getByText('daily cap 2').waitFor();
    expect(await budget()).toMatchObject({ daily_cap: 2, monthly_cap: null });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await budget()).daily_cap).toBeNull();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('lets an admin give an owner a share by keys, which is then the line', async () => {
    const page = await open('/money', adminKey);
    const share = page.getByLabel('person 1');
    await share.fill('0.4');
    await share.press('Enter');
    await toast(page).getByText('Changed the shares').waitFor();
    expect((await budget()).owner_shares).toEqual({ [desk.api.ann.ownerId]: 0.004 });
    await page.getByText('your share 2').waitFor();
    await toast(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(async () => (await budget()).owner_shares).toEqual({});
  });

  it('shows another owner nothing of it', async () => {
    const page = await open('/money', desk.api.bob.key);
    await page.getByText('Nothing was spent in this time.').waitFor();
    await page.getByText('0 pulls', { exact: true }).first().waitFor();
  });
});
