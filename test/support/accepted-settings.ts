// One owner whose settings are generated from the API's own schemas: each setting goes through the API, then the
// market moves, and everything that reads the settings runs. Nothing may fail.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FetchFeed } from '#functions/poll/fetch.ts';
import { channelChangeSchema } from '#shared/delivery/channel.ts';
import { newChannelSchema } from '#shared/delivery/channels/channels.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { ownerChangeSchema } from '#shared/watchlist/owner-change.ts';
import { defaultsChangeSchema } from '#shared/watchlist/owner-defaults.ts';
import { newWatchSchema, watchChangeSchema } from '#shared/watchlist/watch.ts';
import { type Answered, type Api, anyVersion, createKey, startMs } from './api.ts';
import { renderEveryKind } from './every-message.ts';
import { oddLeaves } from './odd-leaves.ts';
import { aSnapshot, createPipeline, type Pipeline } from './pipeline.ts';
import { arbitraryOf } from './schema-arbitrary.ts';

/** Placeholders for two channels that every generated owner has, so that settings can name them. */
const placeholders = ['a', 'b'].map((digit) => `ch_${digit.repeat(32)}`);
const leaves = { ...oddLeaves, texts: [...oddLeaves.texts, ...placeholders] };
const of = (schema: Parameters<typeof arbitraryOf>[0]) => arbitraryOf(schema, leaves);

export const ownersSettings = fc.record({
  owner: of(ownerChangeSchema),
  defaults: of(defaultsChangeSchema),
  channel: of(newChannelSchema),
  channelChange: of(channelChangeSchema),
  watches: fc.array(of(newWatchSchema), { minLength: 1, maxLength: 3 }),
  watchChange: of(watchChangeSchema),
  move: fc.constantFrom('pause', 'resume', 'snooze'),
  until: fc.constantFrom(...oddLeaves.texts),
});
type OwnersSettings = typeof ownersSettings extends fc.Arbitrary<infer Value> ? Value : never;

/** How many settings the API accepted and refused. */
export interface Taken {
  accepted: number;
  refused: number;
}

let made = 0;

/** @throws if a refusal names no field, an answer is a 5xx, or later code can't use a setting. */
export async function expectAcceptedWorks(api: Api, settings: OwnersSettings): Promise<Taken> {
  const faults: FaultReport[] = [];
  const listenAgain = listenForFaults((fault) => faults.push(fault));
  try {
    const taken = await goThrough(api, settings);
    expect(faults.map(({ thing, reason }) => `${thing}: ${reason}`)).toEqual([]);
    return taken;
  } finally {
    listenAgain();
  }
}

async function goThrough(api: Api, generated: OwnersSettings): Promise<Taken> {
  made += 1;
  const event = 20_000 + made;
  api.clock.now = startMs;
  const taken = { accepted: 0, refused: 0 };
  const owner = await createOwner(api);
  const settings = withOwnChannels(generated, owner.channelIds);
  const call = openCalls(api, owner.key, taken);

  await call('PATCH', '/v1/owner', settings.owner);
  await call('PATCH', '/v1/defaults', { channels: owner.channelIds.slice(0, 1) });
  await call('PATCH', '/v1/defaults', settings.defaults);
  const channel = await call('POST', '/v1/channels', settings.channel);
  if (channel?.status === 201) {
    await call('PATCH', `/v1/channels/${channel.body.id}`, settings.channelChange);
  }
  const listings = listingsOf(api, event, settings, () => pipeline.clock.now);
  const pipeline: Pipeline = await createPipeline(api.stores, {
    ...{ event, onSend: renderEveryKind, fetch: { listings } },
  });
  const watchIds: string[] = [];
  for (const watch of settings.watches) {
    const wanted = { ...(watch as object), event_id: event };
    const created = await call('POST', '/v1/watches', wanted);
    for (const rule of rulesOf(wanted).slice(0, 1)) {
      await call('POST', '/v1/rules/preview', { event_id: event, rule });
    }
    if (created?.status === 201) watchIds.push(created.body.id);
  }
  await moveMarket(api, pipeline, settings);
  for (const id of watchIds.slice(0, 1)) {
    await call('PATCH', `/v1/watches/${id}`, settings.watchChange);
    const body = settings.move === 'snooze' ? { until: settings.until } : undefined;
    await call('POST', `/v1/watches/${id}/${settings.move}`, body);
  }
  await moveMarket(api, pipeline, settings);
  await pipeline.reconcile();
  for (const id of watchIds) await expectNoFault(call, id);
  for (const path of reads) await call('GET', path);
  await expectRoundTrip(call);
  return taken;
}

function rulesOf(watch: object): unknown[] {
  return 'rules' in watch && Array.isArray(watch.rules) ? watch.rules : [];
}

const reads = [
  ...['/v1/owner', '/v1/defaults', '/v1/channels', '/v1/watches', '/v1/watches?sort=closeness'],
  ...['/v1/alerts', '/v1/deliveries', '/v1/watchlist/export?format=csv'],
];

type Call = (method: string, path: string, body?: unknown) => Promise<Answered>;

function openCalls(api: Api, key: string, taken: Taken): Call {
  return async (method, path, body) => {
    const isChange = method === 'PATCH' || method === 'POST';
    const answer = await api.call(path, {
      ...{ method, key },
      ...(body !== undefined && { body }),
      ...(method === 'PATCH' && { headers: anyVersion }),
      ...(typeof body === 'string' && { headers: { 'content-type': 'text/csv' } }),
    });
    const what = `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`;
    expect(answer.status, what).toBeLessThan(500);
    if (answer.status < 400) taken.accepted += isChange ? 1 : 0;
    else {
      taken.refused += 1;
      expect([400, 409, 413, 429], what).toContain(answer.status);
      if (answer.status === 400) expectNamed(answer, what);
    }
    return answer;
  };
}

/** Each refusal names the field; a refusal of the JSON text itself names the key. */
function expectNamed({ body }: Answered, what: string): void {
  const pointers = (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  expect(pointers.length, what).toBeGreaterThan(0);
}

async function createOwner(api: Api): Promise<{ key: string; channelIds: string[] }> {
  const number = String(made).padStart(31, '0');
  const ownerId = `own_0${number}`;
  const createdAt = new Date(startMs).toISOString();
  await api.stores.access.createOwner({ ownerId, name: 'odd', createdAt });
  const channelIds = placeholders.map((_, index) => `ch_${index}${number}`);
  for (const [index, channelId] of channelIds.entries()) {
    await api.stores.channels.create({
      ...{ channelId, ownerId, status: 'active', isImmediate: index === 0, staleAlerts: 'send' },
      target: { kind: 'email', address: 'ann@example.com' },
      ...{ watchesSilentUntil: {}, stopUrl: 'https://getin.example/stop', createdAt },
    });
  }
  return { key: await createKey(api, ownerId, 'write'), channelIds };
}

/** The generated settings with the owner's own channels in place of the placeholders. */
function withOwnChannels<Settings>(settings: Settings, channelIds: readonly string[]): Settings {
  const text = placeholders.reduce(
    (json, placeholder, index) => json.replaceAll(placeholder, channelIds[index] ?? ''),
    JSON.stringify(settings),
  );
  return JSON.parse(text);
}

/** Dollars: from high to almost zero and back, with an empty market for a while. */
const prices = [1_000, 100, 40, 0.01, null, 9_000_000, 75];

async function moveMarket(api: Api, pipeline: Pipeline, settings: unknown): Promise<void> {
  const zones = namesIn(settings, ['zone', 'zones']);
  for (const [index, price] of prices.entries()) {
    const row = aSnapshot(pipeline.clock.now + 1_000 * (index + 1), price);
    const { avg_price, median_price, get_in, get_in_qty2plus } = row;
    const figures = { avg_price, median_price, get_in, get_in_qty2plus };
    pipeline.market.push({
      ...row,
      zones: zones.map((zone_name) => ({ ...figures, zone_name })),
      total_listings_active: price === null ? 0 : Math.round(price % 97) + 1,
    });
  }
  await pipeline.minute();
  await pipeline.minute(60);
  api.clock.now = pipeline.clock.now;
}

/** The texts under some keys, at any depth. */
function namesIn(value: unknown, keys: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([key, inner]) =>
    keys.includes(key) ? [inner].flat().filter((each) => typeof each === 'string') : [],
  );
  const deeper = Object.values(value).flatMap((inner) => namesIn(inner, keys));
  return [...new Set([...found, ...deeper].map((name) => name.trim()).filter(Boolean))];
}

/** Refreshes with each poll: seats in every zone, section and row that the settings name. */
function listingsOf(api: Api, eventId: number, settings: unknown, now: () => number): FetchFeed {
  const or = (names: string[], usual: string) => (names.length > 0 ? names : [usual]);
  const zones = or(namesIn(settings, ['zone', 'zones']), 'Lower Bowl');
  const sections = or(namesIn(settings, ['sections']), '101');
  const rows = or(namesIn(settings, ['rows']), 'A');
  return async () => {
    const series = await api.stores.triggers.seriesOf(eventId);
    const bases = series.map((key) => parseSeries(key).base);
    const filters = bases.flatMap((base) => (base.kind === 'listings' ? [base.filter] : []));
    const previous = await api.stores.snapshots.newest({ eventId, kind: 'listings' });
    const price = prices[Math.floor(now() / 60_000) % prices.length] ?? 1;
    const listings = Array.from({ length: 12 }, (_, index) => ({
      ...{ listing_id: index, quantity: 1 + (index % 4), price: price + index, active: true },
      zone: zones[index % zones.length] ?? '',
      section: sections[index % sections.length] ?? '',
      row: rows[index % rows.length] ?? '',
    }));
    const snapshot = snapshotFromListings({
      ...{ eventId, observedAt: now() - 1_000, rows: listings, filters: [...new Set(filters)] },
      previous: previous?.feedKind === 'listings' ? previous : null,
    });
    const refreshes = [snapshot.observedAt];
    return { snapshots: [snapshot], refreshes, isComplete: false, pulls: 1, reason: 'test' };
  };
}

const faultCodes = ['watch_set_aside', 'rule_set_aside', 'stored_item_unreadable', 'feed_failing'];

async function expectNoFault(call: Call, id: string): Promise<void> {
  const { body, text } = await call('GET', `/v1/watches/${id}`);
  const codes: string[] = body.trouble.map(({ code }: { code: string }) => code);
  expect(
    codes.filter((code) => faultCodes.includes(code)),
    text,
  ).toEqual([]);
}

/** Exported watches exist already when they are imported, in both formats. */
async function expectRoundTrip(call: Call): Promise<void> {
  const { body: file } = await call('GET', '/v1/watchlist/export');
  const { text: csv } = await call('GET', '/v1/watchlist/export?format=csv');
  if (file.watches.length === 0) return;
  for (const sent of [file, csv]) {
    const { body, text } = await call('POST', '/v1/watchlist/import', sent);
    const outcomes = body.watches?.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes, text).toEqual(file.watches.map(() => 'already_there'));
  }
}
