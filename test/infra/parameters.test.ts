// The functions accept every value that the template accepts.
import { Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { declareParameters } from '#infra/parameters.ts';
import { buyLinkTemplates } from '#shared/alerts/ticket-link.ts';
import { mailAddress } from '#shared/delivery/channels/mail-address.ts';
import { httpAddress } from '#shared/lambda/config.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';

const parameters = declareParameters(new Stack());
const matches = ({ allowedPattern }: { allowedPattern?: string }, text: string) =>
  new RegExp(`^(?:${allowedPattern})$`).test(text);

describe('MarketplaceUrl', () => {
  it.each([
    ...['https://m.example', 'http://127.0.0.1:8787', 'http://localhost:65535/api'],
    ...['https://data.m-1.example:443/a/b~c', 'https://xn--bcher-kva.example'],
    ...[`https://${'a.'.repeat(40)}example`, 'https://m.xn--p1ai'],
  ])('takes %s, and so do the functions and the client', (address) => {
    expect(matches(parameters.marketplaceUrl, address)).toBe(true);
    const baseUrl = httpAddress.parse(address);
    expect(baseUrl).toBe(address);
    expect(() => new MarketplaceClient({ baseUrl, apiKey: 'k'.repeat(64) })).not.toThrow();
  });

  it('lists the accepted values', () => {
    expect(parameters.marketplaceUrl.constraintDescription).toMatch(/^must be an http or https/);
  });

  it.each([
    ...['https://m.example/', 'https://user:secret@m.example', 'https://m.example?key=1'],
    ...['https://m.example#top', 'https://m example', 'https://.', 'https://m.example:70000'],
    ...['https://1.2.3.999', 'https://[', 'ftp://m.example', 'https://m.example\n', 'https://'],
  ])('refuses %j', (address) => {
    expect(matches(parameters.marketplaceUrl, address)).toBe(false);
  });

  it.each(['https://u:p@m.example', 'https://m.example?key=1', 'https://m.example#top'])(
    'a function refuses %s',
    (address) => expect(httpAddress.safeParse(address).success).toBe(false),
  );
});

describe.each([
  ['EmailSender', parameters.emailSender],
  ['OperatorEmail', parameters.operatorEmail],
])('%s', (_, parameter) => {
  it.each(["ann.o'neil+alerts@mail.example.com", 'alerts@getin.example'])(
    'takes %s, as a channel does',
    (address) => {
      expect(matches(parameter, address)).toBe(true);
      expect(mailAddress.safeParse(address).success).toBe(true);
    },
  );

  it.each(['a@b', '<a@b.example>', 'a@b.example,c@d.example', 'a"b@c.example', 'ä@b.example'])(
    'refuses %s, as a channel does',
    (address) => {
      expect(matches(parameter, address)).toBe(false);
      expect(mailAddress.safeParse(address).success).toBe(false);
    },
  );
});

describe('BuyLinkTemplates', () => {
  it.each([
    '',
    'Vivid Seats=https://www.vividseats.com/search?searchTerm={event_name}',
    'A=https://a.example | B.C & D-E=https://b.example:8443/x/{event_id}?d={event_date}#top',
    `${'A'.repeat(30)}=https://a.example/${'x'.repeat(282)}`,
  ])('takes %j, and so do the functions', (text) => {
    expect(matches(parameters.buyLinkTemplates, text)).toBe(true);
    expect(buyLinkTemplates.safeParse(text).success).toBe(true);
  });

  it.each([
    ...['https://a.example', 'A=http://a.example', 'A=https://a.example/{event}', 'A=https://{x}'],
    ...['A=https://u@a.example/', 'A=https://a.example|', 'A=https://a.example/"x"'],
    ...[`A=https://a.example/${'x'.repeat(300)}`, Array(6).fill('A=https://a.example').join('|')],
  ])('refuses %j, and so do the functions', (text) => {
    expect(matches(parameters.buyLinkTemplates, text)).toBe(false);
    expect(buyLinkTemplates.safeParse(text).success).toBe(false);
  });
});
