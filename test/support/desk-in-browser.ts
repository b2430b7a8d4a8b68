// What every test of the desk in a browser needs: hooks that start and stop the desk, one page that the tests of
// a file share, and the check after each test that the browser has complained of nothing.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Look, openPage, type WatchedPage } from './browser.ts';
import { type Desk, signIn, startDesk } from './desk.ts';
import { useBrowser } from './worker-browser.ts';

const wide = { width: 1_360, height: 800 } as const;

interface Options {
  /** What `open` opens when it is told nothing. @default /board */
  address?: string;
  /** A desk that all tests of the file share, or for each test an empty one. @default file */
  per?: 'file' | 'test';
  /** @default `startDesk` */
  start?: () => Promise<Desk>;
}

export interface DeskInBrowser {
  readonly desk: Desk;
  /** Opens an address in the shared page, wide and light, signed in. @param key that of Ann, if left out */
  open(address?: string, key?: string): Promise<Page>;
  /** Empties the shared page, so that it asks nothing more; the hooks do so after each test. */
  leave(): Promise<void>;
  /** A second page, with its own cookies, where nobody is signed in. The hooks close it after the test. */
  openAnother(look?: Look): Promise<Page>;
  /** The test expects what the browser has complained of so far, such as an answer of 404. */
  forgetComplaints(): void;
}

/** Registers the hooks of the file; to be called at its top. */
export function deskInBrowser(options: Options = {}): DeskInBrowser {
  const { address = '/board', per = 'file', start = startDesk } = options;
  const running: { desk?: Desk } = {};
  const started = () => running.desk ?? expect.fail('The desk starts in a hook.');
  const desk: Desk = {
    get api() {
      return started().api;
    },
    get url() {
      return started().url;
    },
    stop: () => started().stop(),
  };
  const { takeComplaints, closeOthers, closeAll, ...pages } = createPages(desk, address);
  const startOne = async () => {
    running.desk = await start();
  };
  if (per === 'file') beforeAll(startOne);
  else beforeEach(startOne);
  afterEach(async () => {
    // The page leaves before the desk stops, and asks nothing during the next test.
    await pages.leave();
    const complaints = takeComplaints();
    await closeOthers();
    if (per === 'test') await desk.stop();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await closeAll();
    if (per === 'file') await running.desk?.stop();
  });
  return { desk, ...pages };
}

/** The shared page, made when a test first opens it, and the other pages of the present test. */
function createPages(desk: Desk, usual: string) {
  const worker = useBrowser();
  const others: WatchedPage[] = [];
  let shared: WatchedPage | undefined;
  const every = () => [...(shared ? [shared] : []), ...others];
  const takeComplaints = () => every().flatMap(({ complaints }) => complaints.splice(0));
  const closeOthers = () => Promise.all(others.splice(0).map((watched) => watched.close()));

  async function newPage(look: Look = wide): Promise<WatchedPage> {
    const watched = await openPage(worker.browser, look);
    await watched.page.clock.install({ time: desk.api.clock.now });
    return watched;
  }

  return {
    async open(address = usual, key = desk.api.ann.key): Promise<Page> {
      shared ??= await newPage();
      const { page } = shared;
      await page.setViewportSize(wide);
      await page.clock.setSystemTime(desk.api.clock.now);
      await signIn(page.context(), desk, key);
      await page.goto(`${desk.url}/console${address}`);
      return page;
    },
    async leave(): Promise<void> {
      await shared?.page.goto('about:blank');
    },
    async openAnother(look?: Look): Promise<Page> {
      const watched = await newPage(look);
      others.push(watched);
      return watched.page;
    },
    forgetComplaints(): void {
      takeComplaints();
    },
    takeComplaints,
    closeOthers,
    async closeAll(): Promise<void> {
      await closeOthers();
      await shared?.close();
    },
  };
}

/** A button by its whole name. */
export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** The notes at the bottom of the page. */
export const toast = (page: Page): Locator => page.locator('.toast');
