// How long a page takes until something is drawn, by the browser's own clock: the page looks at each of its frames.
import type { Browser, Page } from 'playwright-core';
import { openPage, type WatchedPage } from '#test/support/browser.ts';
import { type Desk, signIn } from '#test/support/desk.ts';

/** Runs in the page before the desk; the clock that a test sets does not reach these. */
const keepClock = `
  const now = performance.now.bind(performance);
  const frame = requestAnimationFrame.bind(window);
  const until = (isDrawn) => new Promise((settle) => {
    const look = () => (isDrawn() ? frame(() => settle(now())) : frame(look));
    look();
  });
  const entries = performance.getEntriesByType.bind(performance);
  window.untilDrawn = until;
  window.answeredAt = (part) => Math.max(
    ...entries('resource').filter(({ name }) => name.includes(part)).map(({ responseEnd }) => responseEnd),
  );
  window.timeOf = async (act, isDrawn) => {
    const from = now();
    act();
    return (await until(isDrawn)) - from;
  };`;

/** A page of the desk, signed in, whose time is that of the API. */
export async function openTimedDesk(browser: Browser, desk: Desk): Promise<WatchedPage> {
  const watched = await openPage(browser, { width: 1_360 });
  await watched.page.context().addInitScript(keepClock);
  await watched.page.clock.install({ time: desk.api.clock.now });
  await signIn(watched.page.context(), desk, desk.api.ann.key);
  return watched;
}

/** Milliseconds from the navigation until `isDrawn`, an expression, is true and its frame is done. */
export async function msToOpen(page: Page, address: string, isDrawn: string): Promise<number> {
  // Another address of the same page would be no navigation.
  await page.goto('about:blank');
  await page.goto(address);
  return page.evaluate<number>(`untilDrawn(() => ${isDrawn})`);
}

/** Milliseconds from the statement `act`, such as a click, until `isDrawn` is true and its frame is done. */
export function msToAct(page: Page, act: string, isDrawn: string): Promise<number> {
  return page.evaluate<number>(`timeOf(() => { ${act} }, () => ${isDrawn})`);
}

/** When the last answer whose address contains a text was there, milliseconds since the navigation. */
export function answeredAt(page: Page, part: string): Promise<number> {
  return page.evaluate<number>(`answeredAt(${JSON.stringify(part)})`);
}
