// The pages behind links in a browser: they fit a phone, follow their own policy, and work without a script.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chart } from '#shared/charts/chart.ts';
import { alertedWatch, watchOf } from '#test/support/alert-pages.ts';
import { type Api, levelRule, signedLinks, startApi, startMs } from '#test/support/api.ts';
import { violationsOf } from '#test/support/axe.ts';
import { openPage } from '#test/support/browser.ts';
import { type ServedLinks, serveLinks } from '#test/support/serve-links.ts';
import { useBrowser } from '#test/support/worker-browser.ts';

let api: Api;
let served: ServedLinks;
const worker = useBrowser();

beforeAll(async () => {
  api = await startApi();
  served = await serveLinks(api);
});
afterAll(async () => {
  await served.stop();
});

const chart: Chart = {
  points: [
    [startMs - 7 * 86_400_000, 9_000],
    [startMs, 7_400],
  ],
  utcOffsetMinutes: 0,
};

/** A watch on an event whose names are as long and as odd as names can be. */
async function oddEvent() {
  const found = await alertedWatch(api, {
    rule: { ...levelRule(120), zone: 'Z'.repeat(200) },
    watch: { name: 'W'.repeat(200) },
    alert: { chart },
  });
  await api.stores.eventFacts.keep({
    ...{ eventId: found.eventId, name: `<b>${'W'.repeat(190)}`, date: '2026-12-02' },
    ...{ venueName: 'V'.repeat(200), tmEventId: 'G5v', updatedAt: startMs },
  });
  return found;
}

/** The shorter side of everything that can be tapped, CSS pixels. */
const targetSizes = `[...document.querySelectorAll('button, input:not([type=hidden]), a')]
  .map((target) => target.getBoundingClientRect())
  .map(({ width, height }) => Math.min(width, height))`;

/** Every kind of page, and what a reader does there first. */
async function everyPage(): Promise<[address: string, act?: (page: Page) => Promise<void>][]> {
  const { page: path, watchId } = await oddEvent();
  const { page: other } = await oddEvent();
  const stopPath = new URL(await signedLinks.manageUrl(api.ann.channelId)).pathname;
  const pressed = (act: string) => (page: Page) => page.locator(`button[value=${act}]`).click();
  return [
    [path],
    [`${path}?do=level`],
    [
      `${path}?do=bought`,
      async (page) => {
        await page.locator('input[name=paid]').fill('ninety');
        await pressed('bought')(page);
        await page.getByRole('alert').waitFor();
        expect(await page.locator('input[name=paid]:focus').count()).toBe(1);
      },
    ],
    [
      `${other}?do=snooze`,
      async (page) => {
        await pressed('snooze')(page);
        await page.getByRole('status').waitFor();
      },
    ],
    [`${stopPath}?w=${watchId}`],
    [`${stopPath}?do=alerts`],
  ];
}

describe.each(['light', 'dark'] as const)('on a %s phone', (scheme) => {
  it('every page fits its width, has large buttons, and breaks no rule of WCAG', async () => {
    const { page, complaints, close } = await openPage(worker.browser, { width: 375, scheme });
    for (const [address, act] of await everyPage()) {
      await page.goto(`${served.url}${address}`);
      await act?.(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
      const targets = await page.evaluate<number[]>(targetSizes);
      expect(targets.length).toBeGreaterThan(1);
      expect(Math.min(...targets)).toBeGreaterThanOrEqual(44);
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(paper).toBe(scheme === 'light' ? 'rgb(247, 247, 244)' : 'rgb(14, 16, 20)');
      expect(await violationsOf(page), address).toEqual([]);
    }
    // The answer 400 to a price that can't be read.
    expect(complaints).toEqual([expect.stringContaining('status of 400')]);
    await close();
  });

  it('the page of an alert shows its chart', async () => {
    const { page: path } = await oddEvent();
    const { page, complaints, close } = await openPage(worker.browser, { width: 375, scheme });
    await page.goto(`${served.url}${path}`);
    const picture = page.getByAltText('Get-in, Z', { exact: false });
    const { width = 0 } = (await picture.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(280);
    const shown = await page.evaluate<string>('document.images[0].currentSrc');
    expect(shown.endsWith(scheme === 'light' ? '.png' : '.png?theme=dark')).toBe(true);
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(1_024);
    expect(complaints).toEqual([]);
    await close();
  });
});

it('a purchase is told, and undone, by the keyboard alone and without a script', async () => {
  const { page: path, watchId } = await alertedWatch(api);
  const { page, complaints, close } = await openPage(worker.browser, { width: 375 });
  await page.goto(`${served.url}${path}?do=bought`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('95.50');
  await page.keyboard.press('Enter');
  await page.getByText('You bought a ticket for $95.50.').waitFor();
  expect((await watchOf(api, watchId)).bought?.paidCents).toBe(9_550);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The watch is on again.').waitFor();
  expect((await watchOf(api, watchId)).status).toBe('active');
  // The page has no script to complain about, and its policy refuses nothing of it.
  expect([await page.locator('script').count(), complaints]).toEqual([0, []]);
  await close();
});
