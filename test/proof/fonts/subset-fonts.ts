// The fonts of the chart's pictures: the few characters that they show, from Inter, as TrueType, because the
// renderer does not read web fonts.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

/** ASCII's visible characters and the space: digits, letters, money, percent. */
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
/** The dashes, quotes and dots that words in a picture may have. */
const typographic = '−–…·’“”';

/** The file of each weight in functions/chart/files. */
export const fontFiles = { 400: 'inter-regular.ttf', 600: 'inter-semibold.ttf' } as const;
export type FontWeight = keyof typeof fontFiles;

const { resolve } = createRequire(import.meta.url);

/** Font names that the renderer needs to tell the weights apart, and the licence's. */
const namesKept = [13, 14, 16, 17];

/** The font of a weight as the function has it. Kerning stays; hints are for screens of little resolution. */
export async function subsetOf(weight: FontWeight): Promise<Buffer> {
  const whole = resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`);
  return subsetFont(await readFile(whole), `${ascii}${typographic}`, {
    targetFormat: 'sfnt',
    preserveNameIds: namesKept,
    keepFeatures: ['kern'],
    noHinting: true,
    dropTables: ['STAT', 'gasp', 'prep'],
  });
}

/** Inter's licence, which every copy of the font must have beside it. */
export function licenceText(): Promise<string> {
  return readFile(resolve('@fontsource/inter/LICENSE'), 'utf8');
}
