import { expect, it } from 'vitest';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { ContractError } from '#shared/marketplace/errors.ts';
import { API_KEY } from '#test/support/marketplace/fake-service.ts';
import {
  anEventWithHistory,
  createMarketplaceBench,
  sales,
} from '#test/support/marketplace/marketplace-bench.ts';

type Ask = (client: MarketplaceClient) => Promise<unknown>;

/** Each call, and the fields that its answer must have. */
const calls: Record<string, { ask: Ask; needed: string[] }> = {
  stats: {
    ask: (client) => client.stats(7).toArray(),
    needed: [
      ...['data', 'data.avg_price', 'data.get_in', 'data.get_in_qty2plus'],
      ...['data.listing_fill_rate', 'data.median_price', 'data.timestamp'],
      ...['data.total_listings_active', 'data.zones', 'data.zones.avg_price'],
      ...['data.zones.get_in', 'data.zones.get_in_qty2plus', 'data.zones.median_price'],
      ...['data.zones.zone_name', 'has_more', 'next_cursor'],
    ],
  },
  listings: {
    ask: (client) => client.listings(7).toArray(),
    needed: [
      ...['data', 'data.listing_id', 'data.price', 'data.quantity', 'data.row', 'data.section'],
      ...['data.zone', 'has_more', 'last_refreshed_at', 'next_cursor'],
    ],
  },
  sales: {
    ask: (client) => client.sales(7).toArray(),
    needed: [
      ...['data', 'data.price', 'data.quantity', 'data.row', 'data.section', 'data.source'],
      ...['data.timestamp', 'data.zone', 'has_more', 'next_cursor'],
    ],
  },
  salesBatch: {
    ask: (client) => client.salesBatch({ eventIds: [7] }),
    needed: [
      ...['errors', 'results', 'results.7.price', 'results.7.quantity', 'results.7.row'],
      ...['results.7.section', 'results.7.source', 'results.7.timestamp', 'results.7.zone'],
    ],
  },
  search: {
    ask: (client) => client.search({ eventName: 'knicks' }).toArray(),
    needed: [
      ...['data', 'data.event_date', 'data.event_id', 'data.event_name', 'has_more'],
      'next_cursor',
    ],
  },
  legacyListings: {
    ask: (client) => client.legacyListings(7),
    needed: [
      ...['listings', 'listings.listing_id', 'listings.price', 'listings.quantity'],
      ...['listings.row', 'listings.section', 'listings.zone'],
    ],
  },
  account: {
    ask: (client) => client.account(),
    needed: ['plans', 'plans.id', 'plans.status', 'rate_limits'],
  },
  usage: {
    ask: (client) => client.usage(),
    needed: [
      ...['period_end', 'period_start', 'totals', 'totals.listings_pulls'],
      ...['totals.salesdata_pulls', 'totals.stats_pulls'],
    ],
  },
};

/** Every field's path, without list positions. */
function pathsOf(value: unknown, path: string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsOf(entry, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...path, name];
    return [here.join('.'), ...pathsOf(part, here)];
  });
}

/** The value with the field of that path changed at every occurrence. */
function change(value: unknown, path: string[], edit: (holder: object, name: string) => void) {
  if (Array.isArray(value)) for (const entry of value) change(entry, path, edit);
  else if (typeof value === 'object' && value !== null) {
    const [name = '', ...rest] = path;
    if (!(name in value)) return;
    if (rest.length === 0) edit(value, name);
    else change(Reflect.get(value, name), rest, edit);
  }
}

const edits = {
  renamed: (holder: object, name: string) => {
    Reflect.set(holder, `other_${name}`, Reflect.get(holder, name));
    Reflect.deleteProperty(holder, name);
  },
  'of another type': (holder: object, name: string) => {
    Reflect.set(holder, name, { odd: true });
  },
};

async function answersOf(ask: Ask): Promise<unknown> {
  const bench = createMarketplaceBench({ ...anEventWithHistory(), sales: sales(7, 2) });
  let answer: unknown;
  await ask(
    bench.client('main', {}, (text) => {
      answer = JSON.parse(text);
    }),
  );
  return answer;
}

it.each(Object.entries(calls))(
  '%s fails only when a needed field is renamed or of another type',
  async (_, { ask, needed }) => {
    const answer = await answersOf(ask);
    const paths = [...new Set(pathsOf(answer))];
    for (const [how, edit] of Object.entries(edits)) {
      const failed: string[] = [];
      for (const path of paths) {
        const odd = structuredClone(answer);
        change(odd, path.split('.'), edit);
        const client = new MarketplaceClient({
          ...{ baseUrl: 'http://market', apiKey: API_KEY, limits: { maxRetries: 0 } },
          fetch: async () => Response.json(odd),
        });
        await ask(client).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ContractError);
          failed.push(path);
        });
      }
      const unexpected = failed.filter((path) => !needed.some((name) => name.startsWith(path)));
      expect(unexpected, how).toEqual([]);
      if (how === 'renamed') expect(failed).toEqual(expect.arrayContaining(needed));
    }
  },
);
