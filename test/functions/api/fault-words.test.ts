// The words for values whose schema has none of its own.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { faultsIn } from '#functions/api/faults.ts';

const fields = {
  text: z.string(),
  flag: z.boolean(),
  count: z.int(),
  list: z.array(z.string()),
  choice: z.enum(['a', 'b']),
  only: z.literal('a'),
  either: z.union([z.literal(1), z.string()]),
  kind: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('email') }),
    z.object({ kind: z.literal('slack') }),
  ]),
  names: z.record(z.string().regex(/^a/, 'must begin with a'), z.number()),
  until: z.iso.datetime({ offset: true }),
  own: z.string('must be a name of your own'),
  percent: z.number().gt(-100).max(1_000),
  orNull: z.int().min(1).max(86_400).nullable(),
  id: z.int().positive(),
  someOrNull: z.array(z.string()).min(1).nullable(),
};

describe('a value out of range', () => {
  it.each<[keyof typeof fields, unknown, string]>([
    ['percent', -100, 'must be above -100 and at most 1,000'],
    ['percent', 1_001, 'must be above -100 and at most 1,000'],
    ['orNull', 0, 'must be at least 1 and at most 86,400'],
    ['orNull', 1e9, 'must be at least 1 and at most 86,400'],
    ['id', 0, 'must be above 0'],
    ['id', 2 ** 53, 'must be above 0 and at most 9,007,199,254,740,991'],
    ['someOrNull', [], 'must have at least 1 entries'],
  ])('%s: %j', (field, value, detail) => {
    const schema = z.object({ [field]: fields[field] });
    const input = { [field]: value };
    const { error } = schema.safeParse(input);
    expect(error && faultsIn(error, { schema, input })).toMatchObject([{ detail }]);
    // Also without the schema, of which the issue has one bound.
    expect(error && faultsIn(error)[0]?.detail).toMatch(/^must (be (above|at)|have at)/);
  });
});

describe('a value of the wrong kind', () => {
  it.each<[keyof typeof fields, unknown, string, string]>([
    ['text', 7, '#/text', 'must be text'],
    ['text', undefined, '#/text', 'is missing; it must be text'],
    ['flag', 'yes', '#/flag', 'must be true or false'],
    ['count', 'x', '#/count', 'must be a number'],
    ['count', 1.5, '#/count', 'must be a whole number'],
    ['list', 'x', '#/list', 'must be a list'],
    ['choice', 'c', '#/choice', 'must be one of a, b'],
    ['only', 'c', '#/only', 'must be a'],
    ['either', true, '#/either', 'must be 1, or must be text'],
    ['kind', 5, '#/kind', 'must be an object'],
    ['kind', { kind: 'fax' }, '#/kind/kind', 'must be one of email, slack'],
    ['names', { b: 1 }, '#/names/b', 'is not a valid name: it must begin with a'],
    [
      'until',
      'soon',
      '#/until',
      'must be a date and time with its offset, such as 2026-03-01T19:30:00Z',
    ],
    ['own', 7, '#/own', 'must be a name of your own'],
  ])('%s: %j', (field, value, pointer, detail) => {
    const { error } = z.object({ [field]: fields[field] }).safeParse({ [field]: value });
    expect(error && faultsIn(error)).toEqual([{ pointer, detail }]);
  });
});
