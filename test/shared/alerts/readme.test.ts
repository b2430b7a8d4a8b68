// The README says where each duty and each case is shown; this says that there is such a place.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => new URL(`../../../${path}`, import.meta.url);
const readme = readFileSync(read('shared/alerts/README.md'), 'utf8');

/** `a/{b,c}` names a/b and a/c; a place is a folder of tests, or a test with or without its ending. */
function placesOf(name: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)(?:\{([^}]*)\}(.*))?$/.exec(name) ?? [];
  return choices === undefined ? [before] : choices.split(',').map((one) => before + one + after);
}

const tables = readme
  .split('\n')
  .filter((line) => /^\| .*`(functions|shared|infra|proof)\//.test(line));
const named = tables.flatMap((line) =>
  [...line.matchAll(/`((?:functions|shared|infra|proof)\/[^`]+)`/g)].flatMap(([, name = '']) =>
    placesOf(name),
  ),
);

describe('the README', () => {
  it('names tests for at least forty duties and cases', () => {
    expect(tables.length).toBeGreaterThanOrEqual(40);
  });

  it.each([...new Set(named)])('names test/%s, which is there', (name) => {
    const endings = ['', '.test.ts', '.ts'];
    expect(endings.some((ending) => existsSync(read(`test/${name}${ending}`)))).toBe(true);
  });
});
