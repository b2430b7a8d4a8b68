import { describe, expect, it } from 'vitest';
import { violationsOf } from './axe.ts';
import { openPage } from './browser.ts';
import { useBrowser } from './worker-browser.ts';

describe('the browser of the tests', () => {
  const worker = useBrowser();

  it('shows a page as wide and as dark as the test wants it', async () => {
    const { page, complaints, close } = await openPage(worker.browser, {
      width: 375,
      scheme: 'dark',
    });
    await page.setContent(
      '<style>@media (width: 375px) and (prefers-color-scheme: dark) { p { width: 7px } }</style><p>',
    );
    expect((await page.locator('p').boundingBox())?.width).toBe(7);
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows the signs of our messages in fonts that npm brings, also on a bare machine', async () => {
    const { page, close } = await openPage(worker.browser);
    await page.setContent(
      '<p style="font-family: system-ui, sans-serif">$74 ▼ 18%, ▲ ▁▂▃▄▅▆▇█</p>',
    );
    const tools = await page.context().newCDPSession(page);
    await tools.send('DOM.enable');
    await tools.send('CSS.enable');
    const { root } = await tools.send('DOM.getDocument');
    const { nodeId } = await tools.send('DOM.querySelector', {
      ...{ nodeId: root.nodeId, selector: 'p' },
    });
    const { fonts } = await tools.send('CSS.getPlatformFontsForNode', { nodeId });
    const families = fonts.map(({ familyName }) => familyName).toSorted();
    expect(families).toEqual(['Noto Sans Symbols 2', 'Open Sans']);
    await close();
  });

  it('says which rules of WCAG a page breaks', async () => {
    const { page, close } = await openPage(worker.browser);
    await page.setContent(
      '<html lang="en"><title>Getin</title><main><h1>Price</h1><p style="color: #999">soft</p><input>',
    );
    expect(await violationsOf(page)).toEqual([
      expect.stringContaining('color-contrast: <p style="color: #999">soft</p>'),
      expect.stringContaining('label: <input>'),
    ]);
    await close();
  });

  it('keeps what a page complains about, such as an error or a refusal of its policy', async () => {
    const { page, complaints, close } = await openPage(worker.browser);
    await page.setContent(
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">
      <img src="data:image/png,"><script>throw new Error('no price')</script>`,
    );
    await expect.poll(() => complaints.length, { timeout: 30_000 }).toBe(2);
    expect(complaints.toSorted()).toEqual([
      'Error: no price',
      expect.stringContaining('violates the following Content Security Policy directive'),
    ]);
    await close();
  });
});
