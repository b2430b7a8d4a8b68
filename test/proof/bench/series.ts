/**
 * What the page of a busy event reads: `GET /v1/events/{id}/series` and `/zones` of an event with 90 days at one snapshot
 * in two minutes and 20 zones. Requests to DynamoDB, what they read, and how long an answer takes when each request
 * takes as long as in AWS: the answers of the tables are remembered and parsed again after that time.
 *
 *   node test/proof/bench/series.ts [--quick]
 */
import { parseArgs } from 'node:util';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { eventId, startApi, startMs, statsAt } from '#test/support/api.ts';
import { storePolled } from '#test/support/polled-event.ts';
import { median } from '#test/support/quantile.ts';
import { rememberReads } from '#test/support/remembered-reads.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const days = flags.quick ? 10 : 90;
const rounds = flags.quick ? 3 : 9;
const minuteMs = 60_000;
const perDay = 720;
const zones = 20;
const pageBytes = 1_048_576;

/** Prices that wander, each zone at its own height; the same in every run. */
function* market(): Generator<MarketSnapshot> {
  let dice = 7;
  const throwDice = () => {
    dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648;
    return dice / 2_147_483_648;
  };
  const prices = Array.from({ length: zones }, (_, zone) => 60 + 25 * zone);
  for (let n = days * perDay; n > 0; n -= 1) {
    for (let zone = 0; zone < zones; zone += 1) {
      if (throwDice() < 0.2) prices[zone] = Math.max(20, (prices[zone] ?? 0) + throwDice() * 4 - 2);
    }
    const named = prices.map((price, zone) => [`Section ${100 + zone}`, Math.round(price * 4) / 4]);
    const at = startMs - (n - 1) * 2 * minuteMs;
    const snapshot = statsAt(at, Math.min(...prices), Object.fromEntries(named));
    for (const zone of Object.values(snapshot.zones)) {
      zone.get_in_qty2plus = Math.round((zone.get_in ?? 0) * (1 + throwDice() / 10));
      zone.avg_price = Math.round((zone.get_in ?? 0) * (1.5 + throwDice() / 50));
      zone.median_price = Math.round((zone.get_in ?? 0) * (1.4 + throwDice() / 50));
    }
    yield snapshot;
  }
}

/** The size of a value in DynamoDB, bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'number') {
    const digits = String(Math.abs(value)).replaceAll(/\D|0+$/g, '').length;
    return Math.ceil(digits / 2) + 1;
  }
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 1;
  const parts = Object.entries(value);
  const names = Array.isArray(value) ? 0 : parts.reduce((sum, [name]) => sum + name.length, 0);
  return 3 + names + parts.reduce((sum, [, part]) => sum + 1 + sizeOf(part), 0);
}

const tables = await startApi();
const { key } = tables.ann;
let lot: MarketSnapshot[] = [];
for (const snapshot of market()) {
  lot.push(snapshot);
  if (lot.length < perDay) continue;
  await storePolled(tables.stores, lot);
  lot = [];
}
const counted = { requests: 0 };
const api = await startApi({ requestLimit: { requests: 1e9, windowSeconds: 60 } }, () =>
  openStores(gatherReads(rememberReads(tables.client, counted)), tables.names, everyStore),
);

async function measure(path: string, headers: Record<string, string> = {}) {
  const read = () => api.call(`/v1/events/${eventId}/${path}`, { key, headers });
  const { body, text, status, headers: answered } = await read();
  if (status >= 400) throw new Error(text);
  const took: number[] = [];
  counted.requests = 0;
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await read();
    took.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(before);
  const measured = {
    requests: counted.requests / rounds,
    ms: Math.round(median(took)),
    cpu_ms: Math.round((user + system) / 1_000 / rounds),
    times: (body?.times?.length as number | undefined) ?? 0,
    kilobytes: Math.round(text.length / 1_000),
  };
  return { measured, tag: answered.get('etag') ?? '' };
}

const metrics = 'metric=get_in&metric=get_in_qty2plus&metric=median_price';
const chart = (span: string) => `series?span=${span}&${metrics}&metric=total_listings_active`;
const day = await measure(chart('24h'));
const threeDays = await measure(chart('3d'));
const quarter = await measure(chart('90d'));
const position = await measure('zones');
const unchanged = await measure(chart('90d'), { 'if-none-match': quarter.tag });

const [snapshot] = await tables.stores.snapshots.latest({ eventId, kind: 'stats' }, startMs, 1);
const { days: stored } = await tables.stores.priceDays.read(eventId, { from: 0, to: startMs }, 8);
const snapshotBytes = sizeOf(snapshot) + 250;
const { Item: wholeDay } = await tables.client.send(
  new GetCommand({
    TableName: 'Snapshots',
    Key: { pk: `EVENT#${eventId}#days`, sk: '2026-02-28T00:00:00.000Z' },
  }),
);
await Promise.all([api.stop(), tables.stop()]);

const all = {
  day: day.measured,
  three_days: threeDays.measured,
  quarter: quarter.measured,
  zones: position.measured,
  unchanged: unchanged.measured,
};
console.table(all);
const pages_of_three_days = Math.ceil((snapshotBytes * 3 * perDay) / pageBytes);
console.log(
  JSON.stringify({
    bench: 'series',
    ...{ days, stored_days: stored.length, day_bytes: sizeOf(wholeDay) },
    ...{ snapshot_bytes: snapshotBytes, pages_of_three_days },
    ...all,
  }),
);
