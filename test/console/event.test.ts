// The screen of an event as a person uses it, in a browser, against the API over real tables.
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAlert, hostileNames } from '#test/support/alerts.ts';
import { startMs } from '#test/support/api.ts';
import { faultsOfLooks } from '#test/support/axe.ts';
import { deskInBrowser } from '#test/support/desk-in-browser.ts';
import { storeEventPrices } from '#test/support/event-prices.ts';

const { desk, open, leave, forgetComplaints } = deskInBrowser();

const id = 101;
const rules = [{ type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 110 }];
/** Ann's watch on the event, a new one for each test. */
let watch: { id: string };
let made = 0;

beforeAll(() => storeEventPrices(desk.api, { id, name: 'Cavaliers at Knicks' }));
beforeEach(async () => {
  const { api } = desk;
  made += 1;
  const body = { event_id: id, name: `watch ${made}`, channels: [api.ann.channelId], rules };
  watch = (await api.call('/v1/watches', { body })).body;
});
afterEach(async () => {
  await leave();
  await desk.api.call(`/v1/watches/${watch.id}`, { method: 'DELETE' });
});

const levelOf = async (watchId: string) => {
  const { body } = await desk.api.call(`/v1/watches/${watchId}`);
  return body.rules[0].rule.at_or_below;
};
const ofLower = '?zone=Lower%20Bowl';
const levelHandle = (page: Page) => page.getByRole('slider', { name: /at or below/ });

describe('the event', () => {
  it('tells the prices now and where they stand, the rules here, and how often we looked', async () => {
    const page = await open(`/events/${id}${ofLower}`);
    const facts = page.locator('.event-facts');
    await facts.waitFor();
    const [shown = ''] = await facts.allInnerTexts();
    expect(shown.split('\n')).toEqual([
      ...['Get-in, Lower Bowl', '$121 ▼ 1.6%', 'Two together', '$133.10'],
      ...['Median', '$169.40', 'Listings', '242', 'In 30 days', 'lowest 8%'],
    ]);
    await page
      .getByText(
        /^listed prices, fees not included · data \d+ s old · looked 31 times today, 6 pulls paid$/,
      )
      .waitFor();
    const rules = page.getByRole('region', { name: 'Your rules here' });
    expect(await rules.textContent()).toContain(
      'Get-in of Lower Bowl is $121, $11 above your level of $110 · ann@example.com',
    );
    await page.getByText('No alert yet.').waitFor();
  });

  it('has no violation of accessibility with hostile names, wide, on a phone and in the dark', async () => {
    const [name = ''] = hostileNames;
    const zone = '<img src=x onerror=alert(1)> "&amp; a zone whose name is long, long, long, long';
    await storeEventPrices(desk.api, { id: 99, name, zones: { [zone]: 2 } });
    for (const address of ['/events/99', `/events/99?zone=${encodeURIComponent(zone)}`]) {
      const page = await open(address);
      await page.getByRole('slider', { name: /^Prices/ }).waitFor();
      expect(await faultsOfLooks(page)).toEqual([]);
    }
  });

  it('shows another zone, and the times that a person asks for, by mouse', async () => {
    const page = await open(`/events/${id}`);
    await page.getByRole('button', { name: 'Club' }).click();
    await page.getByRole('region', { name: 'Club' }).waitFor();
    await page.getByText('Get-in, Club').waitFor();
    await page.getByRole('button', { name: '7 d' }).click();
    await page.getByRole('slider', { name: 'Prices of Club, 7 d' }).waitFor();
    expect(new URL(page.url()).search).toBe('?zone=Club&range=7d');
  });

  it('saves a level that is dragged, and takes it back', async () => {
    const page = await open(`/events/${id}${ofLower}`);
    const handle = levelHandle(page);
    const box = await handle.boundingBox();
    if (!box) throw new Error('the level has no place');
    const [x, y] = [box.x + 10, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 30, { steps: 3 });
    await page.mouse.up();
    await page.getByText(/^Level to \$/).waitFor();
    const moved = await levelOf(watch.id);
    expect(moved).toBeGreaterThan(112);
    expect(await page.getByText(/^Level to \$/).textContent()).toBe(`Level to $${moved}.`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await levelOf(watch.id)).toBe(110);
  });

  it('moves a level and the crosshair by the arrow keys', async () => {
    const page = await open(`/events/${id}${ofLower}`);
    await levelHandle(page).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'])
      await page.keyboard.press(key);
    await page.getByText('Level to $109.').waitFor();
    expect(await levelOf(watch.id)).toBe(109);
    await levelHandle(page).focus();
    for (const key of ['ArrowDown', 'Escape']) await page.keyboard.press(key);
    expect(await levelHandle(page).getAttribute('aria-valuetext')).toBe('$109');
    const plot = page.getByRole('slider', { name: 'Prices of Lower Bowl, 30 d' });
    await plot.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await plot.getAttribute('aria-valuetext')).toBe(
      '10:00, get-in $122, two together $134.20, median $170.80, listings 244',
    );
    await page.locator('.readout').waitFor();
  });

  it('says if the watch was changed meanwhile, and leaves the level', async () => {
    const page = await open(`/events/${id}${ofLower}`);
    await levelHandle(page).waitFor();
    await desk.api.call(`/v1/watches/${watch.id}`, { method: 'PATCH', body: { name: 'other' } });
    await levelHandle(page).focus();
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByText('The item was changed after you read it; read it again').waitFor();
    forgetComplaints();
    expect(await levelOf(watch.id)).toBe(110);
  });

  it('tells when each alert was sent, or why it was not', async () => {
    const { stores, ann } = desk.api;
    const about = { ownerId: ann.ownerId, eventId: id, watchId: watch.id };
    const at = (hoursAgo: number) => ({
      observedAt: startMs - hoursAgo * 3_600_000,
      firedAt: startMs - hoursAgo * 3_600_000 + 21_000,
    });
    await stores.alerts.create(
      anAlert({ alertId: `alt_a${id}`, ...about, ...at(5), unsentReason: 'cool_down' }),
    );
    const page = await open(`/events/${id}`);
    const happened = page.getByRole('region', { name: 'What happened' });
    await happened.getByText('not sent: the rule’s pause after an alert').waitFor();
    expect(await happened.textContent()).toContain('07:00 $74');
  });

  it('offers to watch an event of which nothing is known', async () => {
    const page = await open('/events/987654');
    await page.getByRole('link', { name: 'Watch it' }).click();
    await page.waitForURL('**/watches/new?event=987654');
    await page.getByText('No prices of this event are stored yet').waitFor();
    forgetComplaints();
  });

  it('shows the prices to another owner, and none of the rules', async () => {
    const page = await open(`/events/${id}`, desk.api.bob.key);
    await page.getByText('You don’t watch this event.').waitFor();
    expect(await page.getByText('at or below').count()).toBe(0);
  });
});
