// The preview of a webhook's messages: what would be sent, and what is wrong with a template.
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  return () => api.stop();
});

const template = '{"text": "{{headline}}", "now": {{now}}}';
const preview = (body: object, key = api.ann.key) =>
  api.call('/v1/channels/preview', { body, key });

describe('the preview', () => {
  it('shows a signed message of each kind, and what it was filled with', async () => {
    const { status, body } = await preview({
      ...{ body_template: template, headers: { Authorization: 'Bearer t0ken' } },
    });
    expect([status, body.faults]).toEqual([200, []]);
    expect(body.messages.map(({ sample, type }: Record<string, string>) => [sample, type])).toEqual(
      [
        ['alert', 'alert.fired'],
        ['new_listing', 'alert.fired'],
        ['several', 'alerts.fired'],
        ['recovery', 'alert.recovered'],
        ['no_data', 'alert.fired'],
        ['nulls', 'alert.fired'],
        ['hostile', 'alert.fired'],
        ['many', 'alerts.fired'],
        ['test', 'channel.test'],
        ['notice', 'channel.notice'],
      ],
    );
    const [first] = body.messages;
    expect(JSON.parse(first.body)).toEqual({ text: first.data.headline, now: 74 });
    expect(first.bytes).toBe(Buffer.byteLength(first.body));
    const headers = Object.fromEntries(
      first.headers.map(({ name, value }: Record<string, string>) => [name, value]),
    );
    expect(headers).toMatchObject({
      Authorization: '[hidden]',
      'content-type': 'application/json',
    });
    expect(headers['webhook-timestamp']).toBe(String(startMs / 1_000));
    const signed = new Webhook(body.secret).sign(
      headers['webhook-id'],
      new Date(startMs),
      first.body,
    );
    expect(headers['webhook-signature']).toBe(signed);
  });

  it('shows the standard bodies of each version without a template', async () => {
    const versions = await Promise.all(
      [1, 2].map((payload_version) => preview({ payload_version })),
    );
    const alerts = versions.map(({ body }) => JSON.parse(body.messages[0].body).data.alert);
    expect(alerts).toMatchObject([
      { now: 7_400, unit: 'cents' },
      { now: 74, unit: 'dollars' },
    ]);
  });

  it('says what is wrong with a template, and shows what it makes all the same', async () => {
    const { status, body } = await preview({
      body_template: '{"a": {{#now}}1{{/now}}, "b": {{nw}}}',
    });
    expect(status).toBe(200);
    expect(body.faults).toEqual([
      {
        ...{ line: 1, column: 31, sample: null },
        message: '{{nw}} is not a known name; the nearest are now, id, unit',
      },
    ]);
    const bodies = new Map(
      body.messages.map(({ sample, body: made }: Record<string, string>) => [sample, made]),
    );
    expect(bodies.get('alert')).toBe('{"a": 1, "b": null}');
    expect(bodies.get('test')).toBeNull();
  });

  it('shows one of the owner’s own alerts, and nobody else’s', async () => {
    const alertId = `alt_${'7'.repeat(32)}_1`;
    await api.stores.alerts.create(
      anAlert({ alertId, ownerId: api.ann.ownerId, eventName: 'My own event' }),
    );
    const { body } = await preview({ body_template: template, alert_id: alertId });
    const own = body.messages.at(-1);
    expect(own).toMatchObject({
      sample: 'alert_id',
      data: { id: alertId, event_name: 'My own event' },
    });
    expect(JSON.parse(own.body).text).toContain('My own event');
    expect((await preview({ alert_id: alertId }, api.bob.key)).status).toBe(404);
    expect((await preview({ alert_id: 'alt_none' })).status).toBe(404);
  });

  it('needs a key with scope read alone, and changes nothing', async () => {
    const { key } = (await api.call('/v1/keys', { body: { name: 'reader', scope: 'read' } })).body;
    const before = (await api.call('/v1/channels?limit=200')).text;
    expect((await preview({ body_template: template }, key)).status).toBe(200);
    expect((await api.call('/v1/channels?limit=200')).text).toBe(before);
    expect((await api.call('/v1/deliveries')).body.data).toEqual([]);
  });

  it('makes every sample fill every field: with a value, and with null where it can be', async () => {
    const { body } = await preview({});
    const seen = (isSeen: (value: unknown) => boolean) =>
      Object.keys(body.messages[0].data).filter(
        (name) =>
          !body.messages.some(({ data }: { data: Record<string, unknown> }) => isSeen(data[name])),
      );
    expect(seen((value) => value !== null)).toEqual([]);
    const schema = (await api.call('/openapi.json', { key: '' })).body.components.schemas
      .TemplateData;
    const nullable = seen((value) => value === null).filter((name) =>
      JSON.stringify(schema.properties[name]).includes('null'),
    );
    expect(nullable).toEqual([]);
  });
});
