// What the creation of a watch costs in DynamoDB, in rounds of requests: each round takes one latency.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, levelRule, startApi, startMs, statsAt, watchBody } from '#test/support/api.ts';
import { roundsOf } from '#test/support/count-rounds.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  const hours = Array.from({ length: 30 }, (_, hour) => startMs - hour * 3_600_000);
  const snapshots = hours.map((at, index) => statsAt(at, 100 + index, { Court: 90 }));
  await api.stores.snapshots.createAll(snapshots, startMs);
  await api.call('/v1/defaults', {
    ...{ method: 'PATCH', headers: { 'if-match': '*' } },
    body: { channels: [api.ann.channelId] },
  });
  // A search has found the other events, so that no request asks the marketplace for them.
  for (const id of [99, 1_000, ...range(2_000, 10), ...range(3_000, 50)]) {
    await api.stores.eventFacts.keep({ eventId: id, name: `Event ${id}`, updatedAt: 1 });
  }
  // Loads what the process loads once, and starts the event's feed and its rollups.
  await create({ rules: [levelRule(50), drop(10)] });
});
afterAll(() => api.stop());

const range = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

const drop = (percent: number) => ({
  ...{ type: 'change', metric: 'get_in', drops_by: { percent } },
  from: { of: 'high', window: '24h' },
});

async function create(also: Record<string, unknown>, headers: Record<string, string> = {}) {
  const { status, text } = await api.call('/v1/watches', { body: watchBody(api, also), headers });
  expect([status, text]).toEqual([201, expect.any(String)]);
}

/** The requests of every operation: the key is read, then the request is counted. */
const conventions = [['GetItemCommand'], ['UpdateItemCommand']];

describe('the creation of a watch takes four rounds', () => {
  it.each([
    ['on an event that is polled', { rules: [levelRule(70)] }],
    ['on a new event', { event_id: 99 }],
    ['of twenty rules', { rules: Array.from({ length: 20 }, (_, index) => levelRule(index + 1)) }],
    ['in a zone', { rules: [{ ...levelRule(60), zone: 'Court' }] }],
    ['whose rule looks back for a day', { rules: [drop(12)] }],
    ['for two feeds', { rules: [levelRule(40), { type: 'listing', at_or_below: 60 }] }],
    ['with the default channels', { channels: undefined, rules: [levelRule(71)] }],
    ['with a fallback', { rules: [levelRule(72)], name: 'another' }],
  ])('%s', async (_, also) => {
    const rounds = await roundsOf(api.client, () => create(also));

    expect(rounds.slice(0, 2)).toEqual(conventions);
    expect(rounds.slice(2)).toHaveLength(4);
    expect(rounds.at(-1)).toEqual(['PutItemCommand']);
  });
});

it('an import makes fifty watches in the rounds of one', async () => {
  const importOf = (events: number, first: number) => {
    const rows = Array.from({ length: events }, (_, index) => `${first + index},80`);
    const body = `event_id,at_or_below\n${rows.join('\n')}\n`;
    return roundsOf(api.client, async () => {
      const { status, text } = await api.call('/v1/watchlist/import', {
        ...{ body, headers: { 'content-type': 'text/csv' } },
      });
      expect([status, JSON.parse(text).created]).toEqual([200, events]);
    });
  };
  const one = await importOf(1, 1_000);
  const ten = await importOf(10, 2_000);
  const fifty = await importOf(50, 3_000);

  expect([ten.length - one.length, fifty.length - one.length]).toEqual([0, 0]);
});
