// A damaged alert or delivery in the lists: it appears with what is readable, in its place, and fails no other.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';

let api: Api;
const watchId = `wat_${'a'.repeat(32)}`;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

const kinds = {
  alerts: { pk: (n: number) => `ALERT#alt_${n}`, sk: 'ALERT', id: (n: number) => `alt_${n}` },
  deliveries: {
    pk: (n: number) => `DELIVERY#dlv_${n}`,
    sk: 'DELIVERY',
    id: (n: number) => `dlv_${n}`,
  },
};
type Kind = keyof typeof kinds;

async function write(kind: Kind, n: number, field: string, value: unknown): Promise<void> {
  const { pk, sk } = kinds[kind];
  await api.client.send(
    new UpdateCommand({
      TableName: api.names.WATCHLIST_TABLE,
      Key: { pk: pk(n), sk },
      UpdateExpression: value === undefined ? 'REMOVE #name' : 'SET #name = :value',
      ExpressionAttributeNames: { '#name': field },
      ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
}

async function store(n: number): Promise<void> {
  const { ownerId, channelId } = api.ann;
  const at = startMs + n * 1_000;
  const alertId = `alt_${n}`;
  const about = { alertId, ownerId, watchId, eventId: n, firedAt: at, channelIds: [channelId] };
  await api.stores.alerts.create(anAlert(about));
  const to = { deliveryId: `dlv_${n}`, ownerId, channelId, purpose: 'alert' } as const;
  const sent = { ...to, channelKind: 'slack', alertIds: new Set([alertId]) } as const;
  await api.stores.deliveries.create(newDelivery(sent, { now: at }));
}

/** The second of three is damaged; each test begins with whole rows of its own owner index. */
let from = 0;
beforeEach(async () => {
  from += 10;
  for (const n of [from, from + 1, from + 2]) await store(n);
});
const since = () => `since=${new Date(startMs + from * 1_000).toISOString()}`;

const alertNumbers = ['value', 'level', 'base', 'withFee', 'observedAt', 'firedAt', 'eventId'];
const alertWords = ['series', 'direction', 'role', 'watchId', 'ruleId', 'ownerId', 'eventName'];
const fieldsOf: Record<Kind, string[]> = {
  alerts: [...alertNumbers, ...alertWords],
  deliveries: ['status', 'attempts', 'claims', 'createdAt', 'dueAt', 'channelId', 'channelKind'],
};
const rows = (['alerts', 'deliveries'] as const).flatMap((kind) =>
  fieldsOf[kind].flatMap((field) =>
    [undefined, ['odd']].map((value) => [kind, field, value] as const),
  ),
);

describe('a damaged row', () => {
  it.each(rows)('of %s is shown with its readable fields: %s is %j', async (kind, field, value) => {
    const { id } = kinds[kind];
    await write(kind, from + 1, field, value);
    const { body, status } = await api.call(`/v1/${kind}?${since()}`);
    expect(status).toBe(200);
    expect(body.data.map((row: { id: string }) => row.id)).toEqual([id(from + 2), id(from)]);
    expect(body.damaged).toHaveLength(1);
    expect(body.damaged[0]).toMatchObject({ id: id(from + 1), damaged: [expect.any(String)] });
  });

  it('of alerts names its watch, event and time, and the damaged numbers', async () => {
    await write('alerts', from + 1, 'value', 'odd');
    await write('alerts', from + 1, 'withFee', undefined);
    const { body } = await api.call(`/v1/alerts?${since()}`);
    expect(body.damaged).toEqual([
      {
        id: `alt_${from + 1}`,
        damaged: ['value', 'now_with_fee'],
        watch_id: watchId,
        rule_id: 'rul_00000000000000000000000000000001',
        event_id: from + 1,
        event_name: 'Knicks at Heat',
        event_date: '2026-03-07',
        sentence: 'Get-in of Lower Bowl at or below $80',
        observed_at: '2026-03-01T12:01:00.000Z',
        fired_at: new Date(startMs + (from + 1) * 1_000).toISOString(),
      },
    ]);
  });

  it.each(['alerts', 'deliveries'] as const)('of %s counts as a row of its page', async (kind) => {
    await write(kind, from + 1, kind === 'alerts' ? 'value' : 'status', 7);
    await write(kind, from + 1, kind === 'alerts' ? 'level' : 'claims', 'odd');
    const pages: { whole: string[]; damaged: string[] }[] = [];
    let cursor = '';
    do {
      const { body } = await api.call(`/v1/${kind}?limit=1&${since()}${cursor}`);
      const ids = (list: { id: string }[]) => list.map((row) => row.id);
      pages.push({ whole: ids(body.data), damaged: ids(body.damaged) });
      cursor = body.has_more ? `&starting_after=${body.next_cursor}` : '';
    } while (cursor !== '');
    const { id } = kinds[kind];
    expect(pages).toEqual([
      { whole: [id(from + 2)], damaged: [] },
      { whole: [], damaged: [id(from + 1)] },
      { whole: [id(from)], damaged: [] },
    ]);
  });

  it('passes a filter by the field that is damaged, and not another', async () => {
    await write('alerts', from + 1, 'eventId', 'odd');
    const of = async (query: string) =>
      (await api.call(`/v1/alerts?${since()}&${query}`)).body.damaged.length;
    expect(await of(`event_id=${from}`)).toBe(1);
    expect(await of(`watch_id=wat_${'b'.repeat(32)}`)).toBe(0);
  });

  it('of deliveries leaves its alert readable, with the reason', async () => {
    await write('deliveries', from + 1, 'claims', 'odd');
    await api.stores.dispositions.decideOnce(
      { alertId: `alt_${from + 1}`, channelId: api.ann.channelId, isNew: true },
      async () => ({
        ...{ alertId: `alt_${from + 1}`, channelId: api.ann.channelId, kind: 'send' },
        ...{ deliveryId: `dlv_${from + 1}`, decidedAt: startMs, dueAt: startMs },
      }),
    );
    const one = await api.call(`/v1/alerts/alt_${from + 1}`);
    expect([one.status, one.body.reason]).toEqual([200, 'damaged_delivery']);
    const { body } = await api.call(`/v1/alerts?${since()}&state=waiting`);
    expect(body.data).toHaveLength(3);
  });

  it.each(['alerts', 'deliveries'] as const)('of %s is refused by its id', async (kind) => {
    const field = kind === 'alerts' ? 'value' : 'claims';
    await write(kind, from + 1, field, 'odd');
    const path = `/v1/${kind}/${kinds[kind].id(from + 1)}`;
    const { status, body } = await api.call(path);
    expect([status, body.type]).toEqual([409, 'urn:getin:problem:stored-unreadable']);
    expect(body.detail).toContain(`is damaged in ${field}; GET /v1/${kind} has what is readable`);
    expect((await api.call(path, { key: api.bob.key })).status).toBe(404);
  });

  it('of alerts still names its deliveries', async () => {
    await write('alerts', from + 1, 'value', 'odd');
    const { status } = await api.call(`/v1/deliveries?alert_id=alt_${from + 1}`);
    expect(status).toBe(200);
  });

  it('of another owner is not shown', async () => {
    await write('alerts', from + 1, 'value', 'odd');
    const { body } = await api.call('/v1/alerts', { key: api.bob.key });
    expect(body.damaged).toEqual([]);
  });
});
