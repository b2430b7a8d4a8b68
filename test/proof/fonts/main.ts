/**
 * Writes the fonts of the chart's pictures, and their licence, from the package of Inter:
 *
 *   node test/proof/fonts/main.ts
 */
import { writeFile } from 'node:fs/promises';
import { type FontWeight, fontFiles, licenceText, subsetOf } from './subset-fonts.ts';

const folder = new URL('../../../functions/chart/files/', import.meta.url);
for (const [weight, file] of Object.entries(fontFiles)) {
  const font = await subsetOf(Number(weight) as FontWeight);
  await writeFile(new URL(file, folder), font);
  console.log(`${file}: ${font.length} bytes`);
}
await writeFile(new URL('inter-licence.txt', folder), await licenceText());
