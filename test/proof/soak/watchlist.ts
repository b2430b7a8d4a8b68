/**
 * The watchlist of a load: each event has as many watches below the price as above it, so that a price
 * that swings between two values makes half of them alert at each refresh, and rearms the other half.
 */
import { type ApiClient, createApiClient } from '#infra/local/demo/api-client.ts';
import { confirmAddress } from '#infra/local/demo/confirm-address.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { CloudFacts } from './cloud-messages.ts';
import type { Receiver } from './receiver.ts';

/** Prices in dollars: the levels lie between each end of the swing and the middle, and so do the rearm levels. */
export const swing = { low: 60, middle: 100, high: 140 } as const;
const lowestBelow = 70;
const lowestAbove = 106;
/** Number of levels on either side, half a dollar apart. */
const levels = 50;
const levelStep = 0.5;

export interface WatchlistPlan {
  eventIds: readonly number[];
  /** Per event; half of them fire at each refresh. */
  watchesPerEvent: number;
  webhooks: number;
  /** Mail addresses; mail is the more expensive channel, and its emulator the slower one. */
  addresses: number;
  /** How late an alert may be, seconds. */
  latencySeconds: number;
}

/** Parallel requests to the API. */
const madeAtOnce = 4;

/** @param onProgress called with the number of watches so far */
export async function makeWatchlist(
  { facts, receiver, signal }: { facts: CloudFacts; receiver: Receiver; signal: AbortSignal },
  plan: WatchlistPlan,
  onProgress: (watches: number) => void,
): Promise<void> {
  const api = createApiClient(facts.api, facts.apiKey);
  await api.searchEvents('Home');
  const channels = await makeChannels(api, receiver, plan);
  // In turn, so that every event is polled from the first watches on.
  const places = Array.from({ length: plan.watchesPerEvent }, (_, index) =>
    plan.eventIds.map((eventId) => ({ eventId, index })),
  ).flat();
  let begun = 0;
  let made = 0;
  await inLots(places, madeAtOnce, async ({ eventId, index }) => {
    signal.throwIfAborted();
    await api.createWatch({
      event_id: eventId,
      rules: [ruleOf(index)],
      channels: [channels[begun++ % channels.length]],
      latency_seconds: plan.latencySeconds,
    });
    made += 1;
    if (made % 100 === 0) onProgress(made);
  });
}

/** Confirms every address; its queue must be running. */
export async function confirmAddresses(
  { facts, signal }: { facts: CloudFacts; signal: AbortSignal },
  { addresses }: WatchlistPlan,
): Promise<void> {
  for (let index = 0; index < addresses; index += 1) {
    await confirmAddress(facts.inbox, addressOf(index), signal);
  }
}

async function makeChannels(
  api: ApiClient,
  receiver: Receiver,
  { webhooks, addresses }: WatchlistPlan,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < webhooks; index += 1) {
    const name = `hook-${index}`;
    const made = await api.createChannel({ kind: 'webhook', url: receiver.urlOf(name) });
    if (made.secret !== undefined) receiver.trust(name, made.secret);
    ids.push(made.id);
  }
  for (let index = 0; index < addresses; index += 1) {
    ids.push((await api.createChannel({ kind: 'email', address: addressOf(index) })).id);
  }
  return ids;
}

function ruleOf(index: number) {
  const step = (Math.floor(index / 2) % levels) * levelStep;
  const level =
    index % 2 === 0 ? { at_or_below: lowestBelow + step } : { at_or_above: lowestAbove + step };
  return { type: 'level', metric: 'get_in', ...level };
}

function addressOf(index: number): string {
  return `reader-${index}@example.com`;
}
