/** The errors of a local run. */

/** The person can fix it: a flag, a port, a file, a template. Shown as one line, exit code 2. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
}

/** A replay that made no progress before all of it was polled. Shown as one line, exit code 1. */
export class StandstillError extends Error {
  override readonly name = 'StandstillError';
}

/** @returns the message of any thrown value, for one line on the terminal */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
