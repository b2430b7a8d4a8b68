// The desk with a month of prices: each screen wide and on a phone, light and dark.
import type { Page } from 'playwright-core';
import type { Look } from '#test/support/browser.ts';
import type { Desk } from '#test/support/desk.ts';
import { startFurnishedDesk } from '#test/support/furnished-desk.ts';
import type { Picture, Subject } from './picture.ts';

const looks: readonly Look[] = [
  { width: 1360, height: 900, scheme: 'light' },
  { width: 1360, height: 900, scheme: 'dark' },
  { width: 375, height: 812, scheme: 'light' },
  { width: 375, height: 812, scheme: 'dark' },
];

/** Each screen: its address, and what is there once it is drawn. */
const screens: Readonly<Record<string, { address: string; shows: string }>> = {
  board: { address: '/board', shows: 'Phish, night 3' },
  event: { address: '/events/4711?zone=Lower%20Bowl', shows: 'What happened' },
  new: { address: '/watches/new?event=4711&zone=Lower%20Bowl', shows: 'in 30 days' },
  alerts: { address: '/alerts', shows: 'Cavaliers at Knicks' },
  channels: { address: '/channels', shows: 'ann@example.com' },
  money: { address: '/money', shows: 'Your pulls by day' },
  settings: { address: '/settings', shows: 'Time zone' },
};

/** The pictures, and what stops the desk when they are drawn. */
export async function deskPictures(): Promise<{ subject: Subject; stop(): Promise<void> }> {
  const desk = await startFurnishedDesk();
  const pictures: Picture[] = Object.entries(screens).map(([name, { address, shows }]) => ({
    ...{ name, looks, height: 900 },
    show: async (page) => {
      await signIn(page, desk);
      if (address !== '/board') await page.goto(`${desk.url}/console${address}`);
      await page.getByText(shows).first().waitFor();
      await page.waitForLoadState('networkidle');
    },
  }));
  return { subject: { name: 'desk', pictures }, stop: desk.stop };
}

async function signIn(page: Page, { api, url }: Desk): Promise<void> {
  await page.clock.install({ time: api.clock.now });
  const { body } = await api.call('/v1/sign-in-links', { method: 'POST' });
  await page.goto(`${url}/console/sign-in${new URL(body.url).hash}`);
  await page.waitForURL('**/console/board');
}
