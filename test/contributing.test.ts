// The tables of CONTRIBUTING.md's "Five changes" against the code: each names the files that name a member
// today, so that a new member touches no other.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { feedKind, naming } from './proof/structure/measures.ts';
import { projectRoot as root, sourcesUnder } from './support/source-files.ts';

const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The product, without the marketplace and its client: they have their own words for the same things. */
const product = ['functions', 'infra', 'shared']
  .flatMap(sourcesUnder)
  .filter(({ path }) => !path.startsWith('shared/marketplace/'));

const changes = [
  ['A channel', /discord/i],
  ['A feed kind', feedKind],
  ['A rule', /'any_change'/],
  ['A metric', /\bavg_price\b/],
  ['A route', /\bbudgetOperations\b/],
] as const;

/** The files in the first column of the table under a heading. */
function filesUnder(heading: string): string[] {
  const [, section = ''] = contributing.split(`\n### ${heading}\n`);
  const [own = ''] = section.split(/\n##/);
  return [...own.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path);
}

describe.each(changes)('%s', (heading, member) => {
  const files = filesUnder(heading);

  it('names files that exist', () => {
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names every file that names a member today', () => {
    expect(naming(product, member).filter((path) => !files.includes(path))).toEqual([]);
  });

  it('needs at most 12 files', () => {
    expect(files.length).toBeLessThanOrEqual(12);
  });
});

it('lists no file of the product that names no member of a kind', () => {
  const found = changes.flatMap(([heading, member]) => {
    const named = naming(product, member);
    return filesUnder(heading).filter(
      (path) => /^(functions|infra|shared(?!\/marketplace))/.test(path) && !named.includes(path),
    );
  });
  expect(found).toEqual([]);
});
