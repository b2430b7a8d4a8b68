// Judges one mutant: who notices it, or why nobody has to.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import * as z from 'zod';
import type { Compiler } from './compiler.ts';
import { applyMutant, describeMutant, type Mutant } from './mutants.ts';
import type { TestRunner } from './test-runner.ts';

export interface Judged {
  file: string;
  line: number;
  change: string;
  /** `equal`: equivalent.json says why it behaves the same. */
  by: 'types' | 'tests' | 'equal' | 'nothing';
}
export type Survivor = Judged & { by: 'nothing' };

/** A mutant that behaves like the file itself, known by its source line and its change. */
const equivalentSchema = z.array(
  z.strictObject({
    file: z.string(),
    source: z.string(),
    change: z.string(),
    reason: z.string().min(10),
  }),
);
const equivalents = equivalentSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')),
);

interface Judges {
  compiler: Compiler;
  runner: TestRunner;
  root: string;
}

interface Case {
  path: string;
  text: string;
  mutant: Mutant;
  tests: readonly TestSpecification[];
}

export async function judgeMutant(
  { compiler, runner, root }: Judges,
  { path, text, mutant, tests }: Case,
): Promise<Judged> {
  const found = { file: relative(root, path), ...describeMutant(text, mutant) };
  if (isEquivalent(text, found)) return { ...found, by: 'equal' };
  const changed = applyMutant(text, mutant);
  if (compiler.refuses(path, changed)) return { ...found, by: 'types' };
  const isNoticed = await runner.notices(tests, { path, text: changed });
  return { ...found, by: isNoticed ? 'tests' : 'nothing' };
}

function isEquivalent(text: string, found: Pick<Judged, 'file' | 'line' | 'change'>): boolean {
  const source = text.split('\n')[found.line - 1]?.trim();
  return equivalents.some(
    (known) =>
      known.file === found.file && known.source === source && known.change === found.change,
  );
}
