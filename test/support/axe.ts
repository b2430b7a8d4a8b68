// What axe-core finds wrong with a page for people who use it otherwise than by mouse and eye.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** Each violation with the elements that have it; empty for a page without any. @param rules only these of axe's rules */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page's policy allows no foreign script, so the debugger runs it.
  const client = await page.context().newCDPSession(page);
  const run = async (expression: string) => {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    return (await client.send('Runtime.evaluate', asked)).result.value;
  };
  if ((await run('typeof axe')) === 'undefined') await run(`${source}; 0`);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const results = await run(`axe.run(document, ${JSON.stringify(options)}).then(JSON.stringify)`);
  await client.detach();
  const { violations } = JSON.parse(String(results)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

const looks = [
  { name: 'wide', width: 1_360, colorScheme: 'light', rules: undefined },
  { name: 'phone', width: 375, colorScheme: 'light', rules: undefined },
  // Only the colors differ from the wide page.
  { name: 'dark', width: 1_360, colorScheme: 'dark', rules: ['color-contrast'] },
] as const;

/** What is wrong with a page wide, on a phone and in the dark: violations, and content that is wider than the screen. */
export async function faultsOfLooks(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, width, colorScheme, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await violationsOf(page, rules)).map((fault) => `${name}: ${fault}`));
    const over = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (over !== 0) faults.push(`${name}: ${over} pixels too wide`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}
