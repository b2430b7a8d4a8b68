/** The pages behind the links of messages, in each of their states, and the pages after each press. */

import { formsIn } from '#test/support/link-forms.ts';
import { pageAddresses } from '../pictures/pages.ts';
import { composeSamples } from '../pictures/samples.ts';
import { createWorld } from '../pictures/world.ts';

/** The HTML of each page, by its name. */
export async function linkPages(): Promise<Map<string, string>> {
  const world = await createWorld();
  try {
    const addresses = Object.entries(await pageAddresses(world, await composeSamples(world)));
    const pages = new Map<string, string>();
    for (const [name, address] of addresses) {
      pages.set(name, await (await fetch(address)).text());
    }
    for (const [name, address] of addresses) {
      for (const { act, fields } of formsIn(pages.get(name) ?? '')) {
        const pressed = await fetch(address, { method: 'POST', body: new URLSearchParams(fields) });
        pages.set(`${name}, after ${act}`, await pressed.text());
      }
    }
    return pages;
  } finally {
    await world.stop();
  }
}
