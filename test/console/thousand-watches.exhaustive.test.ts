// The board of a broker with a thousand watches, by keys alone.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { violationsOf } from '#test/support/axe.ts';
import { deskInBrowser, toast } from '#test/support/desk-in-browser.ts';
import { drainJobs } from '#test/support/jobs.ts';
import { storeWatch } from '#test/support/many-watches.ts';

const { desk, open } = deskInBrowser();
const patience = { timeout: 120_000 };

const inFocus = (page: Page) => page.evaluate('document.activeElement.textContent');

it('is walked, searched, changed as a job that says how far it is, stopped, and taken back', async () => {
  const { stores, ann } = desk.api;
  for (let n = 1; n <= 1_000; n += 1) await storeWatch(stores, { ...ann, n });
  const page = await open();
  await page.getByText('1,000 of 1,000, nearest first').waitFor(patience);
  const names = await page.locator('.board .name').allInnerTexts();
  for (const _ of names) await page.keyboard.press('j');
  expect(await inFocus(page)).toBe(names.at(-1));
  await page.keyboard.press('k');
  expect(await inFocus(page)).toBe(names.at(-2));

  await page.keyboard.press('a');
  await page.getByText('1,000 watches selected').waitFor(patience);
  await page.keyboard.press('p');
  await toast(page).getByText('Paused 0 of 1,000 watches so far').waitFor(patience);
  expect(await violationsOf(page)).toEqual([]);
  await drainJobs(desk.api);
  await toast(page).getByText('Paused 1,000 watches', { exact: true }).waitFor(patience);
  await page.keyboard.press('u');
  await toast(page).getByText('Undone: 0 of 1,000 watches so far').waitFor(patience);
  await drainJobs(desk.api);
  await toast(page).getByText('Undone: Paused 1,000 watches').waitFor(patience);

  await page.getByRole('button', { name: 'Level +5%' }).focus();
  await page.keyboard.press('Enter');
  await toast(page).getByRole('button', { name: 'Stop' }).press('Enter');
  await toast(page).getByText('stopped at 0 of 1,000').waitFor(patience);

  await page.keyboard.press('/');
  await page.keyboard.type('game 77');
  await page.getByText('19 of 1,000, nearest first').waitFor(patience);
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.getByText('19 watches selected').waitFor(patience);
});
