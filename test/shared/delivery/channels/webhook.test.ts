// The JSON of generic webhooks: its forms, its schema, and the size that Standard Webhooks advises.
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { channelTargetSchema } from '#shared/delivery/channels/channels.ts';
import { webhook, webhookForm } from '#shared/delivery/channels/webhook.ts';
import { alertPayload } from '#shared/delivery/message/alert-payload.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { webhookBody } from '#shared/delivery/message/webhook-body.ts';
import { webhookPayloadSchema } from '#shared/delivery/message/webhook-payload.ts';
import { payloadVersions } from '#shared/delivery/message/webhook-types.ts';
import { aListingAlert, anAlert, firedAt, reading } from '#test/support/alerts.ts';
import { outgoingOf, sampleOutgoing } from '#test/support/messages.ts';

const toldOf = (alert: Alert) => ({ alert, message: composeMessage(alert, reading) });
const payloadOf = (changes: Partial<Alert>) => {
  const { alert, message } = toldOf(anAlert(changes));
  return alertPayload(alert, message);
};
const targetOf = (payload_version: 1 | 2 | undefined) =>
  webhook.newTarget({ ...webhook.example, payload_version }, () => `whsec_${'A'.repeat(43)}=`);

describe.each(Object.entries(sampleOutgoing))('a body of the kind %s', (name, outgoing) => {
  const bodyOf = (version: 1 | 2 | undefined) =>
    webhookForm.request(outgoing, targetOf(version), firedAt).body;

  it.each(payloadVersions)('has the form of its schema in version %d', (version) => {
    const read: unknown = JSON.parse(bodyOf(version));
    expect(webhookPayloadSchema.parse(read)).toEqual(read);
    expect(read).toMatchObject({ version });
  });

  it('has a golden file of version 2', async () => {
    const text = `${JSON.stringify(JSON.parse(bodyOf(2)), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/webhook-v2-${name}.json`);
  });

  // channels.test.ts compares them with the golden files of version 1.
  it('is of version 1 if the channel names no version', () => {
    expect(bodyOf(undefined)).toBe(bodyOf(1));
  });
});

describe('the numbers of version 2', () => {
  const drop = { series: 'stats/get_in/drop_pct:high:24h', direction: 'up', baseline: 10_000 };

  it.each<[string, Partial<Alert>, object]>([
    [
      'a fall, though its series rises',
      { ...drop, direction: 'up', base: 9_440, withFee: 9_440, coveredMs: 50_400_000 },
      { direction: 'down', now: 94.4, before: 100, unit: 'dollars', covered_hours: 14 },
    ],
    [
      'a rise above a level',
      { direction: 'up', base: 12_050, withFee: 16_268, askedLevel: 16_000 },
      { direction: 'up', now: 120.5, now_with_fee: 162.68, before: 90, level: 160 },
    ],
    ['a price without an earlier one', { previousBase: null }, { direction: null, before: null }],
    ['a price that stayed', { previousBase: 7_400 }, { direction: null, before: 74 }],
    [
      'a count',
      { series: 'stats/total_listings_active', base: 12, previousBase: 40, askedLevel: 20 },
      { direction: 'down', now: 12, before: 40, level: 20, unit: 'count' },
    ],
    [
      'a fill rate',
      { series: 'stats/listing_fill_rate', base: 6_150, previousBase: 5_000, askedLevel: 6_000 },
      { direction: 'up', now: 61.5, before: 50, level: 60, unit: 'percent' },
    ],
    [
      'a price that is missing',
      {
        series: 'stats/get_in/missing',
        role: 'no_data',
        direction: 'up',
        base: 1,
        askedLevel: null,
      },
      { direction: null, now: null, now_with_fee: null, before: 90 },
    ],
    [
      'a zone without a listing',
      { series: 'stats/present/zone=Floor', base: 0, previousBase: 1, askedLevel: null },
      { direction: 'down', now: null, before: null },
    ],
  ])('of %s', (_, changes, numbers) => {
    expect(payloadOf(changes)).toMatchObject(numbers);
  });

  it('are dollars for listings too', () => {
    const { alert, message } = toldOf(aListingAlert(2));
    const prices = alertPayload(alert, message).listings.map(({ price }) => price);
    expect(prices).toEqual([120, 125.5]);
  });
});

describe.each([1, 2] as const)('a body of version %s with a recovery', (version) => {
  const fired = anAlert();
  const back = anAlert({ alertId: 'alt_1_r', role: 'recovery', base: 8_500 });
  const bodyOf = (...alerts: Alert[]) => {
    const body = JSON.parse(webhookBody(outgoingOf({ alerts }), version));
    expect(webhookPayloadSchema.safeParse(body).error).toBeUndefined();
    return body;
  };

  it('has a type of its own for one', () => {
    expect(bodyOf(back)).toMatchObject({
      type: 'alert.recovered',
      data: { alert: { id: 'alt_1_r', role: 'recovery' } },
    });
    expect(bodyOf(fired).type).toBe('alert.fired');
  });

  it('never has it among the alerts', () => {
    const idsIn = ({ alerts, recovered }: Record<string, { id: string }[]>) => [
      alerts?.map(({ id }) => id),
      recovered?.map(({ id }) => id),
    ];
    const { alertId } = fired;
    expect(idsIn(bodyOf(fired, back).data)).toEqual([[alertId], ['alt_1_r']]);
    expect(idsIn(bodyOf(back, back).data)).toEqual([[], ['alt_1_r', 'alt_1_r']]);
    expect(bodyOf(fired, fired).data).not.toHaveProperty('recovered');
  });
});

describe('a stored target', () => {
  const stored = { kind: 'webhook', url: 'https://example.com/', secrets: [] };
  const read = (fields: object) => channelTargetSchema.safeParse({ ...stored, ...fields });

  it.each<[string, object]>([
    ['template', { bodyTemplate: 5 }],
    ['empty template', { bodyTemplate: '' }],
    ['content type', { bodyTemplate: '{{headline}}', contentType: 'text/html' }],
    ['version', { payloadVersion: 9 }],
  ])('with a damaged %s still gets messages', (_, damaged) => {
    expect(read(damaged).data).toMatchObject(stored);
  });

  it.each<[string, object]>([
    ['name', { 'X Key': 'a' }],
    ['value', { 'X-Key': 'a\r\nHost: b' }],
    ['form', { 'X-Key': 5 }],
  ])('with a header of a damaged %s gets none, because none would be taken', (_, headers) => {
    expect(read({ headers }).success).toBe(false);
  });
});
