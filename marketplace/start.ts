/**
 * Starts the data service on a port with one source of observations, and stops it. Owns the port,
 * the timers and the progress lines; marketplace.ts builds the service.
 */
import { serve } from '@hono/node-server';
import type { MarketplaceKeys } from './billing/accounts.ts';
import { createMarketClock } from './clock.ts';
import type { Discover } from './jobs.ts';
import { createMarketplace, type Marketplace } from './marketplace.ts';
import type { RateLimitCatalog } from './rate-limits.ts';
import type { OddPlan } from './simulator/oddities.ts';
import {
  playRecording,
  playSimulator,
  type RunningSource,
  readResumePoint,
  type SourceSummary,
} from './sources.ts';

export interface MarketplaceOptions {
  /** 0 takes any free port. */
  port: number;
  /** SQLite file; `:memory:` stores nothing on disk. */
  dbFile: string;
  source:
    | {
        kind: 'simulator';
        seed: number;
        /** Events in the catalog. */
        events: number;
        /** Market seconds per real second. Above 1 the market's time runs ahead of real time. */
        speed: number;
        /** Seconds between refreshes of an event. @default every 20 to 40 minutes of market time */
        refreshSeconds?: number;
        /** Which events are odd, and how (simulator/oddities.ts). @default none */
        odd?: OddPlan;
        /** Days of stats snapshots in a new file. @default 0 */
        historyDays?: number;
        /** Start of the market's time in a new file, epoch ms. @default now */
        startAt?: number;
      }
    | {
        kind: 'replay';
        file: string;
        speed: number;
        /** All days but the first wait until it resolves. @default no wait */
        begin?: Promise<void>;
      }
    | { kind: 'none' };
  /** Called with a line for each progress and fault. @default ignores it */
  onProgress?: (line: string) => void;
  /** @default 3,600,000 */
  cursorLifetimeMs?: number;
  /** Overrides of the rate-limit catalog. */
  rateLimits?: Partial<RateLimitCatalog>;
}

export interface StartedMarketplace {
  url: string;
  keys: MarketplaceKeys;
  /** What the source has ingested so far. */
  summary(): SourceSummary;
  /** Resolves when the source has nothing more to ingest; a simulator never does. */
  finished: Promise<void>;
  stop(): Promise<void>;
}

/** Thrown when the port is taken: choose another. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
}

/**
 * Starts the service; all due observations are ingested when this resolves.
 * @throws PortInUseError, ForeignDatabaseError, MissingColumnError, SimulationMismatchError
 */
export async function startMarketplace(o: MarketplaceOptions): Promise<StartedMarketplace> {
  const say = o.onProgress ?? (() => {});
  let discover: Discover = async () => [];
  const market = createMarket(o);
  const marketplace = createMarketplace({
    db: o.dbFile,
    clocks: { real: Date.now, market: () => market.now() },
    discover: (query, signal) => discover(query, signal),
    onFault: (error, route) => say(`fault on ${route}: ${describeFault(error)}`),
    ...(o.cursorLifetimeMs === undefined ? {} : { cursorLifetimeMs: o.cursorLifetimeMs }),
    ...(o.rateLimits === undefined ? {} : { rateLimits: o.rateLimits }),
  });
  try {
    market.resume(marketplace);
    const source = await startSource(o, { marketplace, now: market.now, say });
    discover = source.discover;
    const server = await listen(marketplace, o.port);
    return {
      url: server.url,
      keys: marketplace.keys,
      summary: source.summary,
      finished: source.finished,
      stop: async () => {
        source.stop();
        await server.close();
        marketplace.close();
      },
    };
  } catch (error) {
    marketplace.close();
    throw error;
  }
}

/** The market's clock depends on where the file's earlier run stopped. */
function createMarket(o: MarketplaceOptions) {
  let clock: () => number = Date.now;
  return {
    now: () => clock(),
    resume: (marketplace: Marketplace) => {
      if (o.source.kind !== 'simulator') return;
      const since = Date.now();
      const begun = readResumePoint(marketplace.store);
      const from = begun === undefined ? (o.source.startAt ?? since) : Math.max(begun, since);
      clock = createMarketClock({ real: Date.now, since, from, speed: o.source.speed });
    },
  };
}

async function startSource(
  o: MarketplaceOptions,
  context: { marketplace: Marketplace; now: () => number; say: (line: string) => void },
): Promise<RunningSource> {
  if (o.source.kind === 'simulator') return playSimulator(context, o.source);
  if (o.source.kind === 'replay') return playRecording(context, o.source);
  return {
    discover: async () => [],
    summary: () => ({ snapshots: 0, skippedLines: 0 }),
    finished: Promise.resolve(),
    stop: () => {},
  };
}

function listen(marketplace: Marketplace, port: number) {
  return new Promise<{ url: string; close(): Promise<void> }>((resolve, reject) => {
    const server = serve({ fetch: marketplace.fetch, port, hostname: '127.0.0.1' }, (info) => {
      resolve({ url: `http://127.0.0.1:${info.port}`, close: () => closeServer(server) });
    });
    server.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') return reject(cause);
      reject(new PortInUseError(`port ${port} is in use; choose another with --port`, { cause }));
    });
  });
}

function closeServer(server: ReturnType<typeof serve>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

function describeFault(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
