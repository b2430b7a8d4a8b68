// A fault in a rule that a person sent, and how its place is written.

/** One fault: its place in the rule, as a JSON pointer (RFC 6901), and what to do. */
export interface RuleFault {
  pointer: string;
  message: string;
}

/** A JSON pointer (RFC 6901). */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
