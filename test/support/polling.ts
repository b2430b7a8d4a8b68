// Dispatch and poll over real tables against the in-process marketplace, on one clock that the test
// moves: for tests that stop, repeat or break single steps. Evaluation and sending are left out.
import { composeDispatch } from '#functions/dispatch/compose-dispatch.ts';
import type { DispatchResult } from '#functions/dispatch/dispatch.ts';
import { composePoll } from '#functions/poll/compose-poll.ts';
import { composeFetch } from '#functions/poll/feeds/feeds.ts';
import type { PollResult } from '#functions/poll/poll.ts';
import { composeReconcileFleet } from '#functions/reconcile/compose-reconcile-fleet.ts';
import { readFleet } from '#functions/reconcile/read-fleet.ts';
import { createMarketplace, type MarketplaceParts } from '#marketplace/marketplace.ts';
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { EditRunMessage } from '#shared/delivery/episodes/living-message.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { type BillingAssumptions, costliest } from '#shared/polling/assumptions.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { PollMessage } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { aListing, anEvent } from '#test/marketplace/support/market.ts';

export const startMs = Date.parse('2026-03-01T12:00:00Z');
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
const ownerId = 'own_00000000000000000000000000000abc';

export interface PollingOptions {
  caps?: Caps;
  key?: 'main' | 'lowBalance' | 'flat' | 'frozen' | 'unsubscribed';
  assumptions?: BillingAssumptions;
  marketplace?: MarketplaceParts;
  /** Called after every write and before every call; throws to kill the worker at that point. */
  afterStep?: (step: string) => void;
  /** Wraps the fetch between the client and the marketplace. */
  intercept?: (request: Request, pass: () => Promise<Response>) => Promise<Response>;
  /** The client's number of retries after a lost answer. @default 0 */
  retries?: number;
  /** How far our clock is ahead of the marketplace's, milliseconds. */
  skewMs?: number;
}

/** Opens a marketplace with events 1 to `events`, and the functions that poll it. */
export function openPolling(plainStores: Stores, events: number, options: PollingOptions = {}) {
  const clock = { now: startMs };
  const skewMs = options.skewMs ?? 0;
  const now = () => clock.now;
  const theirNow = () => clock.now - skewMs;
  const market = createMarketplace({
    clocks: { real: theirNow, market: theirNow },
    ...options.marketplace,
  });
  const ids = Array.from({ length: events }, (_, index) => index + 1);
  market.ingest.accept({ events: ids.map((id) => anEvent(id)) });
  const stores = reportWrites(plainStores, options.afterStep ?? (() => {}));
  const maxRetries = options.retries ?? 0;
  const maxWaitMs = maxRetries === 0 ? 0 : minuteMs;
  const limits = { backoffBaseMs: 0, minDelayMs: 0, maxRetries, maxWaitMs };
  const fetchMarket = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const pass = async () => market.fetch(request);
    const answer = await (options.intercept ? options.intercept(request, pass) : pass());
    if (/stats|listings/.test(request.url)) options.afterStep?.('answered');
    return answer;
  };
  let client = newClient();
  function newClient() {
    return new MarketplaceClient({
      baseUrl: 'http://marketplace.example',
      apiKey: market.keys[options.key ?? 'main'],
      fetch: fetchMarket as typeof fetch,
      clock: now,
      sleep: async () => {},
      random: () => 0,
      limits,
    });
  }

  const assumptions = options.assumptions ?? costliest;
  const queue: PollMessage[] = [];
  const nudges: EvaluateMessage[] = [];
  const edits: EditRunMessage[] = [];
  const caps = options.caps ?? { daily: 1_000, monthly: 10_000 };
  const readMarketplace = async () => client;
  const dispatch = composeDispatch({
    stores,
    caps,
    sendToPoll: async (messages) => {
      queue.push(...messages.map(({ body }) => body as PollMessage));
      options.afterStep?.('send to poll');
    },
  });
  const poll = composePoll({
    stores,
    fetch: composeFetch({ stores, readMarketplace, assumptions, now }),
    sendNudges: async (messages) => {
      nudges.push(...messages.map(({ body }) => body as EvaluateMessage));
      options.afterStep?.('send nudge');
    },
    sendNotice: async () => {},
    assumptions,
  });

  const reconcile = composeReconcileFleet({
    stores,
    readMarketplace,
    caps,
    assumptions,
    sendNotice: async () => {},
    sendEdits: async (messages) => {
      edits.push(...messages.map(({ body }) => body as EditRunMessage));
    },
    onStepFailed: (step, error) => {
      throw new Error(`reconcile: ${step}`, { cause: error });
    },
  });

  const handle = (message: PollMessage) => poll(message, { now, remainingMs: () => 60_000 });
  /** Polls everything queued. A message leaves the queue after it was handled. */
  async function drain(): Promise<PollResult[]> {
    const results: PollResult[] = [];
    for (const message of [...queue]) {
      const result = await handle(message);
      results.push(result);
      queue.splice(queue.indexOf(message), 1);
    }
    return results;
  }
  const slot = () => new Date(clock.now).toISOString();
  return {
    clock,
    market,
    stores: plainStores,
    queue,
    nudges,
    edits,
    reconcile: async () => reconcile(await readFleet(stores.feeds, clock.now), clock.now),
    handle,
    drain,
    newClient: () => {
      client = newClient();
    },
    client: () => client,
    watch: (eventId: number, latencySeconds = 60, kind: FeedKind = 'stats', watchId = 'wat_1') =>
      plainStores.subscriptions.add({ eventId, kind, watchId, ownerId, latencySeconds }, clock.now),
    dispatch: (kind: FeedKind = 'stats'): Promise<DispatchResult> =>
      dispatch(kind, slot(), clock.now),
    /** One refresh of an event, by the marketplace's clock. */
    refresh: (eventId: number, price: number, more: number[] = []) =>
      market.ingest.accept({
        listing_sets: [
          {
            event_id: eventId,
            listings: [price, ...more].map((each, index) =>
              aListing(13_000_000_001 + index, { price: each }),
            ),
          },
        ],
      }),
    /** A minute passes; due feeds are dispatched and polled. */
    async minute(kinds: FeedKind[] = ['stats']): Promise<PollResult[]> {
      clock.now += minuteMs;
      const results: PollResult[] = [];
      for (const kind of kinds) {
        await dispatch(kind, slot(), clock.now);
        results.push(...(await drain()));
      }
      return results;
    },
    /** Pulls that the marketplace has charged, by its own ledger. */
    charged: (kind?: FeedKind): number =>
      market.store.get<{ pulls: number }>(
        `SELECT coalesce(sum(pulls), 0) AS pulls FROM ledger WHERE kind ${
          kind ? `= '${kind}'` : 'IS NOT NULL'
        }`,
      )?.pulls ?? 0,
  };
}

export type Polling = ReturnType<typeof openPolling>;

const reads =
  /^(find|due|active|after|newest|list|overdue|seriesOf|latest|between|read|current|of|settings|spent|armed|unsent|forEvent)/;

/** The same stores; each method that writes calls back when the write is done. */
export function reportWrites(stores: Stores, afterStep: (step: string) => void): Stores {
  const reporting = Object.entries(stores).map(([name, store]) => {
    const methods = Object.entries(store as Record<string, (...a: unknown[]) => unknown>);
    const wrapped = methods.map(([method, call]) => {
      if (reads.test(method)) return [method, call] as const;
      const reportingCall = async (...args: unknown[]) => {
        if (method === 'createAll') afterStep('before anything is stored');
        const answer = await call(...args);
        afterStep(`${name}.${method}`);
        return answer;
      };
      return [method, reportingCall] as const;
    });
    return [name, Object.fromEntries(wrapped)] as const;
  });
  return Object.fromEntries(reporting) as unknown as Stores;
}
