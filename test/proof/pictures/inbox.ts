// The local inbox with the samples in it.
import type { Page } from 'playwright-core';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { firedAt } from '#test/support/alerts.ts';
import type { Look } from '#test/support/browser.ts';
import { aChannel } from '#test/support/delivering.ts';
import { type Inbox, startInbox } from '#test/support/inbox.ts';
import type { Picture, Subject } from './picture.ts';

const desk: readonly Look[] = [
  { width: 1360, scheme: 'light' },
  { width: 1360, scheme: 'dark' },
];
const phone: readonly Look[] = [
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
];

/** The pictures, and what stops the inbox when they are drawn. */
export async function inboxPictures(
  samples: ReadonlyMap<string, Outgoing>,
): Promise<{ subject: Subject; stop(): Promise<void> }> {
  const clock = { now: firedAt };
  const inbox = await startInbox({ now: () => clock.now });
  for (const sample of [...samples.values()].toReversed()) {
    await receive(inbox, sample, clock.now);
    clock.now += 7 * 60_000;
  }
  const show = async (page: Page) => {
    await page.clock.setFixedTime(clock.now);
    await page.goto(inbox.url);
    await page.locator('#rows a').first().waitFor();
  };
  // Setting the clock is a script, which the frame of the mail runs as little as any other.
  const drawn = { height: 760, ignored: /^Blocked script execution/ };
  const pictures: Picture[] = [
    { ...drawn, name: 'list', looks: [...desk, ...phone], show },
    {
      ...drawn,
      name: 'mail',
      looks: [...desk, ...phone],
      show: async (page) => {
        await show(page);
        await page.locator('#rows a').first().click();
        await page.frameLocator('#frame').locator('body').waitFor();
        await page.waitForLoadState('networkidle');
      },
    },
    {
      ...drawn,
      name: 'nothing-found',
      looks: desk,
      show: async (page) => {
        await show(page);
        await page.getByLabel('Search mail').fill('lakers');
        await page.getByText('No mail has “lakers”').waitFor();
      },
    },
  ];
  return { subject: { name: 'inbox', pictures }, stop: () => inbox.stop() };
}

/** Sends it through the product's own sender. */
async function receive({ send }: Inbox, sample: Outgoing, now: number): Promise<void> {
  const { message, told, heldFor } = sample;
  const channel = aChannel({ target: { kind: 'email', address: 'ann@example.com' } });
  const { channelId, ownerId } = channel;
  const purpose = told.length > 0 ? 'alert' : 'test';
  const delivery = newDelivery(
    { deliveryId: `dlv_${now}`, purpose, ownerId, channelId, channelKind: 'email' },
    { now },
  );
  const outcome = await send({ message, told: [...told], leftOut: [], heldFor }, channel, delivery);
  if (outcome.kind !== 'sent') throw new Error(`The sample was not sent: ${outcome.kind}`);
}
