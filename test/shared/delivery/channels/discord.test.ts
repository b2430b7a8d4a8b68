// A message as a Discord embed: its form, its limits, and names that would mention or mask.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discordForm, discordUrl } from '#shared/delivery/channels/discord.ts';
import { renderDiscord } from '#shared/delivery/channels/discord-embed.ts';
import { hostileNames } from '#test/support/alerts.ts';
import { messageNaming } from '#test/support/messages.ts';

interface Embed {
  title: string;
  description: string;
  fields: { name: string; value: string }[];
  footer?: { text: string };
}
interface Body {
  allowed_mentions: { parse: string[] };
  embeds: Embed[];
  components: { type: 1; components: { type: 2; style: 5; label: string; url: string }[] }[];
}

const read = (body: string) => JSON.parse(body) as Body;

function textsOf({ title, description, fields, footer }: Embed): string[] {
  return [
    title,
    description,
    footer?.text ?? '',
    ...fields.flatMap(({ name, value }) => [name, value]),
  ];
}

function expectWithinLimits(body: string): void {
  const { embeds, components } = read(body);
  expect(components.length).toBeLessThanOrEqual(5);
  for (const { components: buttons } of components) {
    expect(buttons.length).toBeLessThanOrEqual(5);
    for (const { label, url } of buttons) {
      expect(label.length).toBeLessThanOrEqual(80);
      expect(url.length).toBeLessThanOrEqual(512);
    }
  }
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
    const own = /\[(\*\*\$74 ▼ 18%\*\*|and \d+ more)\]\(https:\/\/getin\.example\/[^)]*\)/g;
    // The name of an event is a line of its own.
    const ownBold = /^\*\*|\*\*$/gm;
    for (const text of read(body).embeds.flatMap(textsOf)) {
      const foreign = text.replaceAll(own, '').replaceAll(ownBold, '');
      expect(foreign).not.toMatch(/(?<!\\)(\\\\)*[*_~`|<>[\]#@:]|https?:\/\//);
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
    expect(embed?.description).toMatch(
      /\n\[and \d+ more\]\(https:\/\/getin\.example\/l\/token\?do=alerts\)$/,
    );
  });
});

it('posts with wait and with components, and keeps the thread that the address names', () => {
  expect(discordUrl('https://discord.com/api/webhooks/1/token?thread_id=7')).toBe(
    'https://discord.com/api/webhooks/1/token?thread_id=7&wait=true&with_components=true',
  );
});

describe('an edit', () => {
  const { edits } = discordForm;
  const target = {
    kind: 'discord',
    url: 'https://discord.com/api/webhooks/1/token?thread_id=7',
  } as const;
  const outgoing = {
    ...{ deliveryId: 'dlv_1', dueAt: 0, told: [], heldFor: undefined },
    message: messageNaming('Phish', 1),
  };
  const answered = (status: number, excerpt = '', headers = {}) => ({ status, headers, excerpt });

  it('replaces the message whose id the answer named', () => {
    const receipt = edits?.receiptOf(answered(200, '{"id":"1443822","content":""}'));
    expect(receipt).toBe('1443822');
    expect(edits?.request(outgoing, target, '1443822', 0)).toMatchObject({
      method: 'PATCH',
      url: 'https://discord.com/api/webhooks/1/token/messages/1443822?thread_id=7&with_components=true',
      body: renderDiscord(outgoing.message),
    });
  });

  it.each(['', 'ok', '{}', '[]', 'null', '{"id":7}', '{"id":"7/../8"}'])(
    'is not made when the answer is %j, without an id',
    (excerpt) => {
      expect(edits?.receiptOf(answered(200, excerpt))).toBeUndefined();
    },
  );

  it.each([
    [200, '', { kind: 'edited' }],
    [404, '{"code":10008}', { kind: 'gone', reason: 'http_404' }],
    [401, '', { kind: 'gone', reason: 'http_401' }],
    [400, '{"code":50035}', { kind: 'refused', reason: 'http_400' }],
    [429, '{"retry_after":2.5}', { kind: 'throttled', reason: 'http_429', afterMs: 3_000 }],
    [502, '', { kind: 'failed', reason: 'http_502' }],
  ])('answered with %i %s is judged', (status, excerpt, judgement) => {
    expect(edits?.judge(answered(status, excerpt), 0)).toEqual(judgement);
  });
});
