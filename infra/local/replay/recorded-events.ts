/** Lists the recorded events in the marketplace and creates a watch on each. */
import * as z from 'zod';
import { type ApiClient, createApiClient } from '../demo/api-client.ts';
import { latestPrices } from '../demo/current-price.ts';
import type { LocalCloud } from '../local-cloud.ts';

/** A level at this share of the first observed price. */
const newsworthy = 0.95;
/** Watches created concurrently. */
const madeAtOnce = 8;
/** More polls would only queue up on a small machine; a poll returns all new snapshots anyway. */
const pollsPerSecond = 30;
const searchPageSize = '200';

const searchPageSchema = z.object({
  data: z.array(z.object({ event_id: z.number() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});

/** Receives the replay's mails: an inbox on this machine. */
export const replayAddress = 'replay@getin.example';

export interface WatchRecordedOptions {
  /** Duration of a recorded day in this run. */
  daySeconds: number;
  /** Called after each batch of watches with the time spent so far. */
  onProgress: (progress: { watches: number; events: number; tookMs: number }) => void;
  signal: AbortSignal;
}

/** @returns the ids of the watched events; an event without a price is left out */
export async function watchRecordedEvents(
  cloud: LocalCloud,
  options: WatchRecordedOptions,
): Promise<number[]> {
  const api = createApiClient(cloud.facts.api, cloud.facts.api_key);
  const channels = await makeChannels(cloud, api);
  const eventIds = await listEvents(cloud);
  const latency_seconds = wishedLatency(eventIds.length, options.daySeconds);
  const watched: number[] = [];
  const beganAt = Date.now();
  for (let start = 0; start < eventIds.length; start += madeAtOnce) {
    options.signal.throwIfAborted();
    const made = await Promise.all(
      eventIds.slice(start, start + madeAtOnce).map(async (eventId) => {
        const rules = await firstPriceRules(cloud, eventId);
        if (rules.length === 0) return undefined;
        await api.createWatch({ event_id: eventId, rules, channels, latency_seconds });
        return eventId;
      }),
    );
    watched.push(...made.filter((eventId) => eventId !== undefined));
    options.onProgress({
      watches: watched.length,
      events: eventIds.length,
      tookMs: Date.now() - beganAt,
    });
  }
  return watched;
}

/** One recorded day, or longer if all events together would need too many polls. */
function wishedLatency(events: number, daySeconds: number): number {
  return Math.max(1, Math.round(daySeconds), Math.ceil(events / pollsPerSecond));
}

async function makeChannels(cloud: LocalCloud, api: ApiClient): Promise<string[]> {
  const email = await api.createChannel({ kind: 'email', address: replayAddress });
  const webhook = await api.createChannel({ kind: 'webhook', url: `${cloud.facts.webhooks}/` });
  if (webhook.secret !== undefined) cloud.receiver.trust(webhook.secret);
  return [email.id, webhook.id];
}

async function listEvents({ marketplace }: LocalCloud): Promise<number[]> {
  const eventIds: number[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      limit: searchPageSize,
      ...(cursor && { starting_after: cursor }),
    });
    const response = await fetch(`${marketplace.url}/v1/events/search?${query}`, {
      headers: { authorization: `Bearer ${marketplace.keys.flat}` },
    });
    if (!response.ok) throw new Error(`the marketplace's search answered ${response.status}`);
    const page = searchPageSchema.parse(await response.json());
    eventIds.push(...page.data.map(({ event_id }) => event_id));
    cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return eventIds;
}

/** Rules on the whole event and each of its zones, relative to the first observed prices. */
async function firstPriceRules({ marketplace }: LocalCloud, eventId: number) {
  const prices = { marketplace: marketplace.url, key: marketplace.keys.flat };
  const [first] = await latestPrices(prices, eventId);
  const zones = first?.zones.map(({ zone_name, get_in }) => ({ zone: zone_name, get_in })) ?? [];
  return [{ zone: undefined, get_in: first?.get_in }, ...zones].flatMap(({ zone, get_in }) =>
    get_in
      ? [{ type: 'level', metric: 'get_in', zone, at_or_below: toCents(get_in * newsworthy) }]
      : [],
  );
}

function toCents(price: number): number {
  return Math.round(price * 100) / 100;
}
