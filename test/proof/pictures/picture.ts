// A picture: what it shows, how wide and in which colors, and how it becomes a file.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Look, openPage } from '#test/support/browser.ts';

/** Larger ones are too heavy for a README. */
const mostBytes = 150_000;

export interface Picture {
  /** Of its subject; the file's name begins with it. */
  name: string;
  looks: readonly Look[];
  /** Brings the page to what is drawn. */
  show(page: Page): Promise<unknown>;
  /** In CSS pixels. @default as high as the page */
  height?: number;
  /** Complaints that drawing causes, and that people don't see. @default none */
  ignored?: RegExp;
}

/** A group of pictures, and the folder of their files. */
export interface Subject {
  name: string;
  pictures: readonly Picture[];
}

/** A mail program's column and a phone, each in both colors. */
export const mailLooks: readonly Look[] = [640, 375].flatMap((width) => [
  { width, scheme: 'light' as const },
  { width, scheme: 'dark' as const },
]);

/** `level-640-dark.png` */
function fileOf({ name }: Picture, { width, scheme }: Look): string {
  return `${name}-${width}-${scheme}.png`;
}

/**
 * Draws a picture in each of its looks.
 * @returns what is wrong with them: complaints of the page, too many bytes.
 */
export async function draw(browser: Browser, folder: string, picture: Picture): Promise<string[]> {
  const { height, ignored } = picture;
  const faults: string[] = [];
  for (const look of picture.looks) {
    const file = join(folder, fileOf(picture, look));
    mkdirSync(dirname(file), { recursive: true });
    const { page, complaints, close } = await openPage(browser, { height: height ?? 100, ...look });
    await picture.show(page);
    await page.screenshot({ path: file, fullPage: height === undefined, animations: 'disabled' });
    await close();
    const told = complaints.filter((complaint) => !ignored?.test(complaint));
    faults.push(...told.map((complaint) => `${file}: ${complaint}`));
    const { size } = statSync(file);
    if (size > mostBytes) faults.push(`${file} has ${size} bytes, more than ${mostBytes}.`);
  }
  return faults;
}
