// A preview can buy an event's prices first: at most one pull, by the budget's rules, told before.
import { beforeEach, describe, expect, it } from 'vitest';
import { createBuyHistory } from '#functions/api/events/buy-history.ts';
import { createMarketplace, type Marketplace } from '#marketplace/marketplace.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { aListing, anEvent } from '#test/marketplace/support/market.ts';
import {
  type Api,
  adminKey,
  anyVersion,
  levelRule,
  startApi,
  startMs,
  statsAt,
} from '#test/support/api.ts';

const pullCaps = { daily: 20, monthly: 100 };
const dayMs = 86_400_000;
const eventId = 4711;

let api: Api;
let market: Marketplace;
let calls = 0;

/** Fourteen days of one refresh a day: every fourth is cheap. */
function fourteenDays(): void {
  market.ingest.accept({ events: [anEvent(eventId)] });
  for (let day = 14; day >= 1; day -= 1) {
    const observed_at = new Date(startMs - day * dayMs).toISOString();
    const listings = [aListing(13_000_000_001, { price: day % 4 === 0 ? 70 : 100 })];
    market.ingest.accept({ listing_sets: [{ event_id: eventId, observed_at, listings }] });
  }
}

beforeEach(async () => {
  const clock = () => startMs;
  market = createMarketplace({ clocks: { real: clock, market: clock } });
  fourteenDays();
  calls = 0;
  const client = new MarketplaceClient({
    baseUrl: 'http://marketplace.example',
    apiKey: market.keys.main,
    clock,
    fetch: (async (input: string, init?: RequestInit) => {
      calls += 1;
      return market.fetch(new Request(input, init));
    }) as typeof fetch,
  });
  api = await startApi({
    pullCaps,
    buyHistory: (wish) => {
      const readMarketplace = async () => client;
      return createBuyHistory({ stores: api.stores, readMarketplace, pullCaps })(wish);
    },
  });
  return () => api.stop();
});

const preview = (also: Record<string, unknown> = {}, key?: string) =>
  api.call('/v1/rules/preview', {
    ...(key !== undefined && { key }),
    body: { event_id: eventId, rule: levelRule(80), ...also },
  });

const spent = async () => (await api.call('/v1/budget', { key: adminKey })).body.day.spent;

describe('a preview that buys history', () => {
  it('says before what it would cost, and buys nothing', async () => {
    const { body } = await preview();
    expect(body).toMatchObject({ snapshots: 0, bought: null });
    expect(body.note).toMatch(
      /With buy_history it also uses the earlier prices, for at most 1 pull\.$/,
    );
    expect([calls, await spent()]).toEqual([0, 0]);
  });

  it('evaluates the prices that it bought, for one pull', async () => {
    const { body } = await preview({ buy_history: true });
    expect(body).toMatchObject({
      ...{ snapshots: 14, count: 3, per_week: 1.62 },
      bought: { snapshots: 14, pulls: 1, whole: true },
    });
    expect(body.note).toMatch(
      /^Evaluated 14 stored and bought snapshots\..*This preview cost 1 pull\.$/,
    );
    expect(await spent()).toBe(1);
  });

  it('needs a key that may write', async () => {
    const body = { name: 'reader', scope: 'read', owner_id: api.ann.ownerId };
    const { body: made } = await api.call('/v1/keys', { key: adminKey, body });
    expect((await preview({}, made.key)).status).toBe(200);
    const { status } = await preview({ buy_history: true }, made.key);
    expect([status, calls]).toEqual([403, 0]);
  });

  it('uses stored snapshots beside the bought ones', async () => {
    await api.stores.snapshots.createAll([statsAt(startMs - 3_600_000, 60)], startMs);
    const { body } = await preview({ buy_history: true });
    expect([body.snapshots, body.count]).toEqual([15, 4]);
  });

  it('is refused for a rule on listings', async () => {
    const rule = { type: 'listing', at_or_below: 80 };
    const { status, body } = await preview({ rule, buy_history: true });
    expect([status, body.errors[0].pointer, calls]).toEqual([400, '#/buy_history', 0]);
  });

  it('is refused to an owner without a share, and where the budget is used up', async () => {
    const setBudget = (settings: object) =>
      api.call('/v1/budget', {
        ...{ method: 'PATCH', key: adminKey, headers: anyVersion },
        body: settings,
      });
    await setBudget({ owner_shares: { [api.ann.ownerId]: 0 } });
    expect((await preview({ buy_history: true })).body.detail).toBe(
      'Your owner has no share of the pulls, and buying history costs one; preview without buy_history',
    );
    await setBudget({ daily_cap: 0 });
    const { status, body } = await preview({ buy_history: true }, api.bob.key);
    expect([status, calls]).toEqual([503, 0]);
    expect(body.detail).toMatch(/so this event’s history can’t be bought now; preview without/);
  });

  it('names an event that the marketplace doesn’t have', async () => {
    const { status, body } = await preview({ event_id: 999, buy_history: true });
    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: '#/event_id', detail: 'is not an event of the marketplace' }],
    ]);
    expect(await spent()).toBe(0);
  });
});
