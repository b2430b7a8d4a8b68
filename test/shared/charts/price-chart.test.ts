// The picture of a chart.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartSvg } from '#shared/charts/price-chart.ts';
import { escapeText } from '#shared/charts/svg-text.ts';
import { chartThemes } from '#shared/charts/themes.ts';
import { aChart, arbitraryChart, typicalCharts, valuesEvery } from '#test/support/charts.ts';

/** The picture, an element a line. */
function drawn(svg: string | undefined): string {
  return `${svg?.replaceAll('><', '>\n<')}\n`;
}

describe('the picture of a chart', () => {
  const cases = Object.keys(typicalCharts).flatMap((name) =>
    chartThemes.map((theme) => [name, theme] as const),
  );
  it.each(cases)('of the kind %s, %s, is as its golden file', async (name, theme) => {
    const facts = typicalCharts[name];
    const svg = facts && chartSvg(facts, theme);
    await expect(drawn(svg)).toMatchFileSnapshot(`golden/${name}-${theme}.svg`);
  });

  it('is missing for fewer than two points', () => {
    expect(chartSvg(aChart([[0, 9_000]]), 'light')).toBeUndefined();
    expect(chartSvg(aChart([]), 'light')).toBeUndefined();
  });

  it('has names from the market as text', () => {
    const title = 'Get-in, <script>alert("1")</script> & \u0000\ud800';
    const svg = chartSvg(aChart(valuesEvery(60_000, [90, 80]), { title }), 'light');
    expect(svg).toContain(
      'aria-label="Get-in, &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \ufffd of the last minute',
    );
    expect(svg).not.toContain('<script');
  });

  it('names one font', () => {
    for (const facts of Object.values(typicalCharts)) {
      const fonts = chartSvg(facts, 'light')?.match(/font-family="[^"]*"/g);
      expect(fonts).toEqual(['font-family="Inter"']);
    }
  });

  it('keeps a far level from pressing the values flat', () => {
    const points = valuesEvery(3_600_000, [9_000, 8_000, 9_500]);
    const level = { value: 100_000, label: '$1,000', words: 'Your level: $1,000' };
    const svg = chartSvg(aChart(points, { level }), 'light');
    expect(svg).not.toContain('stroke-dasharray');
    expect(svg).toContain('Your level: $1,000.');
  });

  it('lies within its frame, for any values', () => {
    fc.assert(
      fc.property(arbitraryChart, fc.constantFrom(...chartThemes), (facts, theme) => {
        const svg = chartSvg(facts, theme) ?? '';
        const [, path = ''] = /<path d="(M[^"]*)" fill="none"/.exec(svg) ?? [];
        const [xs, ys] = [coordinates(path, /[MH]([\d.-]+)/g), coordinates(path, /[V ]([\d.-]+)/g)];
        expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...xs)).toBeLessThanOrEqual(512);
        expect(Math.min(...ys)).toBeGreaterThanOrEqual(20);
        expect(Math.max(...ys)).toBeLessThanOrEqual(110);
        const texts = [...svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"/g)];
        for (const [, x, y] of texts) {
          expect(Number(x)).toBeGreaterThanOrEqual(0);
          expect(Number(x)).toBeLessThanOrEqual(512);
          expect(Number(y)).toBeGreaterThanOrEqual(10);
          expect(Number(y)).toBeLessThanOrEqual(150);
        }
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      }),
    );
  });
});

describe('text in a picture', () => {
  it('never becomes markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeText(text)).toMatch(/^(?:[^<>"&\p{Cc}]|&(?:lt|gt|quot|amp);)*$/u);
      }),
    );
  });
});

function coordinates(path: string, each: RegExp): number[] {
  return [...path.matchAll(each)].map(([, number]) => Number(number));
}
