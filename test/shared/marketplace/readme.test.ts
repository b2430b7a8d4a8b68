import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'shared/marketplace');

/** The TypeScript blocks of a document, in order. */
function codeBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}

describe('the README of the client', () => {
  it('has examples that type-check as they stand', async () => {
    const blocks = codeBlocks(await readFile(join(FOLDER, 'README.md'), 'utf8'));
    expect(blocks).toHaveLength(4);
    const folder = await mkdtemp(join(tmpdir(), 'readme-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [index, block] of blocks.entries()) {
      await writeFile(join(folder, `example-${index}.ts`), block);
    }
    const tsconfig = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        paths: { '#shared/*': [join(ROOT, 'shared/*')] },
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: ['*.ts'],
      exclude: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const tsc = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [
      '-p',
      folder,
      '--noEmit',
    ]);
    await expect(tsc.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({
      stdout: '',
    });
  }, 60_000);

  it('names every error class', async () => {
    const readme = await readFile(join(FOLDER, 'README.md'), 'utf8');
    const errors = await import('#shared/marketplace/errors.ts');
    for (const name of Object.keys(errors)) expect(readme).toContain(`\`${name}`);
  });
});

it('reads no environment and needs no cloud: imports are zod, csv-parse, Node and itself', async () => {
  const { glob } = await import('node:fs/promises');
  const imported = new Set<string>();
  for await (const file of glob('**/*.ts', { cwd: FOLDER })) {
    const source = await readFile(join(FOLDER, file), 'utf8');
    expect(source, file).not.toMatch(/\bprocess\.|Date\.now\(\)|Math\.random\(\)/);
    for (const [, name = ''] of source.matchAll(/(?:from |import\()'([^.'][^']*)'/g))
      imported.add(name);
  }
  expect([...imported].sort()).toEqual(['csv-parse', 'node:stream', 'node:timers/promises', 'zod']);
});
