/**
 * A loopback HTTP server for answers that no healthy service sends, and a client for it with a fake
 * clock. Independent of the real marketplace.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { Limits } from '#shared/marketplace/limits.ts';

export const API_KEY = 'canary0key0'.padEnd(64, 'x');
/** 2026-10-21T07:27:30Z, half a minute before the date that tests use in headers. */
export const NOW_MS = 1_792_567_650_000;

export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Reply = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

export interface FakeService {
  url: string;
  /** Every request in the order of arrival. */
  seen: SeenRequest[];
}

/**
 * Starts a server that sends the n-th reply to the n-th request, and the last reply to all later
 * requests.
 */
export async function startFakeService(...replies: Reply[]): Promise<FakeService> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://fake');
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers,
      body,
    };
    seen.push(request);
    const reply = replies[Math.min(seen.length, replies.length) - 1];
    await reply?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** An address with no server behind it. */
export async function unusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** A JSON reply. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** A reply with bytes or text of any type. */
export function raw(
  body: string | Uint8Array,
  status = 200,
  headers: Record<string, string | string[]> = {},
): Reply {
  return (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Breaks the connection without an answer. */
export const hangUp: Reply = (_, response) => {
  response.socket?.destroy();
};

/** The error envelope of v1. */
export function envelope(type: string, code: string, param?: string): unknown {
  return { error: { type, code, message: `test ${code}`, ...(param ? { param } : {}) } };
}

export interface ClientBench {
  client: MarketplaceClient;
  /** The sleeps of the client, in milliseconds. */
  sleeps: number[];
  /** Epoch milliseconds of the client's clock. */
  now(): number;
  advance(ms: number): void;
}

/** A client whose sleeps end at once on its own clock, with `random` at one half. */
export function createBench(baseUrl: string, limits: Partial<Limits> = {}): ClientBench {
  let now = NOW_MS;
  const sleeps: number[] = [];
  const client = new MarketplaceClient({
    baseUrl,
    apiKey: API_KEY,
    clock: () => now,
    sleep: async (ms) => {
      sleeps.push(ms);
      now += ms;
    },
    random: () => 0.5,
    limits,
  });
  return { client, sleeps, now: () => now, advance: (ms) => (now += ms) };
}

/** A snapshot with the given time; its prices depend on it. */
export function aSnapshot(timestamp: string, getIn: number | null = 100) {
  return {
    timestamp,
    total_listings_all: 20,
    total_listings_active: 10,
    listing_fill_rate: 0.5,
    avg_price: 150.5,
    median_price: 140,
    get_in: getIn,
    get_in_qty2plus: 110,
    zones: [],
  };
}

/** A page of stats that is both the first and the last. */
export function aStatsPage(snapshots: unknown[], extras: Record<string, unknown> = {}) {
  return {
    event_id: 7,
    available_zones: ['Lower'],
    total_count: snapshots.length,
    data: snapshots,
    has_more: false,
    next_cursor: null,
    ...extras,
  };
}
