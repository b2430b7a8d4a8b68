// A message as Slack blocks: its form, its limits after escaping, and names that would do harm.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderSlack, renderSlackText } from '#shared/delivery/channels/slack-blocks.ts';
import { hostileNames } from '#test/support/alerts.ts';
import { messageNaming, sampleMessages } from '#test/support/messages.ts';

interface Text {
  type: string;
  text: string;
}
interface Block {
  type: string;
  text?: Text;
  fields?: Text[];
  elements?: (Text | Button)[];
  accessory?: Button;
  image_url?: string;
}
interface Button {
  type: 'button';
  text: Text;
  url: string;
  action_id: string;
}

const blocksOf = (body: string) => (JSON.parse(body) as { blocks: Block[] }).blocks;
const textsOf = (block: Block) => [
  ...(block.text ? [block.text] : []),
  ...(block.fields ?? []),
  ...(block.elements ?? []).map((each) => ('url' in each ? each.text : each)),
  ...(block.accessory ? [block.accessory.text] : []),
];
const buttonsOf = ({ elements = [], accessory }: Block) =>
  [...elements, ...(accessory ? [accessory] : [])].filter((each) => 'url' in each);

const ownWords =
  /^(\*\$74\* ▼ 18% from \$90 since [A-Za-z0-9,: ]+, under your \$80\n▇▅▃▁|(Listed prices; the marketplace may add fees\. · )?<https:\/\/getin\.example\/l\/token(\?do=alerts)?\|(Stop or snooze|and \d+ more)>)$/;

/** Slack's own limits, and our budget for all blocks together. */
function expectWithinLimits(body: string): void {
  const blocks = blocksOf(body);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) {
    const limit = block.type === 'header' ? 150 : 3_000;
    if (block.text) expect(block.text.text.length).toBeLessThanOrEqual(limit);
    expect((block.fields ?? []).length).toBeLessThanOrEqual(10);
    for (const field of block.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2_000);
    expect((block.elements ?? []).length).toBeLessThanOrEqual(block.type === 'context' ? 10 : 25);
    for (const button of buttonsOf(block)) {
      expect(button.text.text.length).toBeLessThanOrEqual(75);
      expect(button.url.length).toBeLessThanOrEqual(3_000);
      expect(button.url).toMatch(/^https:\/\/(getin\.example|www\.ticketmaster\.com)\//);
    }
    for (const { text } of textsOf(block)) expect(text.isWellFormed()).toBe(true);
  }
  const characters = blocks.flatMap(textsOf).reduce((sum, { text }) => sum + text.length, 0);
  expect(characters).toBeLessThanOrEqual(13_000);
}

describe.each(hostileNames.map((name) => [name.slice(0, 40), name]))('the name %j', (_, name) => {
  it.each([1, 40])('stays text within the limits, in a message of %i', (count) => {
    const body = renderSlack(messageNaming(name, count));
    expectWithinLimits(body);
    for (const text of blocksOf(body).flatMap(textsOf)) {
      if (text.type === 'mrkdwn') {
        // What is marked up holds no text from the market.
        expect(text.text).toMatch(ownWords);
      } else {
        expect(text.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      }
      expect(text.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\r]/);
    }
    expect((JSON.parse(body) as Text).text).not.toMatch(/[<>\r\n]/);
  });
});

describe('the limits', () => {
  it('hold for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(6), (part, times) => {
        expectWithinLimits(renderSlack(messageNaming(part.repeat(2 ** times), 1)));
      }),
      { numRuns: 60 },
    );
  });

  it('count what is written after escaping', () => {
    const [header] = blocksOf(renderSlack(messageNaming('&'.repeat(200))));
    expect(header?.text?.text).toMatch(/^\$74 ▼ 18%: (&amp;){27}…$/);
  });

  it('drop alerts from the bottom of a digest and say how many', () => {
    const blocks = blocksOf(renderSlack(messageNaming('A name of common length', 60)));
    expect(blocks.length).toBeLessThanOrEqual(45);
    expect(blocks.at(-2)?.text?.text).toMatch(
      /^<https:\/\/getin\.example\/l\/token\?do=alerts\|and \d+ more>$/,
    );
  });
});

it('can be said as text alone', () => {
  const body = renderSlackText(sampleMessages.digest as never);
  expect(JSON.parse(body)).toEqual({
    text: [
      '$74 ▼ 18%: Knicks at Heat, Lower Bowl · and 2 more, of 2 events',
      'These alerts were held from Mar 1, 1:02 AM EST for your digest; they were still true when this was sent.',
      '$74 ▼ 18%: Knicks at Heat, Lower Bowl · under your $80',
      'Moved 3 times: lowest $70, highest $79, last $74',
      '$120 listing: Knicks at Heat · section 101, row A, 2 tickets, under your $150',
      '$74 ▼ 18%: Nets at Magic · under your $80',
    ].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
  });
});
