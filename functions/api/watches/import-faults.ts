// The refusal of a file with faults: all of them, in the order of the lines, as far as a client can use them.
import { groupThousands } from '#shared/rules/words/words.ts';
import { type ProblemError, problem } from '../problem.ts';
import { wordsOf } from './row-outcome.ts';
import type { FileFault } from './watchlist-file.ts';

/** A file with one wrong column has a fault in each row; a person can't read 10,000 of them. */
const mostListed = 1_000;

export function importFaults(faults: readonly FileFault[]): ProblemError {
  const ordered = faults.toSorted((a, b) => a.line - b.line);
  const listed = ordered.slice(0, mostListed);
  const [first] = listed;
  const parts = ['Nothing was changed'];
  if (first) parts.push(`Line ${first.line}: ${wordsOf(first)}`);
  if (listed.length < ordered.length) {
    const [shown, all] = [listed.length, ordered.length].map(groupThousands);
    parts.push(`The first ${shown} of ${all} faults are listed`);
  }
  return problem('invalid-request', parts.join('. '), { errors: listed });
}
