/**
 * The real marketplace in this process with a fake clock, a small catalog, and clients for its
 * keys. Used by several tests.
 */
import { onTestFinished } from 'vitest';
import type { MarketplaceKeys } from '#marketplace/billing/accounts.ts';
import type { Observations } from '#marketplace/ingest/observations.ts';
import { createMarketplace, type MarketplaceParts } from '#marketplace/marketplace.ts';
import { readText } from '#shared/marketplace/answer-body.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { Limits } from '#shared/marketplace/limits.ts';

/** 2026-10-21T12:00:00Z */
export const START_MS = 1_792_584_000_000;

const VENUE = { std_venue_id: 1, venue_name: 'Garden', venue_city: 'New York', venue_state: 'NY' };

/** An event long after the start. */
export function anEvent(eventId: number, name = `Knicks ${eventId}`) {
  return {
    event_id: eventId,
    sh_event_id: 1000 + eventId,
    event_name: name,
    event_date: '2026-12-01',
    first_seen_date: '2026-10-01',
    venue: VENUE,
  };
}

/** A refresh of an event's sh listings: one seat a price, ids from 1. */
export function aRefresh(eventId: number, atMs: number, prices: number[]) {
  return {
    event_id: eventId,
    observed_at: new Date(atMs).toISOString(),
    listings: prices.map((price, index) => ({
      listing_id: 1 + index,
      zone: 'Lower',
      section: '101',
      row: 'A',
      quantity: 2,
      price,
    })),
  };
}

/** Reported sales, a minute apart, newest last. */
export function sales(eventId: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    event_id: eventId,
    listing_id: 500 + index,
    sold_at: new Date(START_MS - (count - index) * 60_000).toISOString(),
    quantity: 2,
    price: 50 + index,
    zone: 'Lower',
    section: '101',
    row: 'A',
  }));
}

export interface MarketplaceBench {
  keys: MarketplaceKeys;
  observe(observations: Observations): void;
  /** @param onAnswer called with the text of each JSON answer */
  client(
    key?: keyof MarketplaceKeys,
    limits?: Partial<Limits>,
    onAnswer?: (text: string) => void,
  ): MarketplaceClient;
  /** Sets the function that decides for each answer whether it is lost before the client gets it. */
  loseAnswers(isLost: () => boolean): void;
  /** Pulls that the service itself has charged to a key, independent of the clients' counts. */
  chargedPulls(key?: keyof MarketplaceKeys): number;
  /** Resolves when no event-add job is unfinished. */
  jobsIdle(): Promise<void>;
  now(): number;
  advance(ms: number): void;
}

/** A marketplace whose clock moves only by `advance` and the clients' sleeps. */
export function createMarketplaceBench(
  observations: Observations = {},
  parts: MarketplaceParts = {},
): MarketplaceBench {
  let now = START_MS;
  let isLost = () => false;
  const clock = () => now;
  const advance = (ms: number) => {
    now += ms;
  };
  const marketplace = createMarketplace({ clocks: { real: clock, market: clock }, ...parts });
  onTestFinished(() => marketplace.close());
  marketplace.ingest.accept(observations);
  const { keys, store } = marketplace;
  return {
    keys,
    observe: (more) => void marketplace.ingest.accept(more),
    client: (key = 'main', limits = {}, onAnswer) =>
      new MarketplaceClient({
        baseUrl: 'http://market/api',
        apiKey: keys[key],
        fetch: async (input, init) => {
          const answer = await marketplace.fetch(new Request(input as string, init));
          if (onAnswer) onAnswer(await readText(answer.clone(), 1e9));
          if (isLost()) throw new TypeError('fetch failed', { cause: new Error('reset') });
          return answer;
        },
        clock,
        sleep: async (ms) => advance(ms),
        random: () => 0.5,
        limits,
      }),
    loseAnswers: (decide) => {
      isLost = decide;
    },
    chargedPulls: (key = 'main') => {
      const row = store.get<{ pulls: number }>(
        `SELECT coalesce(sum(pulls), 0) AS pulls FROM ledger
         WHERE account_id = (SELECT id FROM accounts WHERE key_name = ?)`,
        key,
      );
      return row?.pulls ?? 0;
    },
    jobsIdle: () => marketplace.jobs.idle(),
    now: clock,
    advance,
  };
}

/** Event 7 with five snapshots a minute apart, the last a minute ago, and five listings. */
export function anEventWithHistory() {
  return {
    events: [anEvent(7)],
    listing_sets: [5, 4, 3, 2, 1].map((minutes) =>
      aRefresh(7, START_MS - minutes * 60_000, [100, 110, 120, 130, 140 + minutes]),
    ),
  };
}
