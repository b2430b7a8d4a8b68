/** Microsoft's own library parses the cards of Teams and renders them in a browser. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage, startBrowser } from '#test/support/browser.ts';
import { root } from '../conformance/programs.ts';
import { type MessageCheck, oneByOne, skipped, tryAll } from './check.ts';
import { bodiesOf, type Json } from './samples.ts';

export const cardCheck: MessageCheck = {
  title: 'adaptivecards parses the cards of Teams as version 1.2 and shows all of each',

  async run() {
    const browser = await startBrowser().catch(() => undefined);
    if (!browser) return skipped('no browser');
    try {
      const { page } = await openPage(browser);
      await page.addScriptTag({
        path: join(root, 'node_modules/adaptivecards/dist/adaptivecards.min.js'),
      });
      await page.addScriptTag({ path: join(import.meta.dirname, 'read-card.js') });
      return await tryAll({ right: cardsOfTeams(), wrong, faultsIn: oneByOne(faultsOn(page)) });
    } finally {
      await browser.close();
    }
  },
};

const wrong = new Map([
  ['a card with an unknown element', aCard([{ type: 'Fireworks' }])],
  ['a card with an element of version 1.5', aCard([{ type: 'Table', columns: [{}] }])],
  ['a card with an odd size', aCard([{ type: 'TextBlock', text: 'x', size: 'Odd' }])],
]);

function aCard(body: Json[]): Json {
  return { type: 'AdaptiveCard', version: '1.2', body };
}

function cardsOfTeams(): Map<string, Json> {
  const bodies = [...bodiesOf('teams')];
  return new Map(
    bodies.map(([name, { attachments }]) => {
      const [attachment] = attachments as { content: Json }[];
      if (!attachment) throw new Error(`the message ${name} of Teams has no card`);
      return [name, attachment.content];
    }),
  );
}

/** What `read-card.js` tells of a card. */
interface ReadCard {
  faults: string[];
  text: string;
  buttons: number;
  links: number;
  images: number;
  /** Elements that no card of ours makes. */
  odd: number;
}

function faultsOn(page: Page) {
  return async function faultsOf(card: Json): Promise<string[]> {
    const read = await page.evaluate(
      (given) => (globalThis as unknown as { readCard(card: Json): ReadCard }).readCard(given),
      card,
    );
    const parts = partsOf(card);
    const texts = parts.filter(({ type }) => type === 'TextRun').map(({ text }) => String(text));
    const expected = {
      buttons: Array.isArray(card.actions) ? card.actions.length : 0,
      links: parts.filter(({ selectAction }) => selectAction !== undefined).length,
      images: parts.filter(({ type }) => type === 'Image').length,
      odd: 0,
    };
    return [
      ...read.faults,
      ...texts.filter((text) => !read.text.includes(text)).map((text) => `does not show “${text}”`),
      ...(Object.keys(expected) as (keyof typeof expected)[])
        .filter((kind) => read[kind] !== expected[kind])
        .map((kind) => `shows ${read[kind]} ${kind}, and not ${expected[kind]}`),
    ];
  };
}

/** Every object in a card. */
function partsOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(partsOf)];
}
