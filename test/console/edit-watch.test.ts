// Changing a watch as a person does, in a browser, against the API over real tables.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyVersion } from '#test/support/api.ts';
import { faultsOfLooks } from '#test/support/axe.ts';
import { button, deskInBrowser } from '#test/support/desk-in-browser.ts';
import { storeEventPrices } from '#test/support/event-prices.ts';

const { desk, open, forgetComplaints } = deskInBrowser();
let id: string;
let made = 0;

beforeAll(() => storeEventPrices(desk.api, { id: 1, name: 'Cavaliers at Knicks' }));
beforeEach(async () => {
  made += 1;
  const rules = [
    { type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 110, confirmations: 2 },
    { type: 'extreme', metric: 'get_in', new: 'low', within: '30d' },
  ];
  const body = { event_id: 1, name: `watch ${made}`, tags: ['knicks'], rules };
  const channels = [desk.api.ann.channelId];
  id = (await desk.api.call('/v1/watches', { body: { ...body, channels } })).body.id;
});

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const stored = async () => (await desk.api.call(`/v1/watches/${id}`)).body;
const undone = async (page: Page, what: string) => {
  await button(page, 'Undo').last().click();
  await page.getByText(`Undone: ${what}`).waitFor();
};

describe('a watch', () => {
  it('is changed in all that a person set, and taken back by one press', async () => {
    const page = await open(`/watches/${id}`);
    await field(page, 'Level, $').fill('105');
    await field(page, 'Refreshes').fill('3');
    await field(page, 'Name').fill('Finals');
    await field(page, 'Tags').fill('#knicks finals');
    await page.getByRole('combobox', { name: 'Tell me within' }).selectOption('300');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Finals' }).waitFor();
    await page.getByText('Nothing is changed.').waitFor();
    expect(await stored()).toMatchObject({
      ...{ version: 2, name: 'Finals', tags: ['knicks', 'finals'], latency_seconds: 300 },
      rules: [{ rule: { at_or_below: 105, confirmations: 3 } }, { rule: { type: 'extreme' } }],
    });
    await undone(page, 'Saved.');
    await page.getByRole('heading', { name: `watch ${made}` }).waitFor();
    expect(await field(page, 'Level, $').inputValue()).toBe('110');
    expect(await stored()).toMatchObject({ version: 3, tags: ['knicks'] });
  });

  it('opens at the rule of the address, and loses one by a press', async () => {
    const { rules } = await stored();
    const page = await open(`/watches/${id}?rule=${rules[1].id}`);
    await page.getByRole('combobox', { name: 'Low or high' }).waitFor();
    await page.getByRole('button', { name: /^Remove: get-in of any seat is at a new low/ }).click();
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    expect((await stored()).rules).toHaveLength(1);
  });

  it('is paused, snoozed and deleted, and each is taken back', async () => {
    const page = await open(`/watches/${id}`);
    await button(page, 'Pause').click();
    await page.getByText('Paused.').waitFor();
    expect((await stored()).status).toBe('paused');
    await undone(page, 'Paused.');
    expect((await stored()).status).toBe('active');
    await button(page, 'Snooze a day').click();
    await button(page, 'End the snooze to Mon 12:00').waitFor();
    expect((await stored()).snoozed_until).toBe('2026-03-02T12:00:00.000Z');
    await undone(page, 'Snoozed for a day.');
    expect((await stored()).snoozed_until).toBeNull();
    await button(page, 'Delete').click();
    await page.waitForURL('**/events/1');
    await undone(page, 'Deleted.');
    expect((await stored()).status).toBe('active');
    // What was asked of it meanwhile.
    forgetComplaints();
  });

  it('goes back to an earlier version, which says who made it', async () => {
    const headers = anyVersion;
    const body = { name: 'later', tags: [] };
    await desk.api.call(`/v1/watches/${id}`, { method: 'PATCH', headers, body });
    const page = await open(`/watches/${id}`);
    await page.getByText('Versions').click();
    await page
      .getByText(/by a request with the key/)
      .first()
      .waitFor();
    await button(page, 'Restore').click();
    await page.getByRole('heading', { name: `watch ${made}` }).waitFor();
    expect(await stored()).toMatchObject({ version: 3, name: `watch ${made}`, tags: ['knicks'] });
  });

  it('explains each look at it', async () => {
    const page = await open(`/watches/${id}`);
    await page.getByText('Why it did, why it didn’t').click();
    await page.getByText('Stored, and not evaluated yet').first().waitFor();
    expect(await page.locator('.looks tbody tr').count()).toBe(2);
  });

  it('keeps what is written while it is changed elsewhere, and says so', async () => {
    const page = await open(`/watches/${id}`);
    await field(page, 'Name').fill('mine');
    await desk.api.call(`/v1/watches/${id}`, { method: 'PATCH', body: { name: 'theirs' } });
    await page.clock.fastForward(16_000);
    await page.getByText('This watch was changed elsewhere meanwhile.').waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('mine');
    await button(page, 'Show it as it is now').click();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('theirs');
  });

  it('has no violation of accessibility with all of it open, wide, on a phone and in the dark', async () => {
    const page = await open(`/watches/${id}`);
    await page.getByText('Versions').click();
    await page.getByText('Why it did, why it didn’t').click();
    await page.locator('.looks').waitFor();
    await page.getByRole('slider', { name: /^Prices/ }).waitFor();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('of another owner is not there', async () => {
    const page = await open(`/watches/${id}`, desk.api.bob.key);
    await page.getByText('No watch with this id').waitFor();
    forgetComplaints();
  });
});
