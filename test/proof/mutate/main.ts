// `npm run mutate -- FILES` changes files in small ways and runs the nearest tests of each: a change that
// no test, type or lint rule notices is a gap. README.md explains the output.
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { openCompiler } from './compiler.ts';
import { createFileTests } from './file-tests.ts';
import { openJournal } from './journal.ts';
import { type Judged, judgeMutant, type Survivor } from './judge.ts';
import { describeMutant, type Mutant, mutantsOf } from './mutants.ts';
import { shuffled } from './shuffle.ts';
import { openTestRunner } from './test-runner.ts';

const root = join(import.meta.dirname, '../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    most: { type: 'string', default: '1000' },
    tests: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    skip: { type: 'string' },
    journal: { type: 'string', default: '' },
  },
});
const whole = z.coerce.number().int().nonnegative();
const options = {
  seed: whole.parse(values.seed),
  seconds: whole.parse(values.seconds),
  most: whole.parse(values.most),
  tests: whole.parse(values.tests),
};
const places = positionals.map((place) => {
  const [file = '', line] = place.split(':');
  return { path: resolve(file), line };
});
if (places.length === 0)
  throw new Error('name the files to change, such as shared/dynamo/budget.ts');

const endsAt = Date.now() + options.seconds * 1_000;
const configs = ['tsconfig.json', 'infra/tsconfig.json'].map((name) => join(root, name));
const compiler = openCompiler(root, configs);
const runner = openTestRunner();
const test = createFileTests(root, runner, options.tests);
const journal = openJournal(values.journal);

const all = places.flatMap(({ path, line }) => {
  const text = readFileSync(path, 'utf8');
  return mutantsOf(compiler.parse(path))
    .filter(({ kind }) => kind.includes(values.only) && !isSkipped(kind))
    .filter((mutant) => line === undefined || describeMutant(text, mutant).line === Number(line))
    .map((mutant) => ({ path, mutant }));
});
const chosen = shuffled(all, options.seed).slice(0, options.most);
const judged: Judged[] = [];
try {
  for (const { path, mutant } of chosen) {
    if (Date.now() > endsAt) break;
    const text = readFileSync(path, 'utf8');
    const found = journal.find(text, mutant) ?? (await judgeNow({ path, text, mutant }));
    judged.push(found);
    const by = found.test === undefined ? found.by : `${found.by} ${basename(found.test)}`;
    console.error(
      `${judged.length}/${chosen.length} ${found.file}:${found.line} ${found.change}: ${by}`,
    );
  }
} finally {
  compiler.close();
  await runner.close();
}
report();

async function judgeNow(next: { path: string; text: string; mutant: Mutant }): Promise<Judged> {
  const found = await judgeMutant({ compiler, test, root }, next);
  journal.add(next.text, next.mutant, found);
  return found;
}

function isSkipped(kind: string): boolean {
  return values.skip !== undefined && kind.includes(values.skip);
}

function report(): void {
  const files = [...new Set(judged.map(({ file }) => file))].sort();
  console.log(`${'file'.padEnd(44)} mutants  types  tests  late  equal  survived`);
  for (const file of files) console.log(file.padEnd(44), ...counts(file));
  const survivors = judged.filter((each): each is Survivor => each.by === 'nothing');
  for (const { file, line, change } of survivors) console.log(`${file}:${line}  ${change}`);
  const { seed } = options;
  const [mutants, types, tests, late, equal, survived] = counts();
  console.log(
    JSON.stringify({
      ...{ seed, made: all.length, mutants, types, tests, late, equal, survived },
      survivors,
    }),
  );
}

function counts(file?: string): number[] {
  const of = judged.filter((each) => file === undefined || each.file === file);
  const by = (noticed: Judged['by']) => of.filter((each) => each.by === noticed).length;
  return [of.length, by('types'), by('tests'), by('late'), by('equal'), by('nothing')];
}
