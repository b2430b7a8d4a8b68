// Our signatures against the library's: the same, whatever is signed.
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createWebhookSecret, webhookHeaders } from '#shared/delivery/outbound/webhook.ts';

const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
/** Every UTF-16 text, lone surrogates too. */
const texts = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
const bodies = fc.oneof(
  texts,
  fc.json(),
  texts.map((text) => text.repeat(200)),
);
const times = fc.nat(4_102_444_800_000);

describe('a signature', () => {
  it('is the one that the standardwebhooks library makes, of any id, time, body and secret', () => {
    fc.assert(
      fc.property(texts, bodies, secrets, times, (id, body, secret, now) => {
        const { 'webhook-signature': ours } = webhookHeaders(id, body, [secret], now);
        expect(ours).toBe(new Webhook(secret).sign(id, new Date(now), body));
      }),
      { numRuns: 300 },
    );
  });

  it('is made by each valid secret, in their order', () => {
    fc.assert(
      fc.property(fc.array(secrets, { minLength: 1, maxLength: 3 }), (several) => {
        const { 'webhook-signature': ours } = webhookHeaders('dlv_1', '{}', several, 1_000);
        const theirs = several.map((secret) =>
          new Webhook(secret).sign('dlv_1', new Date(1_000), '{}'),
        );
        expect(ours).toBe(theirs.join(' '));
      }),
      { numRuns: 50 },
    );
  });

  it('is right by the example of the specification', () => {
    const headers = webhookHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      1_614_265_330_000,
    );
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('stays right when more secrets are in use than are kept read', () => {
    const many = Array.from({ length: 1_100 }, (_, index) =>
      secretOf(Buffer.from(String(index).padStart(24, '0'))),
    );
    for (const secret of [...many, ...many.slice(0, 5)]) {
      const { 'webhook-signature': ours } = webhookHeaders('dlv_1', '{}', [secret], 1_000);
      expect(ours).toBe(new Webhook(secret).sign('dlv_1', new Date(1_000), '{}'));
    }
  });
});

describe('a secret', () => {
  it('is made fresh, of 32 bytes', () => {
    const [one, other] = [createWebhookSecret(), createWebhookSecret()];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.replace('whsec_', ''), 'base64')).toHaveLength(32);
  });

  it('may come without its prefix, as one that AWS generated does', () => {
    const bare = 'A'.repeat(43);
    expect(webhookHeaders('dlv_1', '{}', [bare], 1_000)).toEqual(
      webhookHeaders('dlv_1', '{}', [`whsec_${bare}`], 1_000),
    );
  });

  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_%%%'])('%j signs nothing', (secret) => {
    expect(() => webhookHeaders('dlv_1', '{}', [secret], 1_000)).toThrow(RangeError);
  });
});
