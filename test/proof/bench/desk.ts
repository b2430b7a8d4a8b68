/**
 * The desk: what a browser loads, how soon a board of 1,000 watches is drawn, and what it asks while nobody does
 * anything. The peer is the same browser with the same rows as plain HTML.
 *
 *   node test/proof/bench/desk.ts [--quick]
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openPage, startBrowser } from '#test/support/browser.ts';
import { builtDesk, openDesk, startDesk } from '#test/support/desk.ts';
import { storeWatch } from '#test/support/many-watches.ts';
import { median } from '#test/support/quantile.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const watches = flags.quick ? 300 : 1_000;
const rounds = flags.quick ? 3 : 7;
const idleSeconds = 60;

const desk = await startDesk();
const browser = await startBrowser();
const { ownerId, channelId } = desk.api.ann;
for (let n = 1; n <= watches; n += 1) await storeWatch(desk.api.stores, { ownerId, channelId, n });

const opened = await openDesk(browser, desk, { look: { width: 1_360 } });
const { page } = opened;
/** Milliseconds from the navigation until every row is laid out, and from the answer of the API until then. */
async function boardMs(): Promise<{ whole: number; drawing: number }> {
  const from = performance.now();
  const answered = page.waitForResponse('**/v1/watches?*').then(async (response) => {
    await response.finished();
    return performance.now();
  });
  await page.goto(`${desk.url}/console/board`);
  await page
    .locator('.board tbody tr')
    .nth(watches - 1)
    .waitFor();
  await page.evaluate('document.body.offsetHeight');
  const drawnAt = performance.now();
  return { whole: drawnAt - from, drawing: drawnAt - (await answered) };
}

const boards: { whole: number; drawing: number }[] = [];
for (let round = 0; round < rounds; round += 1) boards.push(await boardMs());
const html = await page.evaluate<string>('document.querySelector(".board").outerHTML');
const plain = await plainMs(html);
const requests = await idleRequests(page);
await opened.close();
await browser.close();
await desk.stop();

const bytes = [...builtDesk().assets]
  .filter(([name]) => /\.(js|css)$/.test(name))
  .reduce((sum, [, file]) => sum + gzipSync(file.plain).length, 0);
const whole = Math.round(median(boards.map((board) => board.whole)));
const drawing = Math.round(median(boards.map((board) => board.drawing)));
console.table({
  [`board of ${watches} watches, drawn`]: { ms: whole },
  'of it, after the answer of the API': { ms: drawing },
  'the same rows as plain HTML': { ms: plain },
});
console.log(
  `${Math.round(bytes / 100) / 10} KB of scripts and styles, gzipped; ${requests} requests in an idle minute`,
);
console.log(
  JSON.stringify({
    ...{ bench: 'desk', watches, board_ms: whole, drawing_ms: drawing, plain_ms: plain },
    ...{ gzip_bytes: bytes, idle_requests_per_minute: requests },
  }),
);

/** The rows as a file: what the browser needs at least. */
async function plainMs(rows: string): Promise<number> {
  const watched = await openPage(browser, { width: 1_360 });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await watched.page.setContent(`<!doctype html><main>${rows}</main>`);
    await watched.page.evaluate('document.body.offsetHeight');
    times.push(performance.now() - from);
  }
  await watched.close();
  return Math.round(median(times));
}

/** Requests while the board is shown for a minute of the page's clock. */
async function idleRequests(shown: Page): Promise<number> {
  let requests = 0;
  shown.on('request', () => {
    requests += 1;
  });
  for (let second = 0; second < idleSeconds; second += 1) {
    await shown.clock.runFor(1_000);
    await shown.waitForLoadState('networkidle');
  }
  return requests;
}
