import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleMessages } from '#test/support/messages.ts';
import { useBrowser } from '#test/support/worker-browser.ts';
import { mailPictures } from './mails.ts';
import { draw } from './picture.ts';
import { composeSamples } from './samples.ts';
import { createWorld, type World } from './world.ts';

const worker = useBrowser();
let world: World;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'getin-pictures-'));
  world = await createWorld();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the pictures of mails', () => {
  it('show each kind of message, at two widths and in both colors', async () => {
    const { pictures } = mailPictures(await composeSamples(world));
    expect(pictures.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(sampleMessages)),
    );
    const [drawn] = pictures.filter(({ name }) => name === 'confirmation');
    expect(drawn && (await draw(worker.browser, folder, drawn))).toEqual([]);
    const files = readdirSync(folder).toSorted();
    expect(files).toEqual([
      'confirmation-375-dark.png',
      'confirmation-375-light.png',
      'confirmation-640-dark.png',
      'confirmation-640-light.png',
    ]);
    const widths = files.map((file) => readFileSync(join(folder, file)).readUInt32BE(16));
    expect(widths).toEqual([375, 375, 640, 640]);
  });

  it('are told from what a page complains about', async () => {
    const broken = {
      name: 'broken',
      looks: [{ width: 100, scheme: 'dark' as const }],
      show: (page: Page) => page.setContent("<script>throw new Error('no price')</script>"),
    };
    expect(await draw(worker.browser, folder, broken)).toEqual([
      `${join(folder, 'broken-100-dark.png')}: Error: no price`,
    ]);
  });
});
