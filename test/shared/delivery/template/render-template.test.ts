// What a template makes of data: the rules of Mustache, and the escaping of each content type.
import fc from 'fast-check';
import mustache from 'mustache';
import { describe, expect, it } from 'vitest';
import type { ContentType, TemplateValue } from '#shared/delivery/template/content-types.ts';
import { parseTemplate } from '#shared/delivery/template/parse-template.ts';
import { renderTemplate, TemplateError } from '#shared/delivery/template/render-template.ts';
import { hostileNames } from '#test/support/alerts.ts';

const data = {
  name: 'A "b" \\ c',
  price: 74.5,
  zero: 0,
  nothing: null,
  empty: '',
  yes: true,
  no: false,
  none: [],
  rows: [
    { id: 'x', seats: [{ row: 'A' }, { row: 'B' }], name: null },
    { id: 'y', seats: [], name: 'own' },
  ],
  words: ['one', 'two'],
  inner: { last: 3 },
};

function render(template: string, type: ContentType = 'text/plain', of: TemplateValue = data) {
  const parsed = parseTemplate(template);
  if ('fault' in parsed) throw new Error(parsed.fault.message);
  return renderTemplate(parsed.nodes, of, type).body;
}

describe('a template of plain text', () => {
  it.each([
    ['{{name}}, {{ price }}', 'A "b" \\ c, 74.5'],
    ['{{nothing}}{{unknown}}{{no}}', 'false'],
    ['{{#yes}}a{{/yes}}{{#no}}b{{/no}}{{^no}}c{{/no}}', 'ac'],
    ['{{#zero}}a{{/zero}}{{^zero}}b{{/zero}}', 'b'],
    ['{{#empty}}a{{/empty}}{{#nothing}}b{{/nothing}}{{#none}}c{{/none}}', ''],
    ['{{^empty}}a{{/empty}}{{^nothing}}b{{/nothing}}{{^none}}c{{/none}}', 'abc'],
    ['{{#rows}}{{id}}:{{#seats}}{{row}}{{id}}{{/seats}};{{/rows}}', 'x:AxBx;y:;'],
    // A field that is null is there, and hides the outer one.
    ['{{#rows}}[{{name}}]{{/rows}}', '[][own]'],
    ['{{#words}}{{.}},{{/words}}', 'one,two,'],
    ['{{inner.last}}{{#inner}}{{last}}{{/inner}}{{inner.first}}', '33'],
    ['{{#name}}{{.}}{{/name}}', 'A "b" \\ c'],
    ['a\n{{#words}}\n- {{.}}\n{{/words}}\nb\n{{! a comment }}\n', 'a\n- one\n- two\nb\n'],
  ])('%j becomes %j', (template, text) => {
    expect(render(template)).toBe(text);
  });

  it.each([
    'constructor',
    'toString',
    '__proto__',
    'name.length',
    'rows.length',
    'rows.0',
    'price.toFixed',
  ])('finds nothing in {{%s}}, which is no field of the data', (name) => {
    expect(render(`[{{${name}}}]`)).toBe('[]');
  });

  it('keeps each value in one line', () => {
    expect(render('{{a}}', 'text/plain', { a: 'Cup\r\nBcc: x\u2028y\u0000' })).toBe('Cup Bcc: x y');
  });

  it.each(['{{rows}}', '{{inner}}'])('refuses %s: it is no text', (template) => {
    expect(() => render(template)).toThrow(TemplateError);
  });
});

describe('a template of JSON', () => {
  const json = (template: string, of: TemplateValue = data) =>
    render(template, 'application/json', of);

  it.each([
    ['{"a": "{{name}}"}', '{"a": "A \\"b\\" \\\\ c"}'],
    ['{"a": {{name}}}', '{"a": "A \\"b\\" \\\\ c"}'],
    ['{"a": {{price}}, "b": "{{price}}"}', '{"a": 74.5, "b": "74.5"}'],
    ['{"a": {{nothing}}, "b": "{{nothing}}"}', '{"a": null, "b": ""}'],
    ['{"a": {{yes}}, "b": "{{yes}}"}', '{"a": true, "b": "true"}'],
    ['{"a": {{words}}, "b": {{inner}}}', '{"a": ["one","two"], "b": {"last":3}}'],
    ['{"{{name}}": 1}', '{"A \\"b\\" \\\\ c": 1}'],
    ['{"a": "\\"{{price}}\\\\", "b": {{price}}}', '{"a": "\\"74.5\\\\", "b": 74.5}'],
    ['{"a": "\\u0041{{price}}"}', '{"a": "\\u004174.5"}'],
    ['[{{#words}}"{{.}}",{{/words}}0]', '["one","two",0]'],
  ])('%j becomes %j', (template, text) => {
    expect(json(template)).toBe(text);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each([
    ['{"a": "{{words}}"}', 'between quotation marks'],
    ['{"a": "{{inner}}"}', 'between quotation marks'],
    ['{"a": "\\{{name}}"}', 'right after a backslash'],
    ['{"a": "\\u00{{price}}"}', 'right after a backslash'],
  ])('refuses %j: %s', (template, words) => {
    expect(() => json(template)).toThrow(words);
  });

  it.each(hostileNames)('holds any name between its marks: %j', (name) => {
    const body = json('{"text": "<{{a}}>", "a": {{a}}, "{{a}}": 1}', { a: name });
    const read: unknown = JSON.parse(body);
    expect(read).toMatchObject({ text: `<${name}>`, a: name });
    expect(Object.keys(read as object)).toHaveLength(3);
  });
});

describe('a template of a form', () => {
  it.each([...hostileNames, 'a&b=c', 'a+b', '%41'])('holds any name in its field: %j', (name) => {
    const body = render('text={{a}}&n={{n}}', 'application/x-www-form-urlencoded', {
      a: name,
      n: 5,
    });
    expect([...new URLSearchParams(body)]).toEqual([
      ['text', name.toWellFormed()],
      ['n', '5'],
    ]);
    expect(body).toMatch(/^[\w.*~!'()%&=+-]*$/);
  });
});

describe('a template without end is given up', () => {
  const rows = Array.from({ length: 300 }, () => ({
    words: Array.from({ length: 300 }, () => 'a'.repeat(300)),
  }));

  it.each([
    ['{{#rows}}{{#words}}{{#.}}{{/.}}{{/words}}{{/rows}}', 'repeats too much'],
    ['{{#rows}}{{#words}}{{.}}{{/words}}{{/rows}}', 'far over 20,000 bytes'],
    ['{{#rows}}{{words}}{{/rows}}', 'far over 20,000 bytes'],
  ])('%s: %s', (template, words) => {
    expect(() => render(template, 'application/json', { rows })).toThrow(words);
  });
});

it.each([
  ['{{{name}}}', 0, 'without escaping'],
  ['a{{&name}}', 1, 'without escaping'],
  ['{"a": {{{#yes}}"b": 1{{/yes}}}', 6, 'put a space after it'],
  ['a{{> part}}', 1, 'no partials'],
  ['ab{{=<% %>=}}<%name%>', 2, 'can’t be changed'],
  ['{{= name =}}', 0, 'can’t be changed'],
  ['a{{name', 1, '}} is missing'],
  ['{{#a}}{{#b}}{{/a}}{{/b}}', 12, '{{#b}} must be closed by {{/b}}'],
  ['{{#a}}x', 7, '{{#a}} must be closed by {{/a}}'],
  ['x{{/a}}', 1, '{{/a}} closes a section that was not opened'],
  ['{{#a}}'.repeat(21) + '{{/a}}'.repeat(21), 120, 'at most 20 sections'],
])('%j is no template, at %i: %s', (template, at, words) => {
  const parsed = parseTemplate(template);
  expect(parsed).toMatchObject({ fault: { at, message: expect.stringContaining(words) } });
});

const name = fc.constantFrom(
  'name',
  'price',
  'zero',
  'yes',
  'no',
  'none',
  'empty',
  'words',
  'rows',
  'id',
  'inner',
  'last',
  'inner.last',
  'row',
  'seats',
);
const text = fc.constantFrom('', ' ', '\n', 'a', ' b\n', '{ ', '}', '"', '\\');
const { tree } = fc.letrec<{ tree: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    text,
    name.map((each) =>
      ['words', 'rows', 'none', 'inner', 'seats'].includes(each) ? '' : `{{${each}}}`,
    ),
    fc.tuple(name, tie('tree')).map(([each, inside]) => `{{#${each}}}${inside}{{/${each}}}`),
    fc.tuple(name, tie('tree')).map(([each, inside]) => `{{^${each}}}${inside}{{/${each}}}`),
  ),
  tree: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
}));

it('makes of any template what Mustache for JavaScript makes of it', () => {
  const plain = { ...data, name: 'A b', rows: data.rows.map((row) => ({ ...row, name: 'own' })) };
  fc.assert(
    fc.property(tree, (template) => {
      const theirs = mustache.render(template, plain, {}, { escape: String });
      mustache.clearCache();
      expect(render(template, 'text/plain', plain)).toBe(theirs);
    }),
    { numRuns: 300 },
  );
});
