/** Reads flags: each invalid one gives a one-sentence error. Starts nothing. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import * as z from 'zod';

/** Thrown for an invalid command line: print the message, exit with 2. */
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

export interface Bounds {
  min: number;
  max: number;
  integer?: boolean;
}

/** Bounds of the numbers of `npm run marketplace`; clocks, dates or memory fail beyond them. */
export const boundsOf = {
  port: { min: 0, max: 65_535, integer: true },
  speed: { min: 0.001, max: 1_000_000 },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true },
  history: { min: 0, max: 366 },
  events: { min: 1, max: 100_000, integer: true },
  refresh: { min: 1, max: 604_800 },
  'cursor-lifetime': { min: 0, max: 31_536_000 },
} as const satisfies Record<string, Bounds>;

/** @throws UsageError unless the text is a plain number from `min` to `max`. */
export function readNumber(
  flag: string,
  text: string,
  { min, max, integer = false }: Bounds,
): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max && (!integer || Number.isSafeInteger(value))) return value;
  throw new UsageError(
    `--${flag} ${text}: give ${integer ? 'an integer' : 'a number'} from ${min} to ${max}`,
  );
}

/** @throws UsageError unless the text is a plain number from 0 to 1. */
export function readShare(flag: string, text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 1) return value;
  throw new UsageError(`--${flag} ${text}: give a number from 0 to 1`);
}

/**
 * Dates of the market have four digits of a year; the bounds leave room for history and later
 * events.
 */
const [earliestInstant, latestInstant] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)];
const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/**
 * @throws UsageError unless the text is an ISO 8601 date or datetime
 * @returns epoch milliseconds
 */
export function readInstant(flag: string, text: string): number {
  const at = instant.safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (at >= earliestInstant && at <= latestInstant) return at;
  throw new UsageError(
    `--${flag} ${text}: give an ISO 8601 datetime such as 2026-03-01T12:00:00Z, from 2000 to 2100`,
  );
}

/** @throws UsageError when there is no such file. */
export function readExistingFile(flag: string, file: string): string {
  if (existsSync(file)) return file;
  throw new UsageError(`--${flag} ${file}: no such file`);
}

/** @throws UsageError when the folder of the file does not exist. */
export function readFileToBe(flag: string, file: string): string {
  if (file === ':memory:' || existsSync(dirname(file))) return file;
  throw new UsageError(`--${flag} ${file}: there is no folder ${dirname(file)}`);
}
