// What keeps a watch silent, as its detail, the list and the CSV show it, from what is really stored.
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { forever } from '#shared/watchlist/channel.ts';
import {
  type Api,
  anyVersion,
  eventId,
  levelRule,
  startApi,
  startMs,
  watchBody,
} from '#test/support/api.ts';

let api: Api;
let watchId: string;

beforeEach(async () => {
  api = await startApi();
  watchId = (await api.call('/v1/watches', { body: watchBody(api) })).body.id;
  return () => api.stop();
});

type Shown = { code: string; text: string };

/** The codes in the detail; the list must show the same. */
async function shown(): Promise<string[]> {
  const { body: detail } = await api.call(`/v1/watches/${watchId}`);
  const { body: list } = await api.call('/v1/watches');
  expect(list.data[0].trouble).toEqual(detail.trouble);
  return detail.trouble.map(({ code }: Shown) => code);
}

const channelIs = (status: 'unverified' | 'disabled' | 'unsubscribed') =>
  api.stores.channels.changeStatus(api.ann.channelId, ['active'], { status });
const feed = async () => {
  const found = await api.stores.feeds.find(eventId, 'stats');
  if (!found) throw new Error('no feed');
  return found;
};

const changeRules = (rules: unknown[]) =>
  api.call(`/v1/watches/${watchId}`, { method: 'PATCH', body: { rules }, headers: anyVersion });

/** Changes one attribute of a stored item behind the stores' back. */
async function damage(entity: string, change: object) {
  const { Items = [] } = await api.client.send(
    new ScanCommand({ TableName: api.names.WATCHLIST_TABLE }),
  );
  const item = Items.find((each) => each.entity === entity);
  if (!item) throw new Error(`no ${entity}`);
  await api.client.send(
    new PutCommand({ TableName: api.names.WATCHLIST_TABLE, Item: { ...item, ...change } }),
  );
}

describe('a watch', () => {
  it.each<[string, () => Promise<unknown>, string[]]>([
    ['nothing', async () => {}, []],
    [
      'a snooze',
      () => api.call(`/v1/watches/${watchId}/snooze`, { body: { until: '2026-03-02T00:00:00Z' } }),
      ['snoozed'],
    ],
    [
      'an unconfirmed address',
      () => channelIs('unverified'),
      ['no_usable_channel', 'channel_unverified'],
    ],
    ['a channel off', () => channelIs('disabled'), ['no_usable_channel', 'channel_disabled']],
    [
      'an unsubscribed reader',
      () => channelIs('unsubscribed'),
      ['no_usable_channel', 'channel_unsubscribed'],
    ],
    [
      'a reader who stopped it',
      () => api.stores.channels.silenceWatch(api.ann.channelId, watchId, forever),
      ['no_usable_channel', 'channel_muted'],
    ],
    [
      'a receiver that answers 500',
      () =>
        api.stores.channelHealth.countFailure(api.ann.channelId, {
          now: startMs,
          lastReason: 'http_500',
          isPerhapsGone: false,
        }),
      ['no_usable_channel', 'channel_failing'],
    ],
    [
      'a complaint',
      () => api.stores.suppressions.suppress('ann@example.com', 'complaint', startMs),
      ['no_usable_channel', 'channel_suppressed'],
    ],
    [
      'an unknown event',
      async () => api.stores.feeds.retire(await feed(), 'not_found'),
      ['feed_not_found'],
    ],
    [
      'a poll that never came',
      async () => {
        api.clock.now = startMs + 3_600_000;
      },
      ['feed_overdue'],
    ],
    [
      'an event that the marketplace has not known for a while',
      () => damage('feed', { missing: { since: startMs, looks: 2 } }),
      ['feed_missing'],
    ],
    ['a feed without any data', () => damage('feed', { lastPolledAt: startMs }), ['feed_empty']],
    [
      'a rule that has expired',
      async () => {
        const rule = { ...levelRule(80), expires_at: '2026-03-01T12:01:00Z' };
        await changeRules([rule]);
        api.clock.now = startMs + 60_000;
      },
      ['rule_expired'],
    ],
    [
      'a rule for the last days before an event whose start is not known',
      () => changeRules([{ ...levelRule(80), within_days_of_event: 2 }]),
      ['start_unknown'],
    ],
    [
      'a marketplace that is down',
      () =>
        api.stores.marketState.change((state) => ({
          ...state,
          ...{ faults: 9, openUntil: startMs + 60_000, openedAt: startMs },
        })),
      ['marketplace_down'],
    ],
    [
      'news that no rule was checked against',
      () => damage('feed', { lastSnapshotAt: startMs - 600_000 }),
      ['evaluation_behind'],
    ],
    ['a feed damaged where its key says the same', () => damage('feed', { eventId: 'broken' }), []],
    [
      'a channel whose address cannot be read',
      () => damage('channel', { target: 'damaged' }),
      ['no_usable_channel', 'channel_disabled'],
    ],
  ])('with %s says so in detail and list', async (_, amiss, codes) => {
    await amiss();
    expect(await shown()).toEqual(codes);
  });

  it('is behind with its own shard of the event, whatever others have seen', async () => {
    await api.stores.triggers.place(eventId, 1_000);
    const body = watchBody(api, { rules: [levelRule(33)] });
    const other = (await api.call('/v1/watches', { body })).body.id;
    const cursor = { evaluatedThrough: startMs, alerts: 0, memory: { hour: 0, standings: {} } };
    const ofOther = { eventId, kind: 'stats', shard: 1 } as const;
    await api.stores.evaluations.acquire(ofOther, 'run', startMs, startMs + 1);
    await api.stores.evaluations.advance(ofOther, 'run', { ...cursor, cursorMemory: {} });
    await damage('feed', { lastSnapshotAt: startMs - 600_000 });

    const troubleOf = async (id: string) =>
      (await api.call(`/v1/watches/${id}`)).body.trouble.map(({ code }: Shown) => code);
    expect(await troubleOf(watchId)).toEqual(['evaluation_behind']);
    expect(await troubleOf(other)).toEqual([]);
  });

  it('says so in the CSV, which comes in again', async () => {
    await channelIs('disabled');
    const { text } = await api.call('/v1/watchlist/export?format=csv');
    expect(text.split('\r\n')[0]).toMatch(/,last_alert_at,trouble$/);
    expect(text).toContain('No channel of the watch can get an alert at present.');
    expect(text).toContain('While the watch is active it is still polled, and its pulls count');
    const answer = await api.call('/v1/watchlist/import', {
      body: text,
      headers: { 'content-type': 'text/csv' },
    });
    expect([answer.status, answer.body.unchanged]).toEqual([200, 1]);
  });
});

describe('a page of many watches', () => {
  it('reads what they share once', async () => {
    for (let level = 1; level <= 20; level += 1) {
      await api.call('/v1/watches', { body: watchBody(api, { rules: [levelRule(level)] }) });
    }
    let reads = 0;
    api.client.middlewareStack.add((next) => (args) => {
      reads += 1;
      return next(args);
    });
    const { body } = await api.call('/v1/watches');
    expect(body.data).toHaveLength(21);
    // Each watch's trigger, and a few items that all of them share.
    expect(reads).toBeLessThan(21 + 15);
  });
});
