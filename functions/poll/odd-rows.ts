// What a feed's record says of rows that the market sent and that could not be read.
import type { Fetched } from './fetch.ts';

/** Nothing where every row could be read. */
export function oddRowFault(oddRows: readonly string[]): NonNullable<Fetched['faults']> {
  const [first] = oddRows;
  if (first === undefined) return {};
  const words = first.slice(0, 200).toWellFormed();
  return {
    row: `The market sent rows that cannot be read (${oddRows.length}); they were left out. The first: ${words}`,
  };
}
