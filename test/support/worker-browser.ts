// One browser for all test files of a worker: started by the first that needs it, closed with the worker.
import type { Browser } from 'playwright-core';
import { test } from 'vitest';
import { startBrowser } from './browser.ts';

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads there which other fixtures it needs: none
const withBrowser = test.extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const browser = await startBrowser();
  onCleanup(() => browser.close());
  return browser;
});

/** Registers a hook of the file. The browser is there when the file's own hooks run; a test closes its pages only. */
export function useBrowser(): { readonly browser: Browser } {
  const found: { browser?: Browser } = {};
  withBrowser.beforeAll(({ browser }) => {
    found.browser = browser;
  });
  return {
    get browser() {
      if (!found.browser) throw new Error('The browser is there when the hooks have run.');
      return found.browser;
    },
  };
}
