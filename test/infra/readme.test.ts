// Checks that the files named in infra/README.md exist and that its checklist has every number.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from './support/code-access.ts';

const readme = readFileSync(join(projectRoot, 'infra/README.md'), 'utf8');

it('names no file or folder that is not there', () => {
  const paths = [...readme.matchAll(/`((?:test|shared|functions|marketplace)\/[\w./-]*)`/g)];
  const named = paths.map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

it('has each of the seventy practices once', () => {
  const [, walk = ''] = readme.split('## Checklist');
  const rows = [...walk.matchAll(/^\| (\d+)(?:–(\d+))? +\| /gm)];
  const numbers = rows.flatMap(([, first = '', last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => Number(first) + n),
  );
  expect(numbers).toEqual(Array.from({ length: 70 }, (_, n) => n + 1));
});
