// The links to tickets of an event, and the templates that a deployment gives for them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buyLinkTemplates, ticketLinks } from '#shared/alerts/ticket-link.ts';

const facts = {
  ...{ eventId: 4711, eventName: 'Knicks at Nets', eventDate: '2026-03-01' },
  tmEventId: 'G5vYZ9VCrkz1h',
};
const seatGeek = { label: 'SeatGeek', url: 'https://seatgeek.com/search?q={event_name}' };

describe('the links to tickets', () => {
  it('lead to the event at Ticketmaster', () => {
    expect(ticketLinks(facts, [])).toEqual([
      { label: 'Ticketmaster', url: 'https://www.ticketmaster.com/event/G5vYZ9VCrkz1h' },
    ]);
  });

  it('are none for an event whose id at Ticketmaster is unknown', () => {
    expect(ticketLinks({ ...facts, tmEventId: undefined }, [])).toEqual([]);
  });

  it('fill in the placeholders of templates', () => {
    const url = 'https://m.example/{event_date}/{event_id}?tm={tm_event_id}#{event_name}';
    expect(ticketLinks(facts, [{ label: 'M', url }])[1]).toEqual({
      label: 'M',
      url: 'https://m.example/2026-03-01/4711?tm=G5vYZ9VCrkz1h#Knicks%20at%20Nets',
    });
  });

  it('leave out a template whose fact is unknown', () => {
    const dated = { label: 'M', url: 'https://m.example/{event_date}' };
    const links = ticketLinks({ ...facts, eventDate: undefined }, [dated, seatGeek]);
    expect(links.map(({ label }) => label)).toEqual(['Ticketmaster', 'SeatGeek']);
  });

  it('encode every character that means something in an address or in the markup of a chat', () => {
    const eventName = '[x](https://evil.example)&a=b#*bold*_|<@everyone>\n"\'!';
    expect(ticketLinks({ ...facts, eventName }, [seatGeek])[1]?.url).toBe(
      'https://seatgeek.com/search?q=%5Bx%5D%28https%3A%2F%2Fevil.example%29%26a%3Db%23%2Abold%2A%5F%7C%3C%40everyone%3E%0A%22%27%21',
    );
  });

  it('cut a name that would make an address too long for a button', () => {
    const [, link] = ticketLinks({ ...facts, eventName: '東京'.repeat(50) }, [seatGeek]);
    const name = new URL(link?.url ?? '').searchParams.get('q') ?? '';
    expect('東京'.repeat(50).startsWith(name)).toBe(true);
    expect(name.length).toBeGreaterThan(40);
    expect(link?.url.length).toBeLessThanOrEqual(512);
  });

  it('leave out a template that is too long without the name', () => {
    const url = `https://m.example/${'{tm_event_id}'.repeat(20)}`;
    const tmEventId = 'x'.repeat(64);
    expect(ticketLinks({ ...facts, tmEventId }, [{ label: 'M', url }])).toHaveLength(1);
  });

  it('keep the host of the template whatever the event is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (eventName) => {
        for (const { url } of ticketLinks({ ...facts, eventName }, [seatGeek])) {
          expect(new URL(url).host).toMatch(/^(www\.ticketmaster|seatgeek)\.com$/);
          expect(url).toMatch(/^[A-Za-z0-9.:/?=%-]{1,512}$/);
        }
      }),
    );
  });
});

describe('the templates of a deployment', () => {
  it('are none for an empty text', () => {
    expect(buyLinkTemplates.parse('')).toEqual([]);
  });

  it('are names and addresses, separated by |', () => {
    const text = 'SeatGeek=https://seatgeek.com/search?q={event_name} | M = https://m.example';
    expect(buyLinkTemplates.parse(text)).toEqual([
      seatGeek,
      { label: 'M', url: 'https://m.example' },
    ]);
  });

  it.each([
    ['https://m.example', '"https://m.example" must be a name of 1 to 30 characters'],
    ['=https://m.example', 'must be a name'],
    ['M=http://m.example', 'link "M" must be an https address'],
    ['M=https://user@m.example/', 'link "M" must be an https address'],
    ['M=https://{event_id}.example/', 'with placeholders after its host only'],
    ['M=https://m.example/{event}', 'has the placeholder {event}; known are {event_id}'],
    ['M=https://m.example/{event_id', 'link "M" must be an https address'],
    ['M=https://m.example/"x"', 'link "M" must be an https address'],
    ['M=javascript:alert(1)', 'link "M" must be an https address'],
    [`M=https://m.example/${'x'.repeat(300)}`, 'link "M" is longer than 300 characters'],
    [Array(6).fill('M=https://m.example').join('|'), 'has more than 5 links'],
    ['M=https://m.example|', '"" must be a name'],
  ])('refuse %j', (text, message) => {
    const issues = buyLinkTemplates.safeParse(text).error?.issues ?? [];
    expect(issues.map((issue) => issue.message).join()).toContain(message);
  });
});
