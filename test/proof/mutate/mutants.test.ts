import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCompiler } from './compiler.ts';
import { applyMutant, describeMutant, mutantsOf } from './mutants.ts';

const source = `
export async function take(send: (of: object) => Promise<void>, left: number) {
  if (left < 2) return;
  await send({ condition: { and: [{ attr: 'a', lte: left }, { attr: 'b', exists: true }] } });
}
`;

it('changes conditions, operators, constants, awaits and calls, and refuses what does not compile', () => {
  const root = mkdtempSync(join(tmpdir(), 'mutants-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const path = join(root, 'take.ts');
  const config = join(root, 'tsconfig.json');
  const compilerOptions = { target: 'es2024', strict: true, types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['take.ts'] }));
  writeFileSync(path, source);
  const compiler = openCompiler(root, [config]);
  onTestFinished(() => compiler.close());

  const mutants = mutantsOf(compiler.parse(path)).map((mutant) => ({
    change: describeMutant(source, mutant).change,
    isRefused: compiler.refuses(path, applyMutant(source, mutant)),
  }));
  const changes = mutants.map(({ change }) => change);
  expect(changes).toHaveLength(11);
  expect(changes).toEqual(
    expect.arrayContaining([
      'operator: < → <=',
      'never taken: left < 2 → false',
      'constant: 2 → (2 + 1)',
      "dropped condition: { attr: 'a', lte: left }, → nothing",
      "dropped condition: { attr: 'b', exists: true } → nothing",
      'comparison: lte → lt',
      'constant: true → false',
    ]),
  );
  expect(mutants.filter(({ isRefused }) => isRefused)).toMatchObject([
    { change: expect.stringMatching(/^no await: /) },
  ]);
});
