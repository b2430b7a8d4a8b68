// Records the verdicts of a mutation run, one line each, so that an interrupted run can continue.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Judged } from './judge.ts';
import type { Mutant } from './mutants.ts';

const lineSchema = z.object({
  key: z.string(),
  judged: z.object({
    ...{ file: z.string(), line: z.number(), change: z.string(), test: z.string().optional() },
    by: z.enum(['types', 'tests', 'late', 'equal', 'nothing']),
  }),
});

export interface Journal {
  /** @returns the earlier verdict, except for a survivor, since a new test may notice it. */
  find(text: string, mutant: Mutant): Judged | undefined;
  add(text: string, mutant: Mutant, judged: Judged): void;
}

/** @param path the journal's file; empty for no journal. */
export function openJournal(path: string): Journal {
  const lines = path !== '' && existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const known = new Map<string, Judged>();
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const { key, judged } = lineSchema.parse(JSON.parse(line));
    const { test, ...rest } = judged;
    known.set(key, { ...rest, ...(test !== undefined && { test }) });
  }
  return {
    find(text, mutant) {
      const found = known.get(keyOf(text, mutant));
      return found?.by === 'nothing' || found?.by === 'late' ? undefined : found;
    },
    add(text, mutant, judged) {
      if (path === '') return;
      appendFileSync(path, `${JSON.stringify({ key: keyOf(text, mutant), judged })}\n`);
    },
  };
}

/** The key of a change: the same change in the same text of its file. */
function keyOf(text: string, { start, end, by }: Mutant): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${hash}:${start}:${end}:${by}`;
}
