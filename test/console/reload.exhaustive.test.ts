// Each screen over a month of prices is the same after a reload, and after going back and forward.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { deskInBrowser } from '#test/support/desk-in-browser.ts';
import { startFurnishedDesk } from '#test/support/furnished-desk.ts';

const { desk, open } = deskInBrowser({ start: startFurnishedDesk });
const patience = { timeout: 60_000 };

/** What is on the screen, without the ages, which grow. */
async function shown(page: Page): Promise<string> {
  const [text = ''] = await page.locator('main').allInnerTexts();
  return text.replaceAll(/\d+ (s|min) (old|ago)/g, '');
}

async function firstWatch(): Promise<string> {
  return `/watches/${(await desk.api.call('/v1/watches')).body.data[0].id}`;
}

it.each<[string, () => Promise<string> | string, string]>([
  ['board', () => '/board', 'Phish, night 3'],
  ['board, filtered', () => '/board?q=knicks&group=event', 'Cavaliers at Knicks'],
  ['event', () => '/events/4711?zone=Lower%20Bowl', 'What happened'],
  ['new watch', () => '/watches/new?event=4711&zone=Lower%20Bowl', 'in 30 days'],
  ['watch', firstWatch, 'Who hears of it'],
  ['alerts', () => '/alerts', 'Cavaliers at Knicks'],
  ['channels', () => '/channels', 'ann@example.com'],
  ['money', () => '/money', 'Your pulls by day'],
  ['settings', () => '/settings', 'Time zone'],
])('%s', async (_, address, sign) => {
  const page = await open(await address());
  await page.getByText(sign).first().waitFor();
  await page.waitForLoadState('networkidle');
  const before = await shown(page);
  await page.reload();
  await expect.poll(() => shown(page), patience).toBe(before);
  await page.getByRole('link', { name: 'Board', exact: true }).first().click();
  await page.getByText('Phish, night 3').first().waitFor();
  await page.goBack();
  await expect.poll(() => shown(page), patience).toBe(before);
  await page.goForward();
  await page.getByText('Phish, night 3').first().waitFor();
});
