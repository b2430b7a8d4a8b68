/** Parses the flags of the local commands; each mistake gives one clear line. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LocalRunError, messageOf } from './errors.ts';

export const defaultPort = 7470;

const unitMs = { ms: 1, s: 1000, m: 60_000 } as const;
/** Scheduled times are in whole seconds, so two firings must be at least a second apart. */
const shortestTickMs = 1000;
const longestTickMs = 3_600_000;

export const commonFlags = {
  port: { type: 'string', default: String(defaultPort) },
  tick: { type: 'string', default: '10s' },
  verbose: { type: 'boolean', default: false },
  assembly: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options'];

/**
 * Like `parseArgs`, with a message written for a person.
 *
 * @throws LocalRunError naming the wrong flag
 */
export function readFlags<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs({ strict: true, ...config });
  } catch (error) {
    throw new LocalRunError(`${firstSentence(messageOf(error))} See --help.`, { cause: error });
  }
}

/** @throws LocalRunError unless it is 0 (any free ports) or a port that a process may listen on */
export function parsePort(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && (port === 0 || (port >= 1024 && port <= 65_535))) return port;
  throw new LocalRunError(`--port takes a number from 1024 to 65535, or 0, not "${given}".`);
}

/** @returns milliseconds @throws LocalRunError unless it is a duration such as 5s */
export function parseTickMs(given: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(given);
  const tickMs = found ? Number(found[1]) * unitMs[found[2] as keyof typeof unitMs] : 0;
  if (tickMs >= shortestTickMs && tickMs <= longestTickMs) return tickMs;
  throw new LocalRunError(`--tick takes a duration from 1s to 60m, such as 5s, not "${given}".`);
}

/** @throws LocalRunError unless it is a plain number above 0 and at most `most` */
export function parsePositive(flag: string, given: string, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN;
  if (value > 0 && value <= most) return value;
  throw new LocalRunError(`--${flag} takes a number above 0, at most ${most}, not "${given}".`);
}

/** @throws LocalRunError unless it is a number from 0 to 1 */
export function parseShare(given: string): number {
  const value = Number(given);
  if (/^\d+(\.\d+)?$/.test(given) && value <= 1) return value;
  throw new LocalRunError(`--odd takes a number from 0 to 1, not "${given}".`);
}

function firstSentence(message: string): string {
  const [sentence = message] = message.split(/\. |\n/);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
