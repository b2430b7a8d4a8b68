// Text that is read as strict JSON: the time grows with its length and no faster, so each of these ends.
import { expect, it } from 'vitest';
import { readStrictJson } from '#functions/api/conventions/strict-json.ts';

const many = 500_000;

it.each([
  ['a string of quotes that never ends', `{"name":"${'\\"'.repeat(many)}`],
  ['a string of backslashes that never ends', `{"name":"${'\\\\'.repeat(many)}`],
  ['quotes', '"'.repeat(many)],
  ['closing brackets', ']'.repeat(many)],
  ['commas', `[${','.repeat(many)}`],
  ['digits that end in a letter', `[${'1'.repeat(many)}x`],
  ['spaces', `[${' '.repeat(many)}`],
])('a megabyte of %s is refused', (_what, text) => {
  expect(readStrictJson(text)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^The body is not valid JSON/),
  });
});

it('a megabyte of valid JSON is read', () => {
  const value = { names: Array.from({ length: 50_000 }, () => 'a "quoted" name') };

  expect(readStrictJson(JSON.stringify(value))).toEqual({ ok: true, value });
});
