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
};

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
