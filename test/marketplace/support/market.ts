/** A marketplace on fake clocks with one venue and a few events, and short ways to request it. */
import { createMarketplace, type MarketplaceParts } from '#marketplace/marketplace.ts';

export const start = Date.parse('2026-11-27T12:00:00Z');
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // Tests read bodies of many shapes; each asserts the values it names.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  json: any;
}

export const venue = {
  std_venue_id: 701,
  venue_name: 'Madison Square Garden',
  venue_city: 'New York',
  venue_state: 'NY',
  venue_state_name: 'New York',
  venue_country_code: 'US',
  venue_country: 'United States',
  venue_lat: 40.75,
  venue_lng: -73.99,
  venue_slug: 'madison-square-garden',
  venue_tm_id: 'KovZ1',
};

export function anEvent(id: number, over: Record<string, unknown> = {}) {
  return {
    event_id: id,
    sh_event_id: 159_000_000 + id,
    vs_event_id: 5_200_000 + id,
    event_name: `Event ${id}`,
    event_date: '2026-12-24',
    event_time: '19:30',
    venue,
    ...over,
  };
}

export function aListing(id: number | string, over: Record<string, unknown> = {}) {
  return {
    listing_id: id,
    zone: 'Lower Bowl',
    section: '101',
    row: '5',
    quantity: 2,
    price: 100,
    ...over,
  };
}

export type Market = ReturnType<typeof openMarket>;

/** Event 1 is in the catalog from the start; the clock moves only when a test moves it. */
export function openMarket(parts: MarketplaceParts = {}) {
  const clock = { at: start };
  const now = () => clock.at;
  const marketplace = createMarketplace({ clocks: { real: now, market: now }, ...parts });
  marketplace.ingest.accept({ events: [anEvent(1)] });
  const { keys, ingest } = marketplace;
  const ask = async (path: string, init: RequestInit = {}, key = keys.main): Promise<Reply> => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const response = await marketplace.request(path, { ...init, headers });
    return readReply(response);
  };
  return {
    ...marketplace,
    clock,
    pass: (ms: number) => {
      clock.at += ms;
    },
    get: (path: string, key?: string) => ask(path, {}, key),
    post: (path: string, body: unknown, key?: string) =>
      ask(path, { method: 'POST', body: JSON.stringify(body) }, key),
    ask,
    /** One refresh of `sh` (or `vs`) for an event, now. */
    list: (listings: unknown[], over: Record<string, unknown> = {}) =>
      ingest.accept({ listing_sets: [{ event_id: 1, listings, ...over }] }),
    sell: (sale: Record<string, unknown>) => ingest.accept({ sales: [{ event_id: 1, ...sale }] }),
    balance: (name: string) =>
      marketplace.store.get<{ balance: number }>(
        'SELECT balance FROM accounts WHERE key_name = ?',
        name,
      )?.balance,
  };
}

/** Reads a response; decompresses gzip where the service always uses it. */
export async function readReply(response: Response): Promise<Reply> {
  const gzipped = response.headers.get('content-encoding') === 'gzip';
  const stream = gzipped ? response.body?.pipeThrough(new DecompressionStream('gzip')) : undefined;
  const text = await (stream ? new Response(stream) : response).text();
  return { status: response.status, headers: response.headers, text, json: parseOrNull(text) };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Follows a walk to its end and returns its pages. `path` has the filters and the limit. */
export async function walk(market: Market, path: string, key?: string): Promise<Reply['json'][]> {
  const pages: Reply['json'][] = [];
  let cursor: string | null = null;
  do {
    const next = cursor === null ? '' : `&starting_after=${encodeURIComponent(cursor)}`;
    const { status, json, text } = await market.get(`${path}${next}`, key);
    if (status !== 200) throw new Error(`${status} ${text}`);
    pages.push(json);
    cursor = json.next_cursor;
  } while (cursor !== null && pages.length < 10_000);
  return pages;
}
