// Judges one mutant: which check notices it, or why none needs to.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import type { Compiler } from './compiler.ts';
import { applyMutant, describeMutant, type Mutant } from './mutants.ts';
import type { Change, Ended } from './test-runner.ts';

export interface Judged {
  file: string;
  line: number;
  change: string;
  /** `late`: a test took many times as long. `equal`: equivalent.json explains why it behaves the same. */
  by: 'types' | 'tests' | 'late' | 'equal' | 'nothing';
  /** The test that noticed. */
  test?: string;
}
export type Survivor = Judged & { by: 'nothing' };

/** A mutant that behaves like the original file, identified by its source line and its change. */
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

const noticedBy = { passed: 'nothing', failed: 'tests', late: 'late' } as const;

/** For these kinds of change the type check runs first; for others last, because it takes as long as a test. */
const oftenRefused = new Set(['no await', 'never taken', 'always taken']);

interface Judges {
  compiler: Compiler;
  /** Runs the tests of the file until one notices the change. */
  test: (change: Change) => Promise<Ended>;
  root: string;
}

interface Case {
  path: string;
  text: string;
  mutant: Mutant;
}

export async function judgeMutant(
  { compiler, test, root }: Judges,
  { path, text, mutant }: Case,
): Promise<Judged> {
  const found = { file: relative(root, path), ...describeMutant(text, mutant) };
  if (isEquivalent(text, found)) return { ...found, by: 'equal' };
  const changed = applyMutant(text, mutant);
  const isOftenRefused = oftenRefused.has(mutant.kind);
  if (isOftenRefused && compiler.refuses(path, changed)) return { ...found, by: 'types' };
  const ended = await test({ path, text: changed });
  const by = noticedBy[ended.verdict];
  if (ended.verdict !== 'passed') return { ...found, by, test: ended.test };
  const isRefused = !isOftenRefused && compiler.refuses(path, changed);
  return { ...found, by: isRefused ? 'types' : 'nothing' };
}

function isEquivalent(text: string, found: Pick<Judged, 'file' | 'line' | 'change'>): boolean {
  const source = text.split('\n')[found.line - 1]?.trim();
  return equivalents.some(
    (known) =>
      known.file === found.file && known.source === source && known.change === found.change,
  );
}
