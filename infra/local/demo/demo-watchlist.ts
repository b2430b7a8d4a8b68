/**
 * The demo watchlist of a first run: a few simulated events with levels that their prices
 * are at or near, so that alerts come within a minute. Made through the API alone.
 */
import { existsSync, writeFileSync } from 'node:fs';
import type { LocalCloud } from '../local-cloud.ts';
import { type ApiClient, createApiClient, type EventFound } from './api-client.ts';
import { newestPrices, type PriceSource } from './current-price.ts';

const watchedEvents = 4;
/** The first watches are reached at once: their level is this much above the price. */
const reachedAtOnce = { count: 2, factor: 1.05 };
/** The others wait for the price to fall by this much. */
const reachedByADrop = 0.97;
/** As fresh as the simulator's refreshes, so that every dispatch finds the feeds due. */
const latencySeconds = 10;
/** Any simulated event has one of these in its name. */
const searches = ['at', 'vs', 'a', 'e'];

/** @returns how many watches were made; 0 if this is not the first run */
export async function makeDemoWatchlist(cloud: LocalCloud, markerFile: string): Promise<number> {
  if (existsSync(markerFile)) return 0;
  const { facts, marketplace, receiver } = cloud;
  const api = createApiClient(facts.api, facts.api_key);
  const prices = { marketplace: facts.marketplace, key: marketplace.keys.flat };

  const email = await api.createChannel({ kind: 'email', address: 'you@getin.example' });
  const webhook = await api.createChannel({ kind: 'webhook', url: `${facts.webhooks}/` });
  if (webhook.secret !== undefined) receiver.trust(webhook.secret);

  const watches: string[] = [];
  for (const event of await findEvents(api)) {
    const factor = watches.length < reachedAtOnce.count ? reachedAtOnce.factor : reachedByADrop;
    const rule = await levelRule(prices, event, factor);
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

async function levelRule(prices: PriceSource, { event_id }: EventFound, factor: number) {
  const newest = await newestPrices(prices, event_id);
  if (!newest?.get_in) return undefined;
  return {
    type: 'level',
    metric: 'get_in',
    at_or_below: Math.round(newest.get_in * factor * 100) / 100,
  };
}
