// A message as an Adaptive Card: its form, its size, and names that Teams must not read as markup.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTeams } from '#shared/delivery/channels/teams.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { alertsMessage } from '#shared/delivery/message/message-kinds.ts';
import { aListingAlert, hostileNames, reading, stopUrl } from '#test/support/alerts.ts';
import { messageNaming } from '#test/support/messages.ts';

interface Run {
  type: string;
  text: string;
}
interface Part {
  type: string;
  inlines?: Run[];
  columns?: { items: Part[] }[];
}
interface Body {
  type: string;
  attachments: {
    contentType: string;
    contentUrl: null;
    content: {
      version: string;
      body: Part[];
      actions: { url: string }[];
    };
  }[];
}

const read = (body: string) => JSON.parse(body) as Body;
/** Every text of a card: only text runs, which no renderer reads as Markdown. */
function runsOf({ type, inlines, columns }: Part): Run[] {
  expect(['RichTextBlock', 'ColumnSet', 'Image']).toContain(type);
  return [...(inlines ?? []), ...(columns ?? []).flatMap(({ items }) => items.flatMap(runsOf))];
}
const bytes = (body: string) => Buffer.byteLength(body);

describe.each(hostileNames.map((name) => [name.slice(0, 40), name]))('the name %j', (_, name) => {
  it.each([1, 40])('stays in text runs and under 20 KB, in a message of %i', (count) => {
    const body = renderTeams(messageNaming(name, count));
    expect(bytes(body)).toBeLessThanOrEqual(20_000);
    const [attachment] = read(body).attachments;
    expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    const blocks = attachment?.content.body ?? [];
    for (const { type, text } of blocks.flatMap(runsOf)) {
      expect(type).toBe('TextRun');
      expect(text.isWellFormed()).toBe(true);
      // A23: {{DATE(…)}} would be expanded.
      expect(text).not.toContain('{{');
      expect(text).not.toMatch(/[\r\n\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
    }
    for (const { url } of attachment?.content.actions ?? []) {
      expect(url).toMatch(/^https:\/\/(getin\.example|www\.ticketmaster\.com)\//);
    }
  });
});

describe('the size', () => {
  it('holds for any text, and shrinks on request', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.nat(6),
        fc.constantFrom(1, 2, 60),
        (part, times, count) => {
          const message = messageNaming(part.repeat(2 ** times), count);
          expect(bytes(renderTeams(message))).toBeLessThanOrEqual(20_000);
          expect(bytes(renderTeams(message, { isSmall: true }))).toBeLessThanOrEqual(8_000);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('shrinks on request, whatever the names of its listings', () => {
    const name = '票'.repeat(200);
    const alert = aListingAlert(20);
    const listings = alert.listings.map((row) => ({
      ...{ ...row, zone: name, section: name, row: name },
    }));
    const told = composeMessage({ ...alert, eventName: name, venueName: name, listings }, reading);
    const message = alertsMessage([told], { stopUrl });
    expect(bytes(renderTeams(message, { isSmall: true }))).toBeLessThanOrEqual(8_000);
  });

  it('drops lines from the bottom and says how many', () => {
    const body = read(renderTeams(messageNaming('n'.repeat(600), 60)));
    const last = body.attachments[0]?.content.body.at(-2);
    expect(last?.inlines?.[0]?.text).toMatch(/^and \d+ more$/);
  });
});
