// The body that a template makes of a message: valid, under 20 KB, whatever the names and however many alerts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { readUntoldMark } from '#shared/delivery/message/untold-alerts.ts';
import type { ContentType } from '#shared/delivery/template/content-types.ts';
import { templateBody } from '#shared/delivery/template/template-body.ts';
import { templateData } from '#shared/delivery/template/template-data.ts';
import { templateDataSchema } from '#shared/delivery/template/template-data-schema.ts';
import { aListingAlert, anAlert, hostileNames } from '#test/support/alerts.ts';
import { outgoingOf, sampleOutgoing } from '#test/support/messages.ts';

const everything = { alerts: 500, alertBytes: Number.POSITIVE_INFINITY };
const idOf = (index: number) => `alt_${String(index).padStart(32, '0')}_1`;

function made(
  template: string,
  outgoing = outgoingOf({ alerts: [anAlert()] }),
  type?: ContentType,
) {
  const result = templateBody(template, type ?? 'application/json', outgoing);
  if (!('body' in result)) throw new Error(result.failure);
  expect(Buffer.byteLength(result.body)).toBeLessThanOrEqual(20_000);
  return result.body;
}

describe.each(Object.entries(sampleOutgoing))('the data of the message %s', (_, outgoing) => {
  it('is as the schema describes it', () => {
    const data: unknown = JSON.parse(JSON.stringify(templateData(outgoing)(everything)));
    expect(templateDataSchema.parse(data)).toEqual(data);
  });
});

describe('the fields beside the lists', () => {
  const template =
    '{"id": {{id}}, "now": {{now}}, "n": {{count}}, "rows": [{{#alerts}}"{{id}}"{{^is_last}},{{/is_last}}{{/alerts}}], "back": {{#recovered}}"{{id}}"{{/recovered}}{{^recovered}}null{{/recovered}}}';
  const read = (name: string): unknown => JSON.parse(made(template, sampleOutgoing[name]));

  it('are those of the only alert', () => {
    const id = 'alt_00000000000000000000000000000001_1';
    expect(read('level')).toEqual({ id, now: 74, n: 1, rows: [id], back: null });
  });

  it('are those of the only recovery, which is not among the alerts', () => {
    const id = 'alt_00000000000000000000000000000001_1_r';
    expect(read('recovery')).toEqual({ id, now: 85, n: 1, rows: [], back: id });
  });

  it('are null for several alerts and for a test', () => {
    const rows = ['alt_moved', ...Array(2).fill('alt_00000000000000000000000000000001_1')];
    expect(read('digest')).toEqual({ id: null, now: null, n: 3, rows, back: null });
    expect(read('test')).toEqual({ id: null, now: null, n: 0, rows: [], back: null });
  });
});

describe('a body that would be too large', () => {
  const many = (count: number, changes: Partial<Alert> = {}) =>
    outgoingOf({
      alerts: Array.from({ length: count }, (_, index) =>
        anAlert({ ...changes, alertId: idOf(index) }),
      ),
    });

  it('tells fewer alerts, and knows how many are left and where they are', () => {
    const body = made(
      '{"ids": [{{#alerts}}"{{id}} {{headline}} {{headline}} {{sentence}}"{{^is_last}},{{/is_last}}{{/alerts}}], "more": {{more}}, "url": {{more_url}}}',
      many(300),
    );
    const { ids, more, url } = JSON.parse(body) as { ids: string[]; more: number; url: string };
    expect(ids.length).toBeGreaterThan(60);
    expect(ids.length + more).toBe(300);
    const all = Array.from({ length: 300 }, (_, index) => idOf(index));
    const rest = readUntoldMark(new URL(url).searchParams.get('untold') ?? '', all);
    expect(rest).toEqual(all.slice(ids.length));
  });

  it('tells all alerts where each takes little room', () => {
    const body = made('{{#alerts}}{{id}} {{/alerts}}', many(400), 'text/plain');
    expect(body.trim().split(' ')).toHaveLength(400);
  });

  it('cuts the names of a single alert', () => {
    const name = '票'.repeat(200);
    const repeated = '{{event_name}} {{venue_name}} {{sentence}} '.repeat(20);
    const one = outgoingOf({
      alerts: [anAlert({ eventName: name, venueName: name, sentence: name })],
    });
    expect(made(`${repeated}{{truncated}}`, one, 'text/plain')).toMatch(/票….* true$/s);
  });

  it('is given up when its own text is too large', () => {
    const result = templateBody(`"${'é'.repeat(12_000)}"`, 'application/json', many(1));
    expect(result).toEqual({ failure: 'template_too_large' });
  });
});

it.each<[string, ContentType, string]>([
  ['{{#alerts}}', 'text/plain', 'template_failed'],
  ['{"a": "{{alerts}}"}', 'application/json', 'template_failed'],
  ['{"a": {{now}}', 'application/json', 'template_not_valid'],
  ['a b', 'application/x-www-form-urlencoded', 'template_not_valid'],
])('%j as %s makes no body: %s', (template, type, failure) => {
  const outgoing = outgoingOf({ alerts: [anAlert()] });
  expect(templateBody(template, type, outgoing)).toEqual({ failure });
});

const scalars = [
  ...['type', 'headline', 'event_name', 'event_date', 'venue_name', 'sentence', 'series', 'now'],
  ...['before', 'level', 'urgent', 'value', 'level_text', 'watch_url', 'count', 'more', 'more_url'],
  ...['delivery_id', 'held_for', 'push', 'moves.last', 'covered_hours', 'direction'],
];
const scalar = fc.constantFrom(...scalars);
const plainText = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .map((text) => JSON.stringify(text.replaceAll('{', '')).slice(1, -1));
/** Inside of quotation marks. */
const { inString, value } = fc.letrec<{ inString: string; value: string }>((tie) => ({
  inString: fc
    .array(
      fc.oneof(
        plainText,
        scalar.map((name) => `{{${name}}}`),
        fc
          .tuple(scalar, plainText)
          .map(([name, inside]) => `{{#${name}}}${inside}{{.}}{{/${name}}}`),
        fc.tuple(scalar, plainText).map(([name, inside]) => `{{^${name}}}${inside}{{/${name}}}`),
        fc
          .constantFrom('alerts', 'recovered', 'paragraphs')
          .map((name) => `{{#${name}}}{{headline}}\\n{{/${name}}}`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
  value: fc.oneof(
    { maxDepth: 3 },
    tie('inString').map((inside) => `"${inside}"`),
    scalar.map((name) => `{{${name}}}`),
    fc.constantFrom(
      '{{alerts}}',
      '{{paragraphs}}',
      '{{moves}}',
      '{{listings}}',
      'null',
      '1.5',
      '[]',
    ),
    fc
      .tuple(fc.constantFrom('alerts', 'recovered', 'listings'), tie('value'))
      .map(([list, row]) => `[ {{#${list}}}${row}{{^is_last}}, {{/is_last}}{{/${list}}} ]`),
    fc
      .tuple(scalar, tie('value'), tie('value'))
      .map(([name, is, isNot]) => `{{#${name}}}${is}{{/${name}}}{{^${name}}}${isNot}{{/${name}}}`),
    fc
      .array(fc.tuple(tie('inString'), tie('value')), { maxLength: 3 })
      .map((fields) => `{ ${fields.map(([name, field]) => `"${name}": ${field}`).join(', ')} }`),
  ),
}));

const hostileText = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 }),
);
const alert = fc
  .record({
    eventName: hostileText,
    venueName: fc.option(hostileText, { nil: undefined }),
    eventDate: fc.option(fc.constant('2026-03-07'), { nil: undefined }),
    sentence: hostileText,
    role: fc.constantFrom('main', 'further', 'no_data', 'recovery'),
    zone: hostileText,
    listings: fc.nat(3),
    askedLevel: fc.option(fc.constant(8_000)),
    isUrgent: fc.boolean(),
  })
  .map(({ zone, listings, ...fields }) => ({
    ...fields,
    listings: aListingAlert(listings).listings.map((listing) => ({ ...listing, zone, row: zone })),
  }));

describe('any JSON template of known names', () => {
  it('makes JSON under 20 KB of any message', () => {
    fc.assert(
      fc.property(value, fc.array(alert, { minLength: 1, maxLength: 5 }), (template, some) => {
        const alerts = some.map((fields, index) => anAlert({ ...fields, alertId: idOf(index) }));
        expect(() => JSON.parse(made(template, outgoingOf({ alerts })))).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });

  it('holds the whole name between its marks', () => {
    fc.assert(
      fc.property(inString, hostileText, (around, eventName) => {
        const outgoing = outgoingOf({ alerts: [anAlert({ eventName })] });
        const body = made(`["${around}", "{{event_name}}"]`, outgoing);
        const [, name] = JSON.parse(body) as string[];
        expect(name).toBe(outgoing.told[0]?.message.event.name);
      }),
      { numRuns: 100 },
    );
  });
});
