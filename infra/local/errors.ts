/** What can go wrong with a local run, told by who can mend it. */

/** The person can mend it: a flag, a port, a file, a template. Shown as one line, exit code 2. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
}

/** A replay that stopped moving before all of it was polled. Shown as one line, exit code 1. */
export class StandstillError extends Error {
  override readonly name = 'StandstillError';
}

/** @returns the message of whatever was thrown, for one line on the terminal */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
