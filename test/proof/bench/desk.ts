/**
 * The desk: what a browser loads, how soon a board of 1,000 watches and a chart of 90 days are drawn, and what the board
 * asks while nobody does anything. Real pages and the real API; each request to the tables takes as long as in AWS. The
 * peer is the same browser with the same rows and the same drawing as plain HTML.
 *
 *   node test/proof/bench/desk.ts [--quick]
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { openPage, startBrowser } from '#test/support/browser.ts';
import { builtDesk, startDesk } from '#test/support/desk.ts';
import { storeWatch } from '#test/support/many-watches.ts';
import { median } from '#test/support/quantile.ts';
import { rememberReads } from '#test/support/remembered-reads.ts';
import { chartDays, storeChartEvent } from './desk/chart-event.ts';
import { answeredAt, msToAct, msToOpen, openTimedDesk } from './desk/drawn.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const watches = flags.quick ? 300 : 1_000;
const rounds = flags.quick ? 5 : 11;
const idleSeconds = 60;
const chartEvent = 4_711_000;

const desk = await startDesk({}, (_, { client, names }) =>
  openStores(gatherReads(rememberReads(client)), names, everyStore),
);
const { ownerId, channelId } = desk.api.ann;
// The event of the chart has one watch more.
for (let n = 1; n < watches; n += 1) await storeWatch(desk.api.stores, { ownerId, channelId, n });
await storeChartEvent(desk.api, chartEvent);
const browser = await startBrowser();
const opened = await openTimedDesk(browser, desk);
const { page } = opened;

const allRows = `document.querySelectorAll('.board tbody tr').length >= ${watches}`;
const opens = (isDrawn: string) =>
  inRounds(async () => {
    const whole = await msToOpen(page, `${desk.url}/console/board`, isDrawn);
    return { whole, drawing: whole - (await answeredAt(page, '/v1/watches?')) };
  });
const screen = await opens(`document.querySelector('.board tbody tr')`);
const board = await opens(allRows);
const rows = await page.evaluate<string>('document.querySelector(".board").outerHTML');
const steps = await keySteps();
const requests = await idleRequests(page);

const eventAddress = `${desk.url}/console/events/${chartEvent}`;
const chart = await inRounds(async () => {
  const whole = await msToOpen(page, `${eventAddress}?range=all`, lineOf('all'));
  return { whole, drawing: whole - (await answeredAt(page, '/series?')) };
});
const drawn = await page.evaluate<string>('document.querySelector(".chart").outerHTML');
/** Back from the board, which needs no scripts and no session any more. */
const within = await inRounds(async () => {
  await msToAct(page, `document.querySelector('.crumbs a').click()`, allRows);
  return { whole: await msToAct(page, 'history.back()', lineOf('all')) };
});
const click = await inRounds(async () => {
  await msToAct(page, press('30 d'), lineOf('30 d'));
  return { whole: await msToAct(page, press('all'), lineOf('all')) };
});
const plain = { board: await plainMs(rows), chart: await plainMs(drawn) };
await opened.close();
await browser.close();
await desk.stop();

const bytes = [...builtDesk().assets]
  .filter(([name]) => /\.(js|css)$/.test(name))
  .reduce((sum, [, file]) => sum + gzipSync(file.plain).length, 0);
console.table({
  [`board of ${watches} watches, its first screen`]: screen,
  [`board of ${watches} watches`]: { ...board, plain: plain.board },
  'the next row, by j': { whole: steps.step },
  'its selection, by x': { whole: steps.select },
  [`event with a chart of ${chartDays} days`]: { ...chart, plain: plain.chart },
  'the same, opened from the board': within,
  'its chart alone, after a press on "all"': click,
});
console.log(
  `${Math.round(bytes / 100) / 10} KB of scripts and styles, gzipped; ${requests} requests in an idle minute`,
);
console.log(
  JSON.stringify({
    ...{ bench: 'desk', watches, board_ms: board.whole, drawing_ms: board.drawing },
    ...{ screen_ms: screen.drawing, step_ms: steps.step, select_ms: steps.select },
    ...{ plain_ms: plain.board, chart_days: chartDays, chart_page_ms: chart.whole },
    ...{ chart_open_ms: within.whole },
    ...{
      chart_click_ms: click.whole,
      chart_drawing_ms: chart.drawing,
      chart_plain_ms: plain.chart,
    },
    ...{ gzip_bytes: bytes, idle_requests_per_minute: requests },
  }),
);

/** The median of each measured number. The first round fills the memory of the tables' answers. */
async function inRounds<Measured extends Record<string, number>>(
  measure: () => Promise<Measured>,
): Promise<Measured> {
  await measure();
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measure());
  const names = Object.keys(measured[0] ?? {});
  const middle = (name: string) => Math.round(median(measured.map((each) => each[name] ?? 0)));
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Measured;
}

/** How long the board takes for the keys that walk it and select a row. */
async function keySteps() {
  const at = 'document.querySelector(".board tr.at")';
  let row = 0;
  return inRounds(async () => {
    row += 1;
    const step = await msToAct(page, key('j'), `${at}?.dataset.row === '${row}'`);
    return { step, select: await msToAct(page, key('x'), `${at}.classList.contains('chosen')`) };
  });
}

function key(name: string): string {
  return `document.dispatchEvent(new KeyboardEvent('keydown', { key: '${name}' }))`;
}

/** Whether the chart of a range has its main line. */
function lineOf(range: string): string {
  return `document.querySelector('[aria-label$=", ${range}"] .line-of.main')?.getAttribute('d')?.length > 100`;
}

function press(range: string): string {
  return `[...document.querySelectorAll('.seg button')].find((each) => each.textContent === '${range}').click()`;
}

/** The same content as a file: what the browser needs at least. */
async function plainMs(content: string): Promise<number> {
  const watched = await openPage(browser, { width: 1_360 });
  const { whole } = await inRounds(async () => {
    const from = performance.now();
    await watched.page.setContent(`<!doctype html><main>${content}</main>`);
    await watched.page.evaluate('document.body.offsetHeight');
    return { whole: performance.now() - from };
  });
  await watched.close();
  return whole;
}

/** Requests while the board is shown for a minute of the page's clock, which waits for each answer. */
async function idleRequests(shown: Page): Promise<number> {
  const open = new Set<Request>();
  let asked = 0;
  shown.on('request', (request) => {
    asked += 1;
    open.add(request);
  });
  shown.on('requestfinished', (request) => open.delete(request));
  shown.on('requestfailed', (request) => open.delete(request));
  for (let second = 0; second < idleSeconds; second += 1) {
    await shown.clock.runFor(1_000);
    while (open.size > 0) await shown.waitForEvent('requestfinished');
  }
  return asked;
}
