/**
 * Builds the data service around one store. Opens no port and starts no source: `fetch` is its only
 * entry, for the server and the tests.
 */
import { randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { CURSOR_LIFETIME_SECONDS } from '#shared/marketplace/contract.ts';
import { type MarketplaceKeys, openAccounts } from './billing/accounts.ts';
import { createRequestLog } from './billing/usage.ts';
import { type Clocks, machineClocks } from './clock.ts';
import { createCursors } from './cursors.ts';
import { openApiRoute, topUpPage } from './http/documents.ts';
import { refuseOtherMethods } from './http/methods.ts';
import type { Service } from './http/operation.ts';
import { createPipeline } from './http/pipeline.ts';
import { createIngest, type Ingest } from './ingest/ingest.ts';
import { createJobs, type Discover, type Jobs } from './jobs.ts';
import { createRateLimiter, type RateLimitCatalog, rateLimitCatalog } from './rate-limits.ts';
import { createListingPages } from './routes/listing-pages.ts';
import { routes } from './routes/routes.ts';
import { readOrWriteMeta } from './store/meta.ts';
import { openStore, type Store } from './store/store.ts';

export interface MarketplaceParts {
  /** File of the SQLite database. @default ':memory:' */
  db?: string;
  /** @default the machine's time for both */
  clocks?: Clocks;
  /** @default 3,600,000, an hour (api.md, Limits) */
  cursorLifetimeMs?: number;
  /** @default the catalog of facts.md */
  rateLimits?: Partial<RateLimitCatalog>;
  /** Finds events for event-add jobs. @default finds none */
  discover?: Discover;
  /** Called once for each internal fault. @default ignores it */
  onFault?: (error: unknown, route: string) => void;
}

export interface Marketplace {
  /** Answers a request from an HTTP server or a test. */
  fetch(request: Request): Response | Promise<Response>;
  /** Calls `fetch` with a path, for tests. */
  request(path: string, init?: RequestInit): Response | Promise<Response>;
  keys: MarketplaceKeys;
  ingest: Ingest;
  jobs: Jobs;
  store: Store;
  close(): void;
}

function serveDocuments(app: Hono): void {
  const documents = {
    '/openapi.json': openApiRoute(routes),
    '/api/openapi.json': openApiRoute(routes),
    '/top-up': topUpPage,
  };
  for (const [path, answer] of Object.entries(documents)) {
    app.get(path, answer);
    const refuse = (c: Context, Allow: string) =>
      c.text('this path does not take this method; see Allow', 405, { Allow });
    refuseOtherMethods(app, path, { methods: ['get'], refuse });
  }
}

/** @throws ForeignDatabaseError when the file is not this service's database. */
export function createMarketplace(o: MarketplaceParts = {}): Marketplace {
  const clocks = o.clocks ?? machineClocks;
  const store = openStore(o.db ?? ':memory:');
  const keys = openAccounts(store, clocks.real());
  const ingest = createIngest(store, clocks.market);
  const jobs = createJobs({ store, clocks, ingest, discover: o.discover ?? (async () => []) });
  const rateLimits = { ...rateLimitCatalog, ...o.rateLimits };
  const requestLog = createRequestLog(store);
  const service: Service = {
    store,
    clocks,
    ingest,
    jobs,
    rateLimits,
    requestLog,
    listingPages: createListingPages(store),
    limiter: createRateLimiter(rateLimits),
    cursors: createCursors({
      secret: readOrWriteMeta(store, 'cursor_secret', () => randomBytes(32).toString('hex')),
      now: clocks.real,
      lifetimeMs: o.cursorLifetimeMs ?? CURSOR_LIFETIME_SECONDS * 1000,
    }),
  };
  const app = createPipeline(service, routes, o.onFault ?? (() => {}));
  serveDocuments(app);
  return {
    fetch: (request) => app.fetch(request),
    request: (path, init) => app.request(path, init),
    keys,
    ingest,
    jobs,
    store,
    close: () => {
      jobs.stop();
      requestLog.flush();
      store.close();
    },
  };
}
