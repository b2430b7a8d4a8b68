// A message as a mail: both parts, the headers, and names that would inject one or the other.
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { renderEmailHtml } from '#shared/delivery/channels/email-html.ts';
import type { Message } from '#shared/delivery/message/message.ts';
import { singleLine } from '#shared/delivery/message/plain-text.ts';
import { renderMail } from '#shared/delivery/outbound/mail.ts';
import { firedAt, hostileNames } from '#test/support/alerts.ts';
import { messageNaming, sampleMessages } from '#test/support/messages.ts';

const mail = (message: Message) =>
  renderMail({
    from: 'alerts@getin.example',
    to: 'ann@example.com',
    deliveryId: 'dlv_1',
    message,
    date: new Date(firedAt),
  });

describe('the headers', () => {
  it('name one recipient, the delivery, and how to stop with one click', async () => {
    const raw = (await mail(sampleMessages.level as Message)).toString();
    const parsed = await simpleParser(raw);
    expect(parsed.subject).toBe('$74 ▼ 18%: Knicks at Heat, Lower Bowl · under your $80');
    expect(parsed.messageId).toBe('<dlv_1@getin.example>');
    expect(parsed.to).toMatchObject({ value: [{ address: 'ann@example.com' }] });
    expect(parsed.from?.value).toEqual([{ name: 'Getin', address: 'alerts@getin.example' }]);
    expect(raw).toContain('X-Getin-Delivery: dlv_1\r\n');
    expect(raw).toContain('List-Unsubscribe: <https://getin.example/l/token>\r\n');
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(parsed.date).toEqual(new Date(firedAt));
  });

  it('offer nothing to stop before anything was confirmed', async () => {
    const raw = (await mail(sampleMessages.confirmation as Message)).toString();
    expect(raw).not.toContain('List-Unsubscribe');
  });
});

it('has no line that ends without a carriage return (A11)', async () => {
  const raw = (await mail(sampleMessages.digest as Message)).toString();
  expect(raw).not.toMatch(/(?<!\r)\n/);
});

it.each([20, 81, 95, 109, 200])(
  'keeps a stop address of %i characters on the line of its header (A15)',
  async (length) => {
    const stopUrl = 'https://getin.example/l/'.padEnd(length, 'x');
    const raw = (await mail({ ...(sampleMessages.level as Message), stopUrl })).toString();
    expect(raw).toContain(`\r\nList-Unsubscribe: <${stopUrl}>\r\n`);
  },
);

describe.each(hostileNames.map((name) => [name.slice(0, 40), name]))('the name %j', (_, name) => {
  it('adds no header, no recipient and no markup, and stays readable', async () => {
    const raw = await mail(messageNaming(name));
    const parsed = await simpleParser(raw);
    const headerNames = parsed.headerLines.map(({ key }) => key);
    expect(headerNames.filter((key) => key === 'to')).toHaveLength(1);
    expect(headerNames).not.toContain('bcc');
    expect(headerNames).not.toContain('cc');
    expect(parsed.subject?.length).toBeLessThanOrEqual(180);
    expect(parsed.subject?.isWellFormed()).toBe(true);
    const html = String(parsed.html);
    expect(
      html
        .match(/<(a|img|script|iframe|form)\b[^>]*>/g)
        ?.every((tag) => /https:\/\/(getin\.example|www\.ticketmaster\.com)\//.test(tag)),
    ).toBe(true);
    expect(html.match(/<table/g)).toHaveLength(1);
    expect(html.match(/<\/table>/g)).toHaveLength(1);
    expect(parsed.text).toContain(singleLine(name).slice(0, 170));
    expect(raw.length).toBeLessThan(102_000);
  });
});

it('keeps a digest of hundreds under the size at which mail is clipped', async () => {
  const raw = await mail(messageNaming('A name of common length', 400));
  expect(raw.length).toBeLessThan(100_000);
  expect((await simpleParser(raw)).text).toContain('and 360 more');
});

it.each(['"', '票', '👨‍👩‍👧‍👦'])('keeps a digest of long names of %s under that size', (part) => {
  const html = renderEmailHtml(messageNaming(part.repeat(200), 60));
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  expect(html).toMatch(/and \d\d more/);
});
