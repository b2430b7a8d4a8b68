// Every package is listed once, with its reason and its licence, in CONTRIBUTING.md.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface PackageJson {
  license?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const json = (path: string) => JSON.parse(read(path)) as PackageJson;

interface Row {
  name: string;
  reason: string;
  licence: string;
}

/** The rows of the table under a heading. */
function listedUnder(heading: string): Row[] {
  const [, section = ''] = read('CONTRIBUTING.md').split(`### ${heading}\n`);
  const [body = ''] = section.split('\n#');
  return [...body.matchAll(/^\| `([^`]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, name = '', reason = '', licence = '']) => ({ name, reason, licence }),
  );
}

const { dependencies = {}, devDependencies = {} } = json('package.json');
const sections = [
  ['In the product', dependencies],
  ['To build and test it', devDependencies],
] as const;

describe.each(sections)('the list "%s"', (heading, installed) => {
  const rows = listedUnder(heading);

  it('names every package of package.json once, in order, and no other', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(installed).sort());
  });

  it('gives each its licence, as the package says it', () => {
    const said = rows.map(({ name }) => [name, json(`node_modules/${name}/package.json`).license]);
    expect(rows.map(({ name, licence }) => [name, licence])).toEqual(said);
  });
});

describe('versions', () => {
  it('are pinned', () => {
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('have install scripts for those alone that need one', () => {
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object };
    expect(Object.keys(allowScripts)).toEqual(['classic-level', 'esbuild', 'node']);
  });
});

describe('the lock file', () => {
  it('names no registry', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });
});
