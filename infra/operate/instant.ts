/** A moment that a person gives a command. */
import { OperatorError } from './command.ts';

/** @returns epoch milliseconds. @throws OperatorError for anything but an ISO 8601 instant with its offset */
export function instantOf(flag: string, given: string): number {
  const at = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new OperatorError(`${flag} takes an instant such as 2026-11-30T08:00:00Z, not "${given}".`);
}
