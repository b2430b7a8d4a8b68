/** Command line of the data service: starts it, prints address and keys, stops on a signal. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { MissingColumnError } from './replay.ts';
import { SimulationMismatchError } from './sources.ts';
import { type MarketplaceOptions, PortInUseError, startMarketplace } from './start.ts';
import { ForeignDatabaseError } from './store/store.ts';

const usage = `Usage: npm run marketplace -- [options]

  --port N              port on 127.0.0.1 (default 8787, 0 takes any free one)
  --db FILE             SQLite file (default :memory:, which keeps nothing)
  --seed N              seed of the simulated market (default 1)
  --speed N             market seconds per real second (default 1)
  --events N            events in the simulated catalog (default 500)
  --refresh SECONDS     how often each event refreshes (default 20 to 40 minutes)
  --start ISO           when the market's time begins on a new file (default now)
  --replay FILE         replay recorded prices from a CSV instead of simulating
  --no-source           no data but what the operator hands in
  --cursor-lifetime S   seconds a cursor is good for (default 3600)
  --help                this text`;

const options = {
  port: { type: 'string', default: '8787' },
  db: { type: 'string', default: ':memory:' },
  seed: { type: 'string', default: '1' },
  speed: { type: 'string', default: '1' },
  events: { type: 'string', default: '500' },
  refresh: { type: 'string' },
  start: { type: 'string' },
  replay: { type: 'string' },
  'no-source': { type: 'boolean', default: false },
  'cursor-lifetime': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Thrown for a command line that can't be followed: one line, exit code 2. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (cause) {
    const [line] = (cause instanceof Error ? cause.message : String(cause)).split('. ');
    throw new UsageError(`${line}; see --help`, { cause });
  }
}

function readNumber(flag: string, text: string, o: { min: number; integer?: boolean }): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= o.min && (!o.integer || Number.isSafeInteger(value))) return value;
  throw new UsageError(
    `--${flag} ${text}: give ${o.integer ? 'an integer' : 'a number'} of at least ${o.min}`,
  );
}

type Flags = ReturnType<typeof readArguments>;

function readSource(flags: Flags): MarketplaceOptions['source'] {
  const speed = readNumber('speed', flags.speed, { min: 0.001 });
  if (flags['no-source']) return { kind: 'none' };
  if (flags.replay !== undefined) {
    if (!existsSync(flags.replay)) throw new UsageError(`--replay ${flags.replay}: no such file`);
    return { kind: 'replay', file: flags.replay, speed };
  }
  return {
    kind: 'simulator',
    speed,
    seed: readNumber('seed', flags.seed, { min: 0, integer: true }),
    events: readNumber('events', flags.events, { min: 1, integer: true }),
    ...(flags.refresh === undefined
      ? {}
      : { refreshSeconds: readNumber('refresh', flags.refresh, { min: 1 }) }),
    ...(flags.start === undefined ? {} : { startAt: readInstant(flags.start) }),
  };
}

function readInstant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new UsageError(`--start ${text}: give an ISO 8601 datetime`);
  return at;
}

function readOptions(flags: Flags): MarketplaceOptions {
  const port = readNumber('port', flags.port, { min: 0, integer: true });
  if (port > 65_535) throw new UsageError(`--port ${port}: give a port up to 65535`);
  if (flags.db !== ':memory:' && !existsSync(dirname(flags.db))) {
    throw new UsageError(`--db ${flags.db}: there is no folder ${dirname(flags.db)}`);
  }
  const lifetime = flags['cursor-lifetime'];
  return {
    port,
    dbFile: flags.db,
    source: readSource(flags),
    onProgress: (line) => console.error(line),
    ...(lifetime === undefined
      ? {}
      : { cursorLifetimeMs: readNumber('cursor-lifetime', lifetime, { min: 0 }) * 1000 }),
  };
}

async function main(args: string[]): Promise<void> {
  const flags = readArguments(args);
  if (flags.help) {
    console.log(usage);
    return;
  }
  const started = await startMarketplace(readOptions(flags));
  console.log(`marketplace  ${started.url}`);
  for (const [name, key] of Object.entries(started.keys)) console.log(`${name.padEnd(13)}${key}`);
  const stop = () => {
    started.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function isForThePerson(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    error instanceof PortInUseError ||
    error instanceof ForeignDatabaseError ||
    error instanceof MissingColumnError ||
    error instanceof SimulationMismatchError
  );
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!isForThePerson(error)) throw error;
  console.error(`marketplace: ${error.message}`);
  process.exit(2);
});
