// The JSON of generic webhooks: its forms, its schema, and the size that Standard Webhooks advises.
import { describe, expect, it } from 'vitest';
import { webhook, webhookForm } from '#shared/delivery/channels/webhook.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import {
  alertPayload,
  alertsBody,
  webhookPayloadSchema,
} from '#shared/delivery/message/webhook-payload.ts';
import { anAlert, firedAt, hostileNames, reading } from '#test/support/alerts.ts';
import { sampleOutgoing } from '#test/support/messages.ts';

const payloadOf = (alert: ReturnType<typeof anAlert>) =>
  alertPayload(alert, composeMessage(alert, reading));
const target = webhook.newTarget(webhook.example, () => `whsec_${'A'.repeat(43)}=`);

describe.each(Object.entries(sampleOutgoing))('a body of the kind %s', (_name, outgoing) => {
  it('has the form of its schema', () => {
    const { body } = webhookForm.request(outgoing, target, firedAt);
    const read: unknown = JSON.parse(body);
    expect(webhookPayloadSchema.parse(read)).toEqual(read);
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
