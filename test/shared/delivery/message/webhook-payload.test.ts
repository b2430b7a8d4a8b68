// The JSON of generic webhooks: its forms, its schema, and the size that Standard Webhooks advises.
import { describe, expect, it } from 'vitest';
import { composeMessage } from '#shared/delivery/message/message.ts';
import {
  alertPayload,
  alertsBody,
  channelBody,
  webhookPayloadSchema,
} from '#shared/delivery/message/webhook-payload.ts';
import { aListingAlert, anAlert, firedAt, hostileNames, reading } from '#test/support/alerts.ts';

const payloadOf = (alert: ReturnType<typeof anAlert>) =>
  alertPayload(alert, composeMessage(alert, reading));
const level = payloadOf(anAlert());
const listing = payloadOf(aListingAlert());

const bodies = {
  level: alertsBody([level], { at: firedAt, heldFor: null }),
  listing: alertsBody([listing], { at: firedAt, heldFor: null }),
  digest: alertsBody([level, listing], { at: firedAt, heldFor: 'digest' }),
  test: channelBody('channel.test', { headline: 'It works', paragraphs: ['A test.'] }, firedAt),
};

describe.each(Object.entries(bodies))('a body of the kind %s', (name, body) => {
  it('has the form of its golden file, and that of its schema', async () => {
    const read: unknown = JSON.parse(body);
    expect(webhookPayloadSchema.parse(read)).toEqual(read);
    await expect(`${JSON.stringify(read, null, 2)}\n`).toMatchFileSnapshot(
      `golden/webhook-${name}.json`,
    );
  });
});

describe('a body of many alerts', () => {
  it.each(hostileNames)('stays under 20 KB and says how many it leaves out: %j', (name) => {
    const told = Array.from({ length: 200 }, () => payloadOf(anAlert({ eventName: name })));
    const body = alertsBody(told, { at: firedAt, heldFor: null });
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    const { data } = JSON.parse(body) as { data: { alerts: unknown[]; more: number } };
    expect(data.alerts.length).toBeGreaterThan(0);
    expect(data.alerts.length + data.more).toBe(200);
  });
});
