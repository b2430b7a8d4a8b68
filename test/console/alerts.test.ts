// The alerts as a person uses them, in a browser, against the API over real tables.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import type { Disposition } from '#shared/delivery/disposition.ts';
import { anAlert } from '#test/support/alerts.ts';
import { createKey } from '#test/support/api.ts';
import { faultsOfLooks } from '#test/support/axe.ts';
import { aWatchOf } from '#test/support/desk.ts';
import { deskInBrowser } from '#test/support/desk-in-browser.ts';

const { desk, open, forgetComplaints } = deskInBrowser({ per: 'test', address: '/alerts' });
let made = 0;

const hourMs = 3_600_000;

interface Made {
  /** Before now. */
  hours: number;
  alert?: Partial<Alert>;
  decision?: Partial<Disposition>;
  delivery?: Partial<Delivery>;
}

/** An alert of Ann, with the decision about her channel and the message that came of it. */
async function anAlertWith({ hours, alert, decision, delivery }: Made): Promise<void> {
  made += 1;
  const { stores, clock, ann } = desk.api;
  const firedAt = clock.now - hours * hourMs;
  const { ownerId, channelId } = ann;
  const alertId = `alt_${made}`;
  const deliveryId = `dlv_${made}`;
  const about = { alertId, ownerId, firedAt, observedAt: firedAt, channelIds: [channelId] };
  await stores.alerts.create(anAlert({ ...about, ...alert }));
  if (!decision && !delivery) return;
  await stores.dispositions.decideOnce({ alertId, channelId }, async () => ({
    ...{ alertId, channelId, kind: 'send', deliveryId, decidedAt: firedAt, dueAt: firedAt },
    ...decision,
  }));
  if (!delivery) return;
  const message = { deliveryId, ownerId, channelId, alertIds: new Set([alertId]), ...delivery };
  await stores.deliveries.create(
    newDelivery({ ...message, channelKind: 'email', purpose: 'alert' }, { now: firedAt }),
  );
}

const tried = { at: 1_772_362_800_000, outcome: 'failed', reason: 'http_404', durationMs: 312 };
const sent: Made = { hours: 1, delivery: { status: 'sent', sentAt: 1_772_362_800_000 } };
const refused: Made = {
  hours: 26,
  delivery: {
    ...{ status: 'failed', lastReason: 'http_404' },
    log: [{ ...tried, httpStatus: 404, excerpt: '<b>no</b> service' }],
  },
};
const rows = (page: Page) => page.locator('.alert');

describe('the alerts', () => {
  it('are shown by day with what became of each, usable by everybody', async () => {
    await anAlertWith(sent);
    const end = desk.api.clock.now + 5 * hourMs;
    await anAlertWith({
      hours: 2,
      decision: { kind: 'hold', reason: 'quiet_hours', dueAt: end },
      delivery: { heldFor: 'quiet_hours' },
    });
    await anAlertWith({ hours: 3, alert: { unsentReason: 'cool_down' } });
    await anAlertWith({
      ...refused,
      alert: { eventName: '<img src=x onerror=alert(1)> \u202Eevil' },
    });
    const page = await open();
    const today = page.locator('section', { hasText: 'Today' });
    await today.getByText(/^sent/).waitFor();
    await today.getByText('held to 17:00').waitFor();
    await today.getByText('the rule’s pause after an alert').waitFor();
    const yesterday = page.locator('section', { hasText: 'Yesterday' });
    await yesterday.getByText('it answered with HTTP 404').waitFor();
    await yesterday.getByRole('button', { name: /^Why/ }).click();
    await yesterday.getByText('<b>no</b> service').waitFor();
    // Its watch is gone, which the API says by 404.
    await yesterday.getByText('The watch or its rule is gone').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    forgetComplaints();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('say by mouse who got it and what the rule saw, and send a message again', async () => {
    const watch = await aWatchOf(desk, 'Knicks at Heat', 74);
    const { body } = await desk.api.call(`/v1/watches/${watch.id}`);
    await anAlertWith({
      ...refused,
      ...{ hours: 0, alert: { watchId: watch.id, ruleId: body.rules[0].id } },
    });
    const page = await open();
    await rows(page).getByRole('button', { name: /^Why/ }).click();
    await page.getByText('The market had').waitFor();
    await page.getByText(/\$74, Mar 1, 2026/).waitFor();
    await page.getByRole('link', { name: 'Open the watch' }).waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.locator('.toast').getByText('is sent again').waitFor();
    await page.getByText('on its way').waitFor();
    await page.getByRole('link', { name: 'All its alerts' }).click();
    await page.getByRole('button', { name: 'Knicks at Heat, show all' }).waitFor();
    expect(await rows(page).count()).toBe(1);
  });

  it('are filtered by keys, by state and by the name of an event or a tag', async () => {
    const watch = await aWatchOf(desk, 'Nets at Magic', 74, { id: 2, tags: ['east'] });
    await anAlertWith(sent);
    await anAlertWith({
      ...refused,
      alert: { watchId: watch.id, eventId: 2, eventName: 'Nets at Magic' },
    });
    const page = await open();
    await rows(page).nth(1).waitFor();
    await page.getByRole('button', { name: 'Failed' }).press('Enter');
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('Nets')]);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Failed');
    await page.getByRole('button', { name: 'All', exact: true }).press('Enter');
    const search = page.getByLabel('Event, watch or tag');
    await search.fill('nobody');
    await search.press('Enter');
    await page.getByText('None of your watches has this event').waitFor();
    await search.fill('#EAST');
    await page.waitForURL('**/alerts?tag=east');
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('Nets')]);
    await page.getByRole('button', { name: '#east, show all' }).press('Enter');
    await rows(page).nth(1).waitFor();
    await page.goto(`${desk.url}/console/alerts?event=9&state=sent`);
    await page.getByText('No alert fits').waitFor();
    await page.getByRole('button', { name: 'Show all', exact: true }).press('Enter');
    await rows(page).nth(1).waitFor();
  });

  it('come while the page is open, and older ones on request', async () => {
    for (let hours = 1; hours <= 51; hours += 1) {
      await anAlertWith({ hours, alert: { unsentReason: 'cap' } });
    }
    const page = await open();
    await expect.poll(() => rows(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Look further back' }).click();
    await expect.poll(() => rows(page).count()).toBe(51);
    await anAlertWith({ hours: 0 });
    await page.clock.runFor(16_000);
    await expect.poll(() => rows(page).count()).toBe(52);
  });

  it('are nobody else’s, and a key that can only read sends nothing again', async () => {
    await anAlertWith(refused);
    const other = await open('/alerts', desk.api.bob.key);
    await other.getByText('No alert yet').waitFor();
    const key = await createKey(desk.api, desk.api.ann.ownerId, 'read');
    const page = await open('/alerts', key);
    await rows(page).getByRole('button', { name: /^Why/ }).click();
    await page.getByText('no</b> service').waitFor();
    expect(await page.getByRole('button', { name: 'Send it again' }).count()).toBe(0);
    // The watch of the alert is gone, which the API says by 404.
    await page.getByText('The watch or its rule is gone').waitFor();
    forgetComplaints();
  });
});
