// The page of an alert in its states: after a press, with a fault, with odd names. Each has a watch and a channel of
// its own, because a press changes them; a page that was pressed before shows the same again.
import type { Page } from 'playwright-core';
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import { alertedWatch } from '#test/support/alert-pages.ts';
import { anAlert } from '#test/support/alerts.ts';
import { anyVersion, levelRule, startMs } from '#test/support/api.ts';
import { mailLooks, type Picture } from './picture.ts';
import { withChart } from './samples.ts';
import type { World } from './world.ts';

/** The alert that a picture shows. */
interface Shown {
  world: World;
  /** Its page. */
  url: string;
  watchId: string;
}

interface State {
  price?: number | null;
  rule?: object;
  watch?: object;
  facts?: Partial<EventFacts>;
  show(page: Page, shown: Shown): Promise<unknown>;
}

async function click(page: Page, act: string): Promise<void> {
  await page.locator(`button[value="${act}"]`).first().click();
  await page.waitForLoadState('networkidle');
}

/** Opens the page for an act, and presses its button unless it was pressed before. */
function pressed(act: string, paid?: string): State {
  return {
    show: async (page, { url }) => {
      await page.goto(`${url}?do=${act}`);
      if ((await page.locator(`button[value="${act}"]`).count()) === 0) return;
      if (paid !== undefined) await page.locator('input[name=paid]').fill(paid);
      await click(page, act);
    },
  };
}

const opened = (page: Page, { url }: Shown) => page.goto(url);

const states: Readonly<Record<string, State>> = {
  'bought-fault': pressed('bought', 'ninety'),
  'bought-done': pressed('bought', '95.50'),
  'bought-undone': {
    show: async (page, { url }) => {
      await page.goto(`${url}?do=bought`);
      await click(page, 'bought');
      await click(page, 'undo_bought');
    },
  },
  'new_low-done': pressed('new_low'),
  'level-done': pressed('level'),
  'snooze-done': pressed('snooze'),
  'stop_watch-done': pressed('stop_watch'),
  'stop_all-done': pressed('stop_all'),
  changed: {
    show: async (page, { world: { api }, url, watchId }) => {
      await page.goto(`${url}?do=snooze`);
      const path = `/v1/watches/${watchId}`;
      const { version } = (await api.call(path)).body;
      const body = { name: `Finals ${version}` };
      await api.call(path, { method: 'PATCH', body, headers: anyVersion });
      await click(page, 'snooze');
    },
  },
  over: { facts: { date: '2026-02-20' }, show: opened },
  'sold-out': { price: null, show: opened },
  deleted: {
    show: async (page, { world: { api }, url, watchId }) => {
      await api.call(`/v1/watches/${watchId}`, { method: 'DELETE', headers: anyVersion });
      await page.goto(url);
    },
  },
  odd: {
    rule: { ...levelRule(120), zone: 'Z'.repeat(60) },
    watch: { name: 'W'.repeat(100) },
    facts: {
      name: `<b>&amp; ${'Playoffs: to be determined at the '.repeat(5)}Arena`,
      ...{ venueName: 'V'.repeat(200), venueCity: 'مدينة' },
    },
    show: (page, { url }) => page.goto(`${url}?do=level`),
  },
};

/** The pictures, each about an alert at $74. */
export async function alertStates(world: World): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const [name, state] of Object.entries(states)) {
    const shown = await addAlert(world, state);
    pictures.push({
      name: `alert-${name}`,
      looks: mailLooks,
      show: (page) => state.show(page, shown),
      // A press that changes nothing is answered with 400 or 409.
      ignored: /status of 40[09]/,
    });
  }
  return pictures;
}

async function addAlert(world: World, { price = 72.5, rule, watch, facts }: State): Promise<Shown> {
  const { api } = world;
  const { channelId, stopUrl } = await world.addChannel({});
  const { chart } = withChart(anAlert({ observedAt: startMs }));
  const { eventId, watchId, alert } = await alertedWatch(api, {
    ...{ price, watch: { channels: [channelId], ...watch } },
    ...(chart && { alert: { chart } }),
    ...(rule && { rule }),
  });
  await api.stores.eventFacts.keep({
    ...{ eventId, name: 'Knicks at Heat', date: '2026-03-07', time: '19:30', tmEventId: 'G5v' },
    ...{ venueName: 'Kaseya Center', venueCity: 'Miami', updatedAt: startMs, ...facts },
  });
  const url = createAlertLinks(stopUrl)?.pageUrl(alert.alertId);
  if (url === undefined) throw new Error('The channel has no stop address.');
  return { world, url, watchId };
}
