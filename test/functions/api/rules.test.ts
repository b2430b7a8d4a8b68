// Rule preview: what stored snapshots would have fired, by the functions that match live ones.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, eventId, levelRule, startApi, startMs, statsAt } from '#test/support/api.ts';

const hourMs = 3_600_000;
let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

/** One snapshot an hour, the last one an hour ago. */
async function store(prices: (number | null)[]): Promise<void> {
  const from = startMs - prices.length * hourMs;
  await api.stores.snapshots.createAll(
    prices.map((price, index) => statsAt(from + index * hourMs, price)),
    startMs,
  );
}

const preview = async (rule: unknown, also: Record<string, unknown> = {}) =>
  (await api.call('/v1/rules/preview', { body: { event_id: eventId, rule, ...also } })).body;

describe('POST /v1/rules/preview', () => {
  it('tells when a level would have fired, the price then, and the lowest afterwards', async () => {
    await store([100, 79, 85, 75, null, 71, 90]);
    const body = await preview(levelRule(80));

    expect(body).toMatchObject({
      sentence: 'Get-in at or below $80.00',
      unit: 'dollars',
      count: 2,
      per_week: 2,
      snapshots: 7,
      from: '2026-03-01T05:00:00.000Z',
      to: '2026-03-01T11:00:00.000Z',
    });
    expect(body.fires).toMatchObject([
      {
        observed_at: '2026-03-01T06:00:00.000Z',
        value: 79,
        level: 80,
        already_true: false,
        lowest_after: { observed_at: '2026-03-01T10:00:00.000Z', value: 71 },
        words: '$79; the lowest value afterwards was $71',
      },
      { observed_at: '2026-03-01T08:00:00.000Z', value: 75, lowest_after: { value: 71 } },
    ]);
    expect(body.note).toBe(
      'Evaluated 7 stored snapshots. Each is a refresh of the market, so a watch would have cost at most 7 pulls, fewer with a longer latency. This preview cost no pull.',
    );
  });

  it('counts what a little more or less would have brought', async () => {
    await store([100, 95, 100, 87, 100, 79, 100, 70, 100]);
    const { count, nearby } = await preview(levelRule(80));
    expect(count).toBe(2);
    expect(nearby).toEqual([
      { amount: 64, sentence: 'Get-in at or below $64.00', count: 0, per_week: 0 },
      { amount: 72, sentence: 'Get-in at or below $72.00', count: 1, per_week: 1 },
      { amount: 80, sentence: 'Get-in at or below $80.00', count: 2, per_week: 2 },
      { amount: 88, sentence: 'Get-in at or below $88.00', count: 3, per_week: 3 },
      { amount: 96, sentence: 'Get-in at or below $96.00', count: 4, per_week: 4 },
    ]);
  });

  it.each([
    [
      'a change, by its percent',
      {
        type: 'change',
        metric: 'get_in',
        drops_by: { percent: 90 },
        from: { of: 'previous_snapshot' },
      },
      [72, 81, 90, 99],
    ],
    ['a count, in whole listings', { type: 'supply', at_or_below: 4 }, [3, 4, 5]],
    [
      'a new low, which names no amount',
      { type: 'extreme', metric: 'get_in', new: 'low', within: '7d' },
      [],
    ],
  ])('counts the neighbours of %s', async (_, rule, amounts) => {
    const { nearby } = await preview(rule);
    expect(nearby.map(({ amount }: { amount: number }) => amount)).toEqual(amounts);
  });

  it('tells what a change was measured from', async () => {
    await store([100, 100, 84, 84]);
    const body = await preview({
      type: 'change',
      metric: 'get_in',
      drops_by: { percent: 15 },
      from: { of: 'high', window: '24h' },
      min_history_hours: 0.01,
    });
    expect(body.fires).toMatchObject([{ value: 84, baseline: 100, level: null }]);
  });

  it('says so when the rule was true from the start', async () => {
    await store([70, 70]);
    expect((await preview(levelRule(80))).fires).toMatchObject([{ already_true: true }]);
  });

  it('obeys confirmations and limits as a watch does', async () => {
    await store([100, 79, 100, 79, 78, 100]);
    expect((await preview({ ...levelRule(80), confirmations: 2 })).count).toBe(1);
  });

  it('looks at the time asked for only', async () => {
    await store([79, 100, 79, 100]);
    const body = await preview(levelRule(80), {
      from: '2026-03-01T09:00:00Z',
      to: '2026-03-01T10:30:00Z',
    });
    expect([body.count, body.snapshots]).toEqual([1, 2]);
  });

  it('says that nothing is known rather than that nothing happened', async () => {
    const body = await preview(levelRule(80));
    expect(body).toMatchObject({ count: 0, snapshots: 0, from: null });
    expect(body.note).toMatch(/^No snapshot of this event is stored/);
  });

  it('saves nothing, polls nothing, nudges nobody', async () => {
    await store([100, 79]);
    await api.call('/v1/watches');
    const stored = async () => {
      const names = Object.values(api.names);
      const scans = names.map((TableName) => api.client.send(new ScanCommand({ TableName })));
      return (await Promise.all(scans))
        .flatMap(({ Items = [] }) => Items)
        .filter(({ entity }) => entity !== 'requestCount');
    };
    const before = await stored();
    expect((await preview(levelRule(80))).count).toBe(1);
    expect(await stored()).toEqual(before);
    expect([api.nudges, api.deliveries]).toEqual([[], []]);
  });

  it.each([
    ['a rule with faults', { rule: levelRule(-5) }, '#/rule/at_or_below'],
    [
      'a stretch that ends before it begins',
      { to: '2026-01-01T00:00:00Z', from: '2026-02-01T00:00:00Z' },
      '#/from',
    ],
    ['a stretch longer than what is kept', { from: '2025-01-01T00:00:00Z' }, '#/from'],
  ])('refuses %s', async (_, also, pointer) => {
    const { status, body } = await api.call('/v1/rules/preview', {
      body: { event_id: eventId, rule: levelRule(5), ...also },
    });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });
});
