import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  operatorTarget,
  pointOperatorWebhook,
  readOperatorWebhook,
} from '#shared/delivery/operator-webhook.ts';

/** As Secrets Manager generates one: letters and digits, 44 of them. */
const generated = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR';
const made = `{"url":"","secret":"${generated}"}`;

describe('the secret of the operator webhook', () => {
  it('as it is made names no address, and has a secret that signs', () => {
    const { url, secret } = readOperatorWebhook(made);
    expect(url).toBe('');
    expect(secret).toBe(`whsec_${generated}`);
    expect(new Webhook(secret).sign('msg_1', new Date(0), '{}')).toMatch(/^v1,/);
  });

  it('keeps what signs when it gets an address, and when that is taken away', () => {
    const pointed = pointOperatorWebhook(made, 'https://ops.example/hook');
    expect(readOperatorWebhook(pointed)).toEqual({
      url: 'https://ops.example/hook',
      secret: `whsec_${generated}`,
    });
    expect(readOperatorWebhook(pointOperatorWebhook(pointed, ''))).toEqual({
      url: '',
      secret: `whsec_${generated}`,
    });
  });

  it.each([
    ['no JSON', 'https://ops.example/T0KEN'],
    ['no object', '"T0KEN"'],
    ['another field', `{"url":"","secret":"${generated}","T0KEN":1}`],
    ['no address', `{"url":"T0KEN","secret":"${generated}"}`],
    ['another protocol', `{"url":"ftp://T0KEN","secret":"${generated}"}`],
    ['a short secret', '{"url":"","secret":"T0KEN"}'],
    ['a secret that is no base64', '{"url":"","secret":"T0KEN-T0KEN-T0KEN-T0KEN-T0KEN-T0KEN-"}'],
  ])('that holds %s is refused, and its text is not repeated', (_, text) => {
    const refused = () => readOperatorWebhook(text);
    expect(refused).toThrow('must be JSON: {"url":"https://…","secret":"whsec_…"}');
    expect(refused).not.toThrow('T0KEN');
  });

  it('takes no address that is none', () => {
    expect(() => pointOperatorWebhook(made, 'ops.example')).toThrow('must be JSON');
  });
});

describe('the channel of the operator webhook', () => {
  const secret = `whsec_${generated}`;

  it.each([
    // secretlint-disable-next-line -- leads nowhere
    ['https://hooks.slack.com/services/T/B/X', 'slack'],
    // secretlint-disable-next-line -- leads nowhere
    ['https://hooks.slack-gov.com/services/T/B/X', 'slack'],
    ['https://hooks.slack.com/triggers/T/1/x', 'webhook'],
    ['https://discord.com/api/webhooks/1/token', 'discord'],
    ['https://canary.discord.com/api/v10/webhooks/1/token/', 'discord'],
    ['https://discordapp.com/api/webhooks/1/token', 'discord'],
    ['https://prod-1.westus.logic.azure.com/workflows/1?sig=t', 'teams'],
    ['https://prod-01.usgovtexas.logic.azure.us/workflows/1?sig=t', 'teams'],
    ['https://default1a.00.environment.api.powerplatform.com/powerautomate/x', 'teams'],
    ['https://x.environment.api.gov.powerplatform.microsoft.us/powerautomate/x', 'teams'],
    ['https://api.powerplatform.com.evil.example/x', 'webhook'],
    ['https://ops.example/hook', 'webhook'],
  ])('at %s is of the kind %s', (url, kind) => {
    expect(operatorTarget({ url, secret }).kind).toBe(kind);
  });

  it.each(['/slack', '/github', '/slack/'])('takes no Discord address with %s', (ending) => {
    const pointed = () =>
      pointOperatorWebhook(made, `https://discord.com/api/webhooks/1/T0KEN${ending}`);
    expect(pointed).toThrow('takes messages of another product: store it without its last part');
    expect(pointed).not.toThrow('T0KEN');
  });
});
