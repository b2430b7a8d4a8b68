// A headless browser for the tests of a file or a program: started once, closed after.
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** It may load nothing by itself, and the tests run in containers, where its sandbox can't. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser; it ends with `close`, or with this process. */
export async function startBrowser(): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, ...env } });
}

export interface Look {
  /** In CSS pixels. @default 1,000 */
  width?: number;
  /** @default 800 */
  height?: number;
  /** @default light */
  scheme?: 'light' | 'dark';
  /** Device pixels for each CSS pixel. @default 1 */
  density?: number;
}

/** A page, and what it and the pages that it opens complain about: scripts' errors, refusals of a
 * Content-Security-Policy, requests that fail. */
export interface WatchedPage {
  page: Page;
  complaints: string[];
  /** Closes the page and all that it opened. */
  close(): Promise<void>;
}

/** Opens an empty page in a context of its own, without cookies or storage of other pages. */
export async function openPage(browser: Browser, look: Look = {}): Promise<WatchedPage> {
  const { width = 1_000, height = 800, scheme = 'light', density = 1 } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    deviceScaleFactor: density,
    // The same picture on every machine.
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const complaints: string[] = [];
  context.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
  });
  context.on('weberror', (thrown) => complaints.push(String(thrown.error())));
  return { page: await context.newPage(), complaints, close: () => context.close() };
}
