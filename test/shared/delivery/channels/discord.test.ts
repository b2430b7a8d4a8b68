// A message as a Discord embed: its form, its limits, and names that would mention or mask.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discordUrl, renderDiscord } from '#shared/delivery/channels/discord.ts';
import { hostileNames } from '#test/support/alerts.ts';
import { messageNaming } from '#test/support/messages.ts';

interface Embed {
  title: string;
  description: string;
  fields: { name: string; value: string }[];
}
interface Body {
  allowed_mentions: { parse: string[] };
  embeds: Embed[];
}

const read = (body: string) => JSON.parse(body) as Body;

function textsOf({ title, description, fields }: Embed): string[] {
  return [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
}

function expectWithinLimits(body: string): void {
  const { embeds } = read(body);
  expect(embeds.length).toBeLessThanOrEqual(10);
  let total = 0;
  for (const embed of embeds) {
    expect(embed.title.length).toBeLessThanOrEqual(256);
    expect(embed.description.length).toBeLessThanOrEqual(4_096);
    expect(embed.fields.length).toBeLessThanOrEqual(25);
    for (const { name, value } of embed.fields) {
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeLessThanOrEqual(1_024);
      expect(value.length).toBeGreaterThan(0);
    }
    total += textsOf(embed).join('').length;
    for (const text of textsOf(embed)) expect(text.isWellFormed()).toBe(true);
  }
  expect(total).toBeLessThanOrEqual(6_000);
}

describe.each(hostileNames.map((name) => [name.slice(0, 40), name]))('the name %j', (_, name) => {
  it.each([1, 40])('stays text within the limits, in a message of %i', (count) => {
    const body = renderDiscord(messageNaming(name, count));
    expectWithinLimits(body);
    expect(read(body).allowed_mentions).toEqual({ parse: [] });
    const own = /\[[^\]]*\]\(https:\/\/getin\.example\/[^)]*\)/g;
    for (const text of read(body).embeds.flatMap(textsOf)) {
      expect(text.replace(own, '')).not.toMatch(/(?<!\\)[*_~`|<>[\]#@]|https?:\/\//);
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\r]/);
    }
  });
});

describe('the limits', () => {
  it('hold for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.nat(6),
        fc.constantFrom(1, 2, 40),
        (part, times, count) => {
          expectWithinLimits(renderDiscord(messageNaming(part.repeat(2 ** times), count)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('drop alerts from the bottom of a digest and say how many', () => {
    const [embed] = read(renderDiscord(messageNaming('*'.repeat(100), 40))).embeds;
    expect(embed?.description).toMatch(/\nand \d+ more\n/);
  });
});

it('posts with wait, and keeps the thread that the address names', () => {
  expect(discordUrl('https://discord.com/api/webhooks/1/token?thread_id=7')).toBe(
    'https://discord.com/api/webhooks/1/token?thread_id=7&wait=true',
  );
});
