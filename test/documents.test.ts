// Every file that a document names exists: by a link, or in backticks (faults S17).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot as root } from './support/source-files.ts';

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const documents = tracked.filter((path) => path.endsWith('.md'));

/** Paths in backticks that start with a folder of this repository, and bare names of source files. */
const inBackticks =
  /`((?:\.\.\/)*(?:functions|shared|infra|marketplace|console|test|faults)\/[\w./-]+|[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|py|toml))`/g;
const linked = /\]\(([^)#:]+)(?:#[^)]*)?\)/g;

function namedIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(inBackticks), ...text.matchAll(linked)].map(([, path = '']) => path);
}

/** Whether a path is there: from the root, beside its document, or among the tests of its folder. */
function isThere(document: string, path: string): boolean {
  if (/^\.\.\/shared\/(?:api|marketplace|data|console)|^\.\.\/shared\/[\w-]+\.md$/.test(path))
    return true;
  const folder = dirname(document);
  const bases = ['', folder, 'test', join('test', folder)];
  const places = bases.flatMap((base) => [join(base, path), `${join(base, path)}.test.ts`]);
  if (places.some((place) => existsSync(join(root, place)))) return true;
  return !path.includes('/') && tracked.some((file) => file.endsWith(`/${path}`));
}

describe('the commands that a document names', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const commandsIn = (document: string) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/\bnpm run ([\w:-]+)/g)].map(
      ([, name = '']) => name,
    );

  it.each(documents)('%s names only scripts of package.json', (document) => {
    expect(commandsIn(document).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('are found in text and in blocks of code', () => {
    expect(commandsIn('infra/runbooks.md')).toEqual(
      expect.arrayContaining(['deploy', 'redrive', 'restore', 'rollback', 'telegram', 'unblock']),
    );
  });
});

describe('the files that a document names', () => {
  it.each(documents)('%s names only files that exist', (document) => {
    expect(namedIn(document).filter((path) => !isThere(document, path))).toEqual([]);
  });

  it('are found in backticks and links', () => {
    expect(namedIn('SECURITY.md').length).toBeGreaterThan(20);
    expect(isThere('SECURITY.md', 'test/no-such-file.test.ts')).toBe(false);
  });
});
