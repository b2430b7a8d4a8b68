import { existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const documents = join(root, '../shared/marketplace');

async function readTable(): Promise<string> {
  const readme = await readFile(join(root, 'marketplace/README.md'), 'utf8');
  return readme.slice(readme.indexOf('## api.md, section by section'));
}

/** `statements open` of each row of the README's table, in order. */
function countsOf(table: string): string[] {
  return [...table.matchAll(/^\| [^|]+\| (\d+) +\| (\d+) +\|/gm)].map(
    ([, statements, open]) => `${statements} ${open}`,
  );
}

/** Statements of one line: a row of a table, or each part of a sentence that introduces no list. */
function statementsOf(line: string): string[] {
  if (line.startsWith('|')) return [line];
  const text = line.replace(/^(\d+\.|-)\s+/, '').replaceAll('e.g. ', '');
  return text.split(/(?<=[.;:])\s+/).filter((part) => part !== '' && !part.endsWith(':'));
}

/** `statements open` of each section with statements, in order. */
function countStatements(markdown: string): string[] {
  const sections: { statements: number; open: number }[] = [];
  let rowsOfTable = 0;
  for (const line of markdown.split('\n').map((text) => text.trim())) {
    rowsOfTable = line.startsWith('|') ? rowsOfTable + 1 : 0;
    if (line.startsWith('#')) sections.push({ statements: 0, open: 0 });
    const section = sections.at(-1);
    // The first two rows of a table are its header.
    if (!section || line.startsWith('#') || (rowsOfTable > 0 && rowsOfTable <= 2)) continue;
    const found = statementsOf(line);
    section.statements += found.length;
    section.open += found.filter((text) => /(?<!")not shown/.test(text)).length;
  }
  return sections
    .filter(({ statements }) => statements > 0)
    .map(({ statements, open }) => `${statements} ${open}`);
}

it('each test file that the table of api.md’s sections names exists', async () => {
  const table = await readTable();
  const files = [...new Set([...table.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file]) => file))];
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) await access(join(import.meta.dirname, file ?? ''));
});

it.skipIf(!existsSync(documents))(
  'the table counts every statement of api.md and facts.md, section by section',
  async () => {
    const read = (name: string) => readFile(join(documents, name), 'utf8');
    const counted = [
      ...countStatements(await read('api.md')),
      ...countStatements(await read('facts.md')),
    ];
    expect(countsOf(await readTable())).toEqual(counted);
  },
);
