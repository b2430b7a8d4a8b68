// One owner whose settings are generated from the API's own schemas: each setting goes through the API, then the
// market moves, and everything that reads the settings runs. Nothing may fail.
import { expect } from 'vitest';
import type { FetchFeed } from '#functions/poll/fetch.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { type Api, levelRule, startMs } from './api.ts';
import { renderEveryKind } from './every-message.ts';
import { followLink, isOfChannel, linksIn, unsubscribeOneClick } from './message-links.ts';
import {
  createOddOwner,
  type OddOwner,
  type OwnersSettings,
  passOn,
  type Taken,
  withOwnChannels,
} from './odd-owner.ts';
import { aSnapshot, createPipeline, type Pipeline } from './pipeline.ts';

interface Followed {
  /** Number of links in the owner's messages, all of them followed. */
  followed: number;
}

let made = 0;

/** @throws if a refusal names no field, an answer is a 5xx, or later code can't use a setting. */
export async function expectAcceptedWorks(api: Api, settings: OwnersSettings) {
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

async function goThrough(api: Api, generated: OwnersSettings): Promise<Taken & Followed> {
  made += 1;
  const event = 20_000 + made;
  api.clock.now = startMs;
  const taken = { accepted: 0, refused: 0 };
  const owner = await createOddOwner(api, made, taken);
  const settings = withOwnChannels(generated, owner);
  const { call } = owner;
  await api.stores.eventFacts.keep({ ...settings.facts, eventId: event, updatedAt: startMs });
  const channelIds = await sendSettings(owner, settings);
  const links = new Set<string>();
  const onSend: typeof renderEveryKind = async (prepared, channel, delivery) => {
    for (const link of linksIn(prepared.message)) links.add(link);
    await renderEveryKind(prepared, channel, delivery);
  };
  const listings = listingsOf(api, event, settings, () => pipeline.clock.now);
  const pipeline: Pipeline = await createPipeline(api.stores, {
    ...{ event, onSend, fetch: { listings } },
  });
  const watchIds = await createWatches(owner, settings, { event, channelIds });
  await moveMarket(api, pipeline, settings);
  for (const id of watchIds.slice(0, 1)) {
    await call('PATCH', `/v1/watches/${id}`, settings.watchChange);
    const body = settings.move === 'snooze' ? { until: settings.until } : undefined;
    await call('POST', `/v1/watches/${id}/${settings.move}`, body);
  }
  for (const id of channelIds) await call('POST', `/v1/channels/${id}/test`);
  await moveMarket(api, pipeline, settings);
  await pipeline.reconcile();
  for (const id of watchIds) await expectNoFault(call, id);
  for (const path of reads) await call('GET', path);
  await expectRoundTrip(call);
  await followAll(api, owner, links);
  return { ...taken, followed: links.size };
}

/** Sends all but the watches. @returns the owner's channels. */
async function sendSettings(
  { channelIds, call }: OddOwner,
  settings: OwnersSettings,
): Promise<string[]> {
  await call('PATCH', '/v1/owner', settings.owner);
  await call('PATCH', '/v1/defaults', { channels: channelIds.slice(0, 1) });
  await call('PATCH', '/v1/defaults', settings.defaults);
  const { status, body } = await call('POST', '/v1/channels', settings.channel);
  if (status !== 201) return channelIds;
  await call('PATCH', `/v1/channels/${body.id}`, settings.channelChange);
  return [...channelIds, body.id];
}

interface Place {
  event: number;
  channelIds: string[];
}

/** The generated watches, and one that alerts on every channel under the event's name. @returns those accepted. */
async function createWatches(
  { call }: OddOwner,
  { watches }: OwnersSettings,
  { event, channelIds }: Place,
): Promise<string[]> {
  const alerting = { name: undefined, rules: [levelRule(80)], channels: channelIds };
  const wanted = [...watches, { ...Object(watches[0]), ...alerting }];
  const watchIds: string[] = [];
  for (const watch of wanted.map((each) => ({ ...each, event_id: event }))) {
    const { status, body } = await call('POST', '/v1/watches', watch);
    for (const rule of rulesOf(watch).slice(0, 1)) {
      await call('POST', '/v1/rules/preview', { event_id: event, rule });
    }
    if (status === 201) watchIds.push(body.id);
  }
  return watchIds;
}

function rulesOf(watch: object): unknown[] {
  return 'rules' in watch && Array.isArray(watch.rules) ? watch.rules : [];
}

const reads = [
  ...['/v1/owner', '/v1/defaults', '/v1/channels', '/v1/watches', '/v1/watches?sort=closeness'],
  ...['/v1/alerts', '/v1/deliveries', '/v1/watchlist/export?format=csv'],
];

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
  passOn(api, pipeline);
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

async function expectNoFault(call: OddOwner['call'], id: string): Promise<void> {
  const { body, text } = await call('GET', `/v1/watches/${id}`);
  const codes: string[] = body.trouble.map(({ code }: { code: string }) => code);
  expect(
    codes.filter((code) => faultCodes.includes(code)),
    text,
  ).toEqual([]);
}

/** An import of the export changes nothing, in both formats. */
async function expectRoundTrip(call: OddOwner['call']): Promise<void> {
  const { body: file } = await call('GET', '/v1/watchlist/export');
  const { text: csv } = await call('GET', '/v1/watchlist/export?format=csv');
  if (file.watches.length === 0) return;
  for (const sent of [file, csv]) {
    const { body, text } = await call('POST', '/v1/watchlist/import', sent);
    const outcomes = body.watches?.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes, text).toEqual(file.watches.map(() => 'unchanged'));
  }
}

/** Every link of every message; the last press stops a channel for good. */
async function followAll(api: Api, { ownerId }: OddOwner, links: ReadonlySet<string>) {
  for (const link of links) await followLink(api, ownerId, link);
  for (const link of links) {
    if (await isOfChannel(api, link)) return unsubscribeOneClick(api, link);
  }
}
