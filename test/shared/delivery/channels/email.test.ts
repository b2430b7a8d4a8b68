// A message as a mail: both parts, the headers, and names that would inject one or the other.
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
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
    expect(parsed.subject).toBe(
      'Knicks at Heat, Lower Bowl: get-in $74, down 18% from $90 since yesterday; your level was $80',
    );
    expect(parsed.messageId).toBe('<dlv_1@getin.example>');
    expect(parsed.to).toMatchObject({ value: [{ address: 'ann@example.com' }] });
    expect(raw).toContain('List-Unsubscribe: <https://getin.example/l/token>\r\n');
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(parsed.date).toEqual(new Date(firedAt));
  });

  it('offer nothing to stop before anything was confirmed', async () => {
    const raw = (await mail(sampleMessages.confirmation as Message)).toString();
    expect(raw).not.toContain('List-Unsubscribe');
  });
});

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
        ?.every((tag) => tag.includes('https://getin.example/')),
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
