/** Command line of the data service: starts the service, or imports CSV files into its database. */
import {
  boundsOf,
  readExistingFile,
  readFileToBe,
  readFlags,
  readInstant,
  readNumber,
  readShare,
  UsageError,
} from './command-line.ts';
import { importCsv } from './import/csv-import.ts';
import { MissingColumnError } from './import/csv-lines.ts';
import { createIngest } from './ingest/ingest.ts';
import { SimulationMismatchError } from './sources.ts';
import { type MarketplaceOptions, PortInUseError, startMarketplace } from './start.ts';
import { ForeignDatabaseError, openStore } from './store/store.ts';

const usage = `Usage: npm run marketplace -- [options]

  --port N              port on 127.0.0.1 (default 8787, 0 takes any free one)
  --db FILE             SQLite file (default :memory:, which keeps nothing)
  --seed N              seed of the simulated market (default 1)
  --speed N             market seconds per real second (default 1)
  --events N            events in the simulated catalog (default 500)
  --refresh SECONDS     how often each event refreshes (default 20 to 40 minutes)
  --history DAYS        days of stats snapshots that a new file begins with (default 90)
  --odd SHARE           share of events that are odd, 0 to 1 (default 0): put off, cancelled,
                        unknown for an hour, odd zones, late snapshots and more (README)
  --start ISO           when the market's time begins on a new file (default now)
  --replay FILE         replay recorded prices from a CSV instead of simulating
  --no-source           no data but what the operator hands in
  --cursor-lifetime S   seconds a cursor is good for (default 3600)
  --help                this text

   or: npm run marketplace -- import --db FILE [--catalog CSV] [--listings CSV] [--sales CSV]`;

const serveFlags = {
  port: { type: 'string', default: '8787' },
  db: { type: 'string', default: ':memory:' },
  seed: { type: 'string', default: '1' },
  speed: { type: 'string', default: '1' },
  events: { type: 'string', default: '500' },
  refresh: { type: 'string' },
  history: { type: 'string', default: '90' },
  odd: { type: 'string', default: '0' },
  start: { type: 'string' },
  replay: { type: 'string' },
  'no-source': { type: 'boolean', default: false },
  'cursor-lifetime': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const importFlags = {
  db: { type: 'string' },
  catalog: { type: 'string' },
  listings: { type: 'string' },
  sales: { type: 'string' },
} as const;

function readServeFlags(args: string[]) {
  return readFlags(args, serveFlags);
}

type ServeFlags = ReturnType<typeof readServeFlags>;

function readSource(flags: ServeFlags): MarketplaceOptions['source'] {
  const speed = readNumber('speed', flags.speed, boundsOf.speed);
  if (flags['no-source']) return { kind: 'none' };
  if (flags.replay !== undefined) {
    return { kind: 'replay', file: readExistingFile('replay', flags.replay), speed };
  }
  return {
    kind: 'simulator',
    speed,
    seed: readNumber('seed', flags.seed, boundsOf.seed),
    odd: { share: readShare('odd', flags.odd) },
    historyDays: readNumber('history', flags.history, boundsOf.history),
    events: readNumber('events', flags.events, boundsOf.events),
    ...(flags.refresh === undefined
      ? {}
      : { refreshSeconds: readNumber('refresh', flags.refresh, boundsOf.refresh) }),
    ...(flags.start === undefined ? {} : { startAt: readInstant('start', flags.start) }),
  };
}

function readOptions(flags: ServeFlags): MarketplaceOptions {
  const port = readNumber('port', flags.port, boundsOf.port);
  const lifetime = flags['cursor-lifetime'];
  return {
    port,
    dbFile: readFileToBe('db', flags.db),
    source: readSource(flags),
    onProgress: (line) => console.error(line),
    ...(lifetime === undefined
      ? {}
      : {
          cursorLifetimeMs:
            readNumber('cursor-lifetime', lifetime, boundsOf['cursor-lifetime']) * 1000,
        }),
  };
}

async function serveMarketplace(args: string[]): Promise<void> {
  const flags = readServeFlags(args);
  if (flags.help) {
    console.log(usage);
    return;
  }
  const started = await startMarketplace(readOptions(flags));
  console.log(`marketplace  ${started.url}`);
  for (const [name, key] of Object.entries(started.keys)) console.log(`${name.padEnd(13)}${key}`);
  const stop = () => {
    void started.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

async function importFiles(args: string[]): Promise<void> {
  const { db, ...files } = readFlags(args, importFlags);
  if (db === undefined) throw new UsageError('import: name the database with --db FILE');
  for (const [flag, file] of Object.entries(files)) readExistingFile(flag, file);
  if (Object.keys(files).length === 0) {
    throw new UsageError('import: give --catalog, --listings or --sales');
  }
  // Open only the store: a service that runs on the same file handles the waiting jobs.
  const store = openStore(readFileToBe('db', db));
  try {
    const summary = await importCsv(files, {
      ingest: createIngest(store, Date.now),
      say: (line) => console.error(line),
    });
    for (const [what, count] of Object.entries(summary)) console.log(`${what.padEnd(14)}${count}`);
  } finally {
    store.close();
  }
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

const [command, ...rest] = process.argv.slice(2);
const run = command === 'import' ? importFiles(rest) : serveMarketplace(process.argv.slice(2));
run.catch((error: unknown) => {
  if (!isForThePerson(error)) throw error;
  console.error(`marketplace: ${error.message}`);
  process.exit(2);
});
