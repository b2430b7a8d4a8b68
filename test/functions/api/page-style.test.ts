// The colours of the pages behind links can be read, light and dark.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderLinkPage } from '#functions/api/links/link-page.ts';
import { pageColours, pagePolicy, pageStyle } from '#functions/api/links/page-style.ts';
import { contrast } from '#test/support/contrast.ts';

type Colour = keyof typeof pageColours.light;

it('the contrast of black on white is 21, and that of #777777 on white 4.48', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each(['light', 'dark'] as const)('on a %s page', (scheme) => {
  const colours = pageColours[scheme];

  it.each<[Colour, Colour]>([
    ['ink', 'paper'],
    ['ink', 'surface'],
    ['muted', 'surface'],
    ['accent-ink', 'accent'],
    ['fall', 'surface'],
    ['rise', 'surface'],
    ['muted', 'paper'],
    ['alarm', 'alarm-soft'],
    ['wait', 'wait-soft'],
  ])('text in %s on %s has a contrast of 4.5 or more', (text, ground) => {
    expect(contrast(colours[text], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each<[Colour, Colour]>([
    ['edge', 'surface'],
    ['accent', 'surface'],
    ['accent', 'paper'],
    ['alarm', 'surface'],
  ])('the edge of a field or a button in %s on %s has a contrast of 3 or more', (edge, ground) => {
    expect(contrast(colours[edge], colours[ground])).toBeGreaterThanOrEqual(3);
  });
});

it('the style uses no colour but the declared ones', () => {
  const rules = pageStyle.text.replace(/^:root .*$/m, '').replace(/^@media \(prefers.*$/m, '');
  const used = [...rules.matchAll(/var\(--([a-z-]+)\)/g)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(pageColours.light)));
  expect(Object.keys(pageColours.dark)).toEqual(Object.keys(pageColours.light));
  expect(rules.replaceAll(/#0000|#000\b/g, '')).not.toMatch(/#[0-9a-f]{3,8}\b|rgb|hsl/i);
});

it('the policy allows the style of the page, byte by byte', () => {
  const page = renderLinkPage({ title: 'Stopped', lines: [], presses: [] });
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  expect(pagePolicy).toContain(`style-src 'sha256-${digest}'`);
});
