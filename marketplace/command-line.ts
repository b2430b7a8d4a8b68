/** Reading flags: what can't be followed is one sentence for the person. Starts nothing. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Thrown for a command line that can't be followed: print the message, exit with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError for an unknown flag, a missing value or a stray word. */
export function readFlags<O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: O,
) {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (cause) {
    const [line] = (cause instanceof Error ? cause.message : String(cause)).split('. ');
    throw new UsageError(`${line}; see --help`, { cause });
  }
}

/** @throws UsageError unless the text is a plain number of at least `min`. */
export function readNumber(
  flag: string,
  text: string,
  o: { min: number; integer?: boolean },
): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= o.min && (!o.integer || Number.isSafeInteger(value))) return value;
  throw new UsageError(
    `--${flag} ${text}: give ${o.integer ? 'an integer' : 'a number'} of at least ${o.min}`,
  );
}

/** @throws UsageError unless the text is a plain number from 0 to 1. */
export function readShare(flag: string, text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 1) return value;
  throw new UsageError(`--${flag} ${text}: give a number from 0 to 1`);
}

/** @throws UsageError unless the text is an ISO 8601 datetime; answers epoch milliseconds. */
export function readInstant(flag: string, text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`--${flag} ${text}: give an ISO 8601 datetime`);
}

/** @throws UsageError when there is no such file. */
export function readExistingFile(flag: string, file: string): string {
  if (existsSync(file)) return file;
  throw new UsageError(`--${flag} ${file}: no such file`);
}

/** @throws UsageError when the folder that a file is to lie in does not exist. */
export function readFileToBe(flag: string, file: string): string {
  if (file === ':memory:' || existsSync(dirname(file))) return file;
  throw new UsageError(`--${flag} ${file}: there is no folder ${dirname(file)}`);
}
