/**
 * The demo watchlist of a first run: a few simulated events with levels at or near their prices, so
 * that alerts come within a minute. Uses only the API.
 */
import { existsSync, writeFileSync } from 'node:fs';
import type { LocalCloud } from '../local-cloud.ts';
import { type ApiClient, createApiClient, type EventFound } from './api-client.ts';
import { latestPrices, type PriceSource } from './current-price.ts';

/** Receives the demo's mails: an inbox on this machine. */
export const demoAddress = 'you@getin.example';
const watchedEvents = 4;
/**
 * The first watches fire at once: their level is above all recent prices, because simulated prices
 * vary. The others wait until the price falls a little.
 */
const reachedAtOnce = { watches: 2, snapshots: 6, factor: 1.05 };
const reachedByADrop = { snapshots: 1, factor: 0.97 };
/** As short as the simulator's refresh interval, so that every dispatch finds the feeds due. */
const latencySeconds = 10;
/** The name of any simulated event has one of these. */
const searches = ['at', 'vs', 'a', 'e'];

/** @returns the number of watches made; 0 if this is not the first run */
export async function makeDemoWatchlist(cloud: LocalCloud, markerFile: string): Promise<number> {
  if (existsSync(markerFile)) return 0;
  const { facts, marketplace, receiver } = cloud;
  cloud.onProgress('Making the demo watchlist');
  const api = createApiClient(facts.api, facts.api_key);
  const prices = { marketplace: facts.marketplace, key: marketplace.keys.flat };

  const email = await api.createChannel({ kind: 'email', address: demoAddress });
  const webhook = await api.createChannel({ kind: 'webhook', url: `${facts.webhooks}/` });
  if (webhook.secret !== undefined) receiver.trust(webhook.secret);

  const watches: string[] = [];
  for (const event of await findEvents(api)) {
    const aim = watches.length < reachedAtOnce.watches ? reachedAtOnce : reachedByADrop;
    const rule = await levelRule(prices, event, aim);
    if (!rule) continue;
    const channels = [email.id, webhook.id];
    const watch = await api.createWatch({
      event_id: event.event_id,
      rules: [rule],
      channels,
      latency_seconds: latencySeconds,
    });
    watches.push(watch.id);
    if (watches.length === watchedEvents) break;
  }
  writeFileSync(markerFile, JSON.stringify({ watches }));
  return watches.length;
}

async function findEvents(api: ApiClient): Promise<EventFound[]> {
  for (const query of searches) {
    const events = await api.searchEvents(query);
    if (events.length >= watchedEvents) return events;
  }
  return [];
}

async function levelRule(
  prices: PriceSource,
  { event_id }: EventFound,
  { snapshots, factor }: { snapshots: number; factor: number },
) {
  const latest = (await latestPrices(prices, event_id)).slice(0, snapshots);
  const highest = Math.max(...latest.map(({ get_in }) => get_in ?? 0));
  if (highest <= 0) return undefined;
  return { type: 'level', metric: 'get_in', at_or_below: Math.round(highest * factor * 100) / 100 };
}
