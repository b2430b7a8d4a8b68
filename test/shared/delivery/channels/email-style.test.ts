// The colours of mails can be read, light and dark (A20).
import { describe, expect, it } from 'vitest';
import { lookOf, mailStyles } from '#shared/delivery/channels/email-style.ts';
import { contrast } from '#test/support/contrast.ts';

const colourIn = (css: string) => /(?:^|[;\s"])color:\s*(#[0-9a-f]{6})/.exec(css)?.[1] ?? '';
const groundIn = (css: string) => /background:\s*(#[0-9a-f]{6})/.exec(css)?.[1] ?? '';
const light = (...look: Parameters<typeof lookOf>) => lookOf(...look).text;
const [, darkRules = ''] = mailStyles.text.split('(prefers-color-scheme: dark)');
const dark = (part: string) =>
  [...darkRules.matchAll(/^ *([^{]+) \{([^}]+)\}/gm)]
    .filter(([, names = '']) => names.split(', ').includes(`.${part}`))
    .map(([, , css = '']) => css)
    .join(' ');

const onCard = [
  'place',
  'title',
  'soft',
  'big',
  'lead',
  'label',
  'acts',
  'link',
  'second',
] as const;

describe('the text of a mail has a contrast of 4.5 or more', () => {
  it.each(onCard)('%s', (part) => {
    expect(contrast(colourIn(light(part)), groundIn(light('card')))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colourIn(dark(part)), groundIn(dark('card')))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['fall', 'rise', 'flat'] as const)('%s', (way) => {
    const [, colour = ''] = /.*color:(#[0-9a-f]{6})/.exec(light('detail', way)) ?? [];
    expect(contrast(colour, groundIn(light('card')))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colourIn(dark(way)), groundIn(dark('card')))).toBeGreaterThanOrEqual(4.5);
  });

  it('button', () => {
    for (const css of [light('button'), dark('button')]) {
      expect(contrast(colourIn(css), groundIn(css))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('foot', () => {
    expect(contrast(colourIn(light('foot')), groundIn(light('page')))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colourIn(dark('foot')), groundIn(dark('page')))).toBeGreaterThanOrEqual(4.5);
  });
});
