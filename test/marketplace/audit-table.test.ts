import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('each test file that the table of api.md’s sections names exists', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../marketplace/README.md'), 'utf8');
  const table = readme.slice(readme.indexOf('## api.md, section by section'));
  const files = [...new Set([...table.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file]) => file))];
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) await access(join(import.meta.dirname, file ?? ''));
});
