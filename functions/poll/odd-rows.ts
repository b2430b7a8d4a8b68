// The feed's fault record for rows that could not be parsed.
import type { Fetched } from './fetch.ts';

/** Empty if every row could be parsed. */
export function oddRowFault(oddRows: readonly string[]): NonNullable<Fetched['faults']> {
  const [first] = oddRows;
  if (first === undefined) return {};
  const words = first.slice(0, 200).toWellFormed();
  return {
    row: `The market sent rows that cannot be read (${oddRows.length}); they were left out. The first: ${words}`,
  };
}
