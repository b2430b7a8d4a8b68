// Templates for the bodies of webhooks through the API: what is taken, and what is refused and where.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, anyVersion, startApi } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 10_000, windowSeconds: 60 } });
  return () => api.stop();
});

const url = 'https://example.com/hook';
const template = '{"text": "{{headline}}", "now": {{now}}}';
const add = (fields: object) =>
  api.call('/v1/channels', { body: { kind: 'webhook', url, ...fields } });
const change = (id: string, body: object) =>
  api.call(`/v1/channels/${id}`, { method: 'PATCH', body, headers: anyVersion });
const storedOf = async (id: string) => (await api.stores.channels.find(id))?.target;

describe('a channel with a template', () => {
  it('has it with its content type, JSON unless another is given', async () => {
    const { status, body } = await add({ body_template: template });
    expect([status, body.body_template, body.content_type]).toEqual([
      201,
      template,
      'application/json',
    ]);
    const text = await add({ body_template: '{{headline}}', content_type: 'text/plain' });
    expect(text.body).toMatchObject({ body_template: '{{headline}}', content_type: 'text/plain' });
    expect((await add({})).body).not.toHaveProperty('content_type');
  });

  it('keeps it through other changes; null removes it with its content type', async () => {
    const { body } = await add({ body_template: '{{headline}}', content_type: 'text/plain' });
    const changed = await change(body.id, { payload_version: 1, url: 'https://example.com/new' });
    expect(changed.body).toMatchObject({
      ...{ body_template: '{{headline}}', content_type: 'text/plain', payload_version: 1 },
    });
    const other = await change(body.id, { body_template: 'x {{value}}' });
    expect(other.body).toMatchObject({ body_template: 'x {{value}}', content_type: 'text/plain' });
    const removed = await change(body.id, { body_template: null });
    expect(removed.body).not.toHaveProperty('body_template');
    expect(await storedOf(body.id)).toEqual({
      ...{ kind: 'webhook', url: 'https://example.com/new', payloadVersion: 1 },
      secrets: [expect.anything()],
    });
  });

  it('can’t get a content type that its template is not made for', async () => {
    const { body } = await add({ body_template: 'x {{headline}}', content_type: 'text/plain' });
    const refused = await change(body.id, { content_type: 'application/json' });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '#/body_template']);
    expect((await change(body.id, { content_type: null })).status).toBe(400);
    const both = await change(body.id, { body_template: template, content_type: null });
    expect(both.body).toMatchObject({ body_template: template, content_type: 'application/json' });
  });

  it.each<[string, object]>([
    ['a new one', { content_type: 'text/plain' }],
    ['one that loses its template', { body_template: null, content_type: 'text/plain' }],
  ])('is needed for a content type: %s', async (_, fields) => {
    const made = await add({ body_template: template });
    const refused =
      'body_template' in fields ? await change(made.body.id, fields) : await add(fields);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      {
        pointer: '#/content_type',
        detail: 'must come with `body_template`: it is the type of its bodies',
      },
    ]);
  });

  it('is no chat', async () => {
    const chat = { kind: 'discord', url: 'https://discord.com/api/webhooks/1/t' };
    const { body } = await api.call('/v1/channels', { body: chat });
    const refused = await change(body.id, { body_template: template });
    expect(refused.body.errors).toEqual([
      { pointer: '#/body_template', detail: 'is not for Discord channels' },
    ]);
  });
});

describe('a template is refused', () => {
  it.each([
    ['', 'must have at least 1 and at most 8,000 characters'],
    [`"${'a'.repeat(8_000)}"`, 'must have at least 1 and at most 8,000 characters'],
    [
      '{\n  "text": "{{headlin}}"\n}',
      'is wrong at line 2, column 12: {{headlin}} is not a known name; the nearest are headline, held_for, level',
    ],
    [
      '{{#alerts}}{{head}}{{/alerts}}',
      'at line 1, column 12: {{head}} is not a known name; the nearest are headline',
    ],
    ['{"a": {{alerts.now}}}', 'alerts is a list, so write {{#alerts}}{{now}}{{/alerts}}'],
    ['{"a": {{moves.lowst}}}', 'the nearest are moves.lowest, moves.last, moves.highest'],
    ['{"a": {{now.cents}}}', '{{now.cents}} is not a known name; now has no names'],
    [
      '{{#alerts}}{{#alerts}}{{/alerts}}{{/alerts}}',
      'column 12: {{#alerts}} is inside of a list like it',
    ],
    [
      '{{#alerts}}{{#recovered}}{{/recovered}}{{/alerts}}',
      '{{#recovered}} is inside of a list like it',
    ],
    ['{"a": {{{now}}}}', 'without escaping: write {{name}}'],
    ['{{> part}}', 'there are no partials'],
    ['{"a": "{{#now}}"}', 'column 18: {{#now}} must be closed by {{/now}} before this place'],
    [
      '{"ids": [{{#alerts}}{{id}},{{/alerts}}]}',
      'column 39 for the sample "alert": the body is not valid application/json: "]" comes after …',
    ],
    [
      '{"a": 1',
      'for the sample "alert": the body is not valid application/json: it ends after …{"a": 1',
    ],
    ['{"a": "{{alerts}}"}', 'a list or an object can’t be written between quotation marks'],
    ['{"a": "\\{{headline}}"}', 'no value can come right after a backslash'],
    // Only where a venue is not known.
    [
      '{"a": 1 {{#venue_name}}, "v": "{{venue_name}}"{{/venue_name}}{{^venue_name}};{{/venue_name}}}',
      'for the sample "alert"',
    ],
    // Only where there was no message about several.
    [
      '{"a": {{#is_several}}1{{/is_several}}{{^is_several}}{{now}}{{/is_several}}{{#more}}x{{/more}}}',
      'for the sample "many"',
    ],
    [
      '{"now": {{#now}}{{now}}{{/now}}}',
      'for the sample "alert": the body is not valid application/json: "}" comes after …{"now": ',
    ],
  ])('%j: %s', async (body_template, words) => {
    const { status, body } = await add({ body_template });
    expect(status).toBe(400);
    expect(body.errors[0].pointer).toBe('#/body_template');
    expect(body.errors[0].detail).toContain(words);
  });

  it('if one alert does not fit into 20,000 bytes', async () => {
    const body_template = `"${'票'.repeat(7_000)}"`;
    const { status, body } = await add({ body_template });
    expect(status).toBe(400);
    expect(body.errors[0].detail).toContain('has more than 20,000 bytes even with one alert');
  });

  it.each([
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__.polluted'],
    ...['alerts.length', 'headline.length', 'moves.constructor', 'now.toFixed', 'alerts.0.now'],
  ])('if it names what every object has: %s', async (name) => {
    for (const body_template of [`"{{${name}}}"`, `"{{#${name}}}a{{/${name}}}"`]) {
      const { status, body } = await add({ body_template });
      expect(status).toBe(400);
      expect(body.errors[0].detail).toContain(`{{${name}}} is not a known name`);
    }
  });

  it('with 21 sections inside of one another', async () => {
    const nested = (depth: number) => `"a${'{{#now}}'.repeat(depth)}b${'{{/now}}'.repeat(depth)}"`;
    expect((await add({ body_template: nested(20) })).status).toBe(201);
    const { status, body } = await add({ body_template: nested(21) });
    expect([status, body.errors[0].detail]).toEqual([
      400,
      'is wrong at line 1, column 163: at most 20 sections can be inside of one another',
    ]);
  });

  it.each([
    ['{{#is_test}}x{{/is_test}}', 'for the sample "alert": the body is empty'],
    ['{{^is_test}}x{{/is_test}}', 'for the sample "test": the body is empty'],
    ['{{! only a comment }}\n ', 'for the sample "alert": the body is empty'],
  ])('as text that says nothing of a message: %j', async (body_template, words) => {
    const { status, body } = await add({ body_template, content_type: 'text/plain' });
    expect(status).toBe(400);
    expect(body.errors[0].detail).toContain(words);
  });

  it('with every unknown name at once', async () => {
    const { body } = await add({ body_template: '{{a1}}{{a2}}{{a3}}', content_type: 'text/plain' });
    expect(body.errors).toHaveLength(3);
  });

  it.each([
    [
      'a={{headline}} &b=1',
      'for the sample "alert": the body is not valid application/x-www-form-urlencoded: " " comes after',
    ],
    ['a=100%', 'the body is not valid application/x-www-form-urlencoded: "%" comes after …a=100'],
    ['a=é', '"é" comes after …a='],
    ['a={{listings}}', 'a list or an object can’t be written as text; use it as a section'],
  ])('as a form: %j: %s', async (body_template, words) => {
    const { body } = await add({
      body_template,
      content_type: 'application/x-www-form-urlencoded',
    });
    expect(body.errors[0].detail).toContain(words);
  });
});

it.each([
  [template, undefined],
  ['{"alerts": {{alerts}}, "recovered": {{recovered}}, "more": {{more}}}', undefined],
  ['{"content": "{{headline}}{{#watch_url}} ({{watch_url}}){{/watch_url}}"}', undefined],
  ['[{{#alerts}}{"id": "{{id}}"}{{^is_last}},{{/is_last}}{{/alerts}}]', undefined],
  ['{"a": {{#is_alert}}"{{event_name}}"{{/is_alert}}{{^is_alert}}null{{/is_alert}}}', undefined],
  [
    '{"a": 1{{#venue_name}}, "v": "{{venue_name}}"{{/venue_name}}{{#is_test}}, "t": true{{/is_test}}}',
    undefined,
  ],
  ['{"a": [{{#listings}}{{price}}{{^is_last}}, {{/is_last}}{{/listings}}]}', undefined],
  [`{"a": "${'é'.repeat(5_000)}"}`, undefined],
  ['{{headline}}\n{{#alerts}}\n- {{push}} {{tickets_url}}\n{{/alerts}}\n', 'text/plain'],
  ['token=a&message={{headline}}&url={{tickets_url}}', 'application/x-www-form-urlencoded'],
])('the template %j is taken as %s', async (body_template, content_type) => {
  const { status } = await add({ body_template, ...(content_type && { content_type }) });
  expect(status).toBe(201);
});
