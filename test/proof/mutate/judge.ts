// Judges one mutant: who notices it, or why nobody has to.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import * as z from 'zod';
import type { Compiler } from './compiler.ts';
import type { MeetingRunner } from './meeting-runner.ts';
import { applyMutant, describeMutant, type Mutant } from './mutants.ts';
import type { TestRunner } from './test-runner.ts';

export interface Judged {
  file: string;
  line: number;
  change: string;
  /** `late`: a test took many times as long. `equal`: equivalent.json says why it behaves the same. */
  by: 'types' | 'tests' | 'late' | 'equal' | 'nothing';
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

const noticedBy = { passed: 'nothing', failed: 'tests', late: 'late' } as const;

interface Judges {
  compiler: Compiler;
  runner: TestRunner;
  meetings: MeetingRunner;
  root: string;
}

interface Case {
  path: string;
  text: string;
  mutant: Mutant;
  /** The tests to run when the store's contention suite notices nothing. */
  findTests: () => Promise<readonly TestSpecification[]>;
}

export async function judgeMutant(
  { compiler, runner, meetings, root }: Judges,
  { path, text, mutant, findTests }: Case,
): Promise<Judged> {
  const found = { file: relative(root, path), ...describeMutant(text, mutant) };
  if (isEquivalent(text, found)) return { ...found, by: 'equal' };
  const changed = applyMutant(text, mutant);
  if (compiler.refuses(path, changed)) return { ...found, by: 'types' };
  const change = { path, text: changed };
  const met = await meetings.run(path, change);
  const verdict = met === 'passed' ? await runner.run(await findTests(), change) : met;
  return { ...found, by: noticedBy[verdict] };
}

function isEquivalent(text: string, found: Pick<Judged, 'file' | 'line' | 'change'>): boolean {
  const source = text.split('\n')[found.line - 1]?.trim();
  return equivalents.some(
    (known) =>
      known.file === found.file && known.source === source && known.change === found.change,
  );
}
