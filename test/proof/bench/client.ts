/**
 * Calls per second through the marketplace client against bare fetch and undici at the same
 * loopback server; only the client validates the answers.
 *
 *   node test/proof/bench/client.ts [--quick]
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { median } from '#test/support/quantile.ts';

const API_KEY = 'b'.repeat(64);
const PATH = '/v1/events/7/stats';
const PEERS = ['client', 'fetch', 'undici'] as const;
const WARM_UP_MS = 300;
type Peer = (typeof PEERS)[number];

/** A page of stats as the service writes it. */
function writePage(snapshotCount: number, zoneCount: number): string {
  const prices = { avg_price: 151.25, median_price: 140.5, get_in: 80.75, get_in_qty2plus: 82 };
  const zones = Array.from({ length: zoneCount }, (_, zone) => ({
    zone_name: `Zone ${zone}`,
    ...prices,
  }));
  const data = Array.from({ length: snapshotCount }, (_, index) => ({
    timestamp: new Date(1_792_584_000_000 + index * 60_000).toISOString(),
    total_listings_all: 500,
    total_listings_active: 400,
    listing_fill_rate: 0.8,
    ...prices,
    zones,
  }));
  const extras = { available_zones: zones.map((zone) => zone.zone_name), total_count: data.length };
  return JSON.stringify({ event_id: 7, ...extras, data, has_more: false, next_cursor: null });
}

async function serve(body: string) {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'ratelimit-limit': '1000000',
    'ratelimit-remaining': '999999',
    'ratelimit-reset': '60',
  };
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.closeAllConnections() ?? server.close() };
}

function createCalls(url: string): Record<Peer, () => Promise<unknown>> {
  const client = new MarketplaceClient({ baseUrl: url, apiKey: API_KEY });
  const headers = { authorization: `Bearer ${API_KEY}` };
  return {
    client: () => client.statsPage(7, { lastPaidSnapshotAt: null }),
    fetch: async () => (await fetch(`${url}${PATH}`, { headers })).json(),
    undici: async () => (await request(`${url}${PATH}`, { headers })).body.json(),
  };
}

/** Calls per second over a time span, with a fixed number of parallel calls. */
async function measure(call: () => Promise<unknown>, lanes: number, spanMs: number) {
  const start = performance.now();
  let calls = 0;
  const lane = async () => {
    while (performance.now() - start < spanMs) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (calls * 1000) / (performance.now() - start);
}

/** Competitors take short turns, so that a slow moment of the machine affects all alike: compare ratios. */
async function compare(body: string, lanes: number, o: { rounds: number; spanMs: number }) {
  const { url, close } = await serve(body);
  const calls = createCalls(url);
  const rounds: Record<Peer, number>[] = [];
  for (const peer of PEERS) await measure(calls[peer], lanes, WARM_UP_MS);
  for (let round = 0; round < o.rounds; round += 1) {
    const rates = { client: 0, fetch: 0, undici: 0 };
    for (const peer of PEERS) rates[peer] = await measure(calls[peer], lanes, o.spanMs);
    rounds.push(rates);
  }
  close();
  const rate = (peer: Peer) => Math.round(median(rounds.map((rates) => rates[peer])));
  const ratio = (peer: Peer) => median(rounds.map((rates) => rates.client / rates[peer]));
  return {
    'client/s': rate('client'),
    'fetch/s': rate('fetch'),
    'undici/s': rate('undici'),
    'vs fetch': Number(ratio('fetch').toFixed(2)),
    'vs undici': Number(ratio('undici').toFixed(2)),
  };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const effort = values.quick ? { rounds: 25, spanMs: 60 } : { rounds: 101, spanMs: 100 };
const pages = [
  { page: '1 snapshot, 1 zone', body: writePage(1, 1) },
  { page: '100 snapshots, 10 zones', body: writePage(100, 10) },
];
const rows = [];
for (const { page, body } of pages) {
  for (const lanes of [1, 16]) {
    rows.push({ page, lanes, ...(await compare(body, lanes, effort)) });
  }
}
console.table(rows);
console.log(
  JSON.stringify({
    bench: 'client',
    unit: 'calls/s, and ratios per round, medians',
    quick: values.quick,
    rows,
  }),
);
process.exit(0);
