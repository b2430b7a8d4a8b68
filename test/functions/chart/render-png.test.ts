// The pictures of charts as PNG: small, with all words drawn in our font.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadRenderer } from '#functions/chart/render-png.ts';
import { chartSvg } from '#shared/charts/price-chart.ts';
import { fontFamily, textElement, textWidth } from '#shared/charts/svg-text.ts';
import { chartThemes } from '#shared/charts/themes.ts';
import { fontFiles, licenceText, subsetOf } from '#test/proof/fonts/subset-fonts.ts';
import { arbitraryChart, typicalCharts } from '#test/support/charts.ts';

const renderPng = await loadRenderer();
const mostBytes = 60_000;

describe('the picture of a chart', () => {
  it.each(Object.entries(typicalCharts))('of the kind %s is under 60 KB', (_name, facts) => {
    for (const theme of chartThemes) {
      const bytes = renderPng(chartSvg(facts, theme) ?? '').length;
      expect(bytes).toBeGreaterThan(5_000);
      expect(bytes).toBeLessThan(mostBytes);
    }
  });

  it('is under 60 KB for any values', () => {
    fc.assert(
      fc.property(arbitraryChart, fc.constantFrom(...chartThemes), (facts, theme) => {
        expect(renderPng(chartSvg(facts, theme) ?? '').length).toBeLessThan(mostBytes);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the words in a picture', () => {
  const size = 20;

  /** A narrow picture with only these words, which begin at a place that may be left of it. */
  function pictureOf(text: string, weight: 400 | 600, x = 0): Uint8Array {
    const word = textElement({ text, x, y: 25, anchor: 'start', size, weight, color: '#000' });
    const frame = 'xmlns="http://www.w3.org/2000/svg" width="60" height="40"';
    return renderPng(`<svg ${frame} font-family="${fontFamily}">${word}</svg>`);
  }

  const visible = [
    ...'!"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~−–…·’“”',
  ];

  it.each([400, 600] as const)('of weight %d have every character that they may need', (weight) => {
    const empty = pictureOf(' ', weight);
    // A character that the font lacks, such as this snowman, is left out.
    expect(pictureOf('☃', weight)).toEqual(empty);
    const undrawn = visible.filter((char) => Buffer.compare(pictureOf(char, weight), empty) === 0);
    expect(undrawn).toEqual([]);
  });

  it('are bolder with a larger weight', () => {
    expect(pictureOf('$118', 600)).not.toEqual(pictureOf('$118', 400));
  });

  it.each([400, 600] as const)('of weight %d are no wider than assumed', (weight) => {
    const wider = visible.filter((char) => {
      const text = char.repeat(10);
      return isDrawnBeyond(text, weight, textWidth(text, { size }));
    });
    expect(wider).toEqual([]);
  });

  it.each(['$118', '$1,234.50', 'Nov 28', '2:30 PM', '$106.25 (15% below $125)', '12,345'])(
    '"%s" is little narrower than assumed',
    (text) => {
      expect(isDrawnBeyond(text, 600, 0.75 * textWidth(text, { size }))).toBe(true);
    },
  );

  /** Whether anything of words from 0 is drawn to the right of a place. */
  function isDrawnBeyond(text: string, weight: 400 | 600, place: number): boolean {
    return Buffer.compare(pictureOf(text, weight, -place), pictureOf('', weight, 0)) !== 0;
  }
});

describe('the fonts of the pictures', () => {
  const folder = new URL('../../../functions/chart/files/', import.meta.url);

  it('are those that the program makes, with their licence', async () => {
    for (const weight of [400, 600] as const) {
      const stored = readFileSync(new URL(fontFiles[weight], folder));
      expect(stored.equals(await subsetOf(weight))).toBe(true);
    }
    expect(readFileSync(new URL('inter-licence.txt', folder), 'utf8')).toBe(await licenceText());
  });
});
