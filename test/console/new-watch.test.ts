// Making a watch as a person does, in a browser, against the API over real tables.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hostileNames } from '#test/support/alerts.ts';
import { createKey, startMs } from '#test/support/api.ts';
import { faultsOfLooks } from '#test/support/axe.ts';
import { startDesk } from '#test/support/desk.ts';
import { button, deskInBrowser } from '#test/support/desk-in-browser.ts';
import { storeEventPrices } from '#test/support/event-prices.ts';

const found = (event_id: number, event_name: string) => ({
  ...{ event_id, event_name, event_date: '2026-03-08', event_time: '19:30' },
  ...{ venue_name: 'Madison Square Garden', venue_city: 'New York' },
});
const [hostile = ''] = hostileNames;

const events = [found(1, 'Cavaliers at Knicks'), found(2, hostile), found(3, 'Nets at Knicks')];
const { desk, open, forgetComplaints } = deskInBrowser({
  start: () =>
    startDesk({
      searchEvents: async ({ question }) => ({
        ...{ source: 'marketplace' as const, readAt: startMs },
        events: question.words.some(({ word }) => word === 'knicks') ? events : [],
      }),
    }),
});

beforeAll(() => storeEventPrices(desk.api, { id: 1, name: 'Cavaliers at Knicks' }));

const level = (page: Page) => page.getByRole('textbox', { name: 'Level, $' });

/** The watches on an event, the newest first. */
const watchesOn = async (id: number, key?: string) => {
  const { body } = await desk.api.call(`/v1/watches?event_id=${id}`, { ...(key && { key }) });
  return body.data;
};
/** The sentence on the page, as a person reads it. */
const sentence = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelectorAll('.sentence > *')]
      .map((part) => part.selectedOptions?.[0].text ?? part.querySelector('input')?.value ?? part.textContent.trim())
      .join(' ')`,
  );
const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
  );

describe('a new watch', () => {
  it('is made by mouse: search, choose, price, channel, Watch it', async () => {
    const page = await open('/board');
    await page.getByRole('searchbox').fill('knicks dec');
    await button(page, 'Search').click();
    await page.getByRole('link', { name: 'Watch Cavaliers at Knicks' }).click();
    await page.getByRole('combobox', { name: 'Where' }).selectOption('Lower Bowl');
    await level(page).fill('115');
    expect(await sentence(page)).toBe('Tell me when get-in of Lower Bowl is at or below 115');
    await page.getByRole('checkbox', { name: 'ann@example.com' }).waitFor();
    await page
      .getByText('Nothing more: other watches of this event need the same pulls.')
      .waitFor();
    await button(page, 'Watch it').click();
    await page.getByText('You watch Cavaliers at Knicks.').waitFor();
    await page.getByText('Get-in of Lower Bowl at or below $115').waitFor();
    const [watch] = await watchesOn(1);
    expect(watch).toMatchObject({
      rules: [{ rule: { type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 115 } }],
      ...{ channels: [desk.api.ann.channelId], latency_seconds: 3_600 },
    });
    await button(page, 'Undo').click();
    await page.getByText('Undone').waitFor();
    // Reads of the watch that were under way are answered by 404.
    forgetComplaints();
    expect(await watchesOn(1)).toEqual([]);
  });

  it('is made by keyboard alone', async () => {
    const page = await open('/watches/new');
    const tabTo = async (name: string | RegExp) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        const at = await focused(page);
        if (typeof name === 'string' ? at === name : name.test(at)) return;
      }
      throw new Error(`no way by Tab to ${name}`);
    };
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('knicks');
    await page.keyboard.press('Enter');
    await page.getByText('3 events found').waitFor({ state: 'attached' });
    await tabTo(/^Watch Cavaliers/);
    await page.keyboard.press('Enter');
    await level(page).waitFor();
    await tabTo('Level, $');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('41.5');
    await page.getByRole('checkbox', { name: 'ann@example.com' }).waitFor();
    await tabTo('Watch it');
    await page.keyboard.press('Enter');
    await page.getByText('You watch Cavaliers at Knicks.').waitFor();
    const [watch] = await watchesOn(1);
    expect(watch.rules[0].rule.at_or_below).toBe(41.5);
  });

  it('has no violation of accessibility with hostile names, wide, on a phone and in the dark', async () => {
    for (const address of ['/watches/new?q=knicks', '/watches/new?event=1&zone=Club']) {
      const page = await open(address);
      await page
        .getByText(/not watched yet|once in 30 days/i)
        .first()
        .waitFor();
      expect(await faultsOfLooks(page)).toEqual([]);
    }
  });

  it('of an owner without a channel takes a mail address right here', async () => {
    const { stores, ann } = desk.api;
    const ownerId = `own_${'9'.repeat(32)}`;
    await stores.access.createOwner({ ownerId, name: 'Cy', createdAt: '2026-03-01T12:00:00Z' });
    const key = await createKey(desk.api, ownerId, 'write');
    const page = await open('/watches/new?event=1', key);
    await page.getByLabel('Your mail address').fill('cy@example.com');
    await button(page, 'Add').click();
    await page.getByText('A mail to cy@example.com is on its way').waitFor();
    await page.getByRole('checkbox', { name: 'cy@example.com' }).waitFor();
    await button(page, 'Watch it').click();
    await page.getByText('Your rules here').waitFor();
    const [watch] = await watchesOn(1, key);
    expect(watch.channels).toHaveLength(1);
    expect(watch.channels).not.toContain(ann.channelId);
  });
});

describe('before it is saved, a watch', () => {
  it('says when it would have told, and how often at other levels, which a press takes', async () => {
    const page = await open('/watches/new?event=1&zone=Lower%20Bowl');
    await level(page).fill('125');
    await page.getByText('Twice in 30 days, last on Feb 25 at $125').waitFor();
    const bars = page.getByRole('region', { name: 'How often, by level' });
    await bars.getByText('About one a week:').waitFor();
    await bars
      .getByRole('button', { name: /^\d+ alerts? at \$13\d$/ })
      .first()
      .click();
    expect(Number(await level(page).inputValue())).toBeGreaterThanOrEqual(130);
    const handle = page.getByRole('slider', { name: 'Level of the rule' });
    await handle.focus();
    const before = await level(page).inputValue();
    for (const press of ['ArrowUp', 'Enter']) await page.keyboard.press(press);
    await expect.poll(() => level(page).inputValue()).toBe(String(Number(before) + 1));
  });

  it('can be of any kind, and is tried at once', async () => {
    const page = await open('/watches/new?event=1');
    const told = page.getByText(/(once|twice|times) in 30 days/i);
    const words = {
      'a drop or rise': 'get-in of any seat drops by 15 % from its highest of the last 24 hours',
      'a new low or high': 'get-in of any seat is at a new low of the last 30 days',
      'any change': 'get-in of any seat changes at all',
      'a single listing':
        'a new listing in any zone section  row  with 1 or more together costs at most 51',
      'how many are left': 'the number of listings of the event is at or below 40',
      'the share that sold': 'the share of listings that sold is at or above 60',
    };
    for (const [kind, text] of Object.entries(words)) {
      const answer = page.waitForResponse('**/v1/rules/preview');
      await button(page, kind).click();
      expect(await sentence(page)).toBe(`Tell me when ${text}`);
      expect((await answer).status()).toBe(200);
    }
    await told.waitFor();
    expect(await button(page, 'Watch it').isEnabled()).toBe(true);
  });

  it('takes conditions in plain words, and a second rule', async () => {
    const page = await open('/watches/new?event=1');
    const add = page.getByRole('combobox', { name: 'Add a condition' });
    await add.selectOption('only if it stays so');
    await add.selectOption('at most some alerts a day');
    await add.selectOption('how many are left');
    await page.getByRole('textbox', { name: 'Level', exact: true }).fill('250');
    await page.getByRole('textbox', { name: 'Refreshes' }).fill('3');
    await page.getByRole('button', { name: /^Remove: at most some alerts/ }).click();
    await button(page, 'add another rule').click();
    await page.getByRole('button', { name: /^get-in of any seat is at a new low/ }).waitFor();
    await button(page, 'Watch it').click();
    await page.getByText('You watch Cavaliers at Knicks.').waitFor();
    const rulesOf = ({ rules }: { rules: { sentence: string }[] }) =>
      rules.map(({ sentence: words }) => words);
    expect((await watchesOn(1)).map(rulesOf)).toContainEqual([
      'Get-in at or below $51, while active listings at or below 250; confirmed by 3 snapshots in a row',
      'Get-in at a new low within 30 days',
    ]);
  });

  it('says at the slot what the API refuses', async () => {
    const page = await open('/watches/new?event=1');
    await level(page).fill('0');
    await page.getByText('must be above 0').waitFor();
    expect(await level(page).getAttribute('aria-invalid')).toBe('true');
    await level(page).fill('');
    await page.getByText('A slot is still empty, or has no number.').waitFor();
    expect(await button(page, 'Watch it').isDisabled()).toBe(true);
    forgetComplaints();
  });

  it('leads to the watch that asks the same', async () => {
    const { api } = desk;
    const rules = [{ type: 'level', metric: 'get_in', at_or_below: 33 }];
    const body = { event_id: 1, rules, channels: [api.ann.channelId] };
    const { body: watch } = await api.call('/v1/watches', { body });
    const page = await open('/watches/new?event=1');
    await level(page).fill('33');
    await button(page, 'Watch it').click();
    await page.getByText('You have this watch already.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL(`**/watches/${watch.id}`);
    forgetComplaints();
  });

  it('can be looked at with a key that only reads', async () => {
    const key = await createKey(desk.api, desk.api.ann.ownerId, 'read');
    const page = await open('/watches/new?event=1', key);
    await page.getByText('This key can only read.').waitFor();
    expect(await button(page, 'Watch it').isDisabled()).toBe(true);
  });

  it('says so where no event is found', async () => {
    const page = await open('/watches/new?q=nothing');
    await page.getByText('No event has all of these words').waitFor();
  });
});
