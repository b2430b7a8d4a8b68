import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '#functions/api/conventions/json-fault.ts';

describe('the place where a text stops being JSON', () => {
  it.each([
    ['{"a": 1,}', 8],
    ['{"a": 1 "b": 2}', 8],
    ["{'a': 1}", 1],
    ['{"a": hello}', 6],
    ['{"a": 01}', 7],
    ['{"a": "line\nbreak"}', 6],
    ['{"a": "\\x"}', 6],
    ['[1, 2', 5],
    ['{"a"', 4],
    ['[1}', 2],
    ['[1] 2', 4],
    ['', 0],
    ['  // no\n{}', 2],
    ['a=b', 0],
  ])('of %j is %i', (text, offset) => {
    expect(findJsonFault(text)).toBe(offset);
  });

  it('is none in JSON, however it is laid out', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        expect(findJsonFault(JSON.stringify(JSON.parse(text), null, indent))).toBeUndefined();
      }),
    );
  });

  it('is there in just those texts that can not be parsed', () => {
    const piece = fc.constantFrom(
      ...'{}[],: "\\un0-1.e+tfa\n'.split(''),
      'true',
      'null',
      '"a"',
      '\u0000',
      '\u0085',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 3_000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
