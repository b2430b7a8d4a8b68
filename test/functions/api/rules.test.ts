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

interface Point {
  amount: number;
  count: number;
}

const preview = async (rule: unknown, also: Record<string, unknown> = {}) =>
  (await api.call('/v1/rules/preview', { body: { event_id: eventId, rule, ...also } })).body;

describe('POST /v1/rules/preview', () => {
  it('tells when a level would have fired, the price then, and the lowest afterwards', async () => {
    await store([100, 79, 85, 75, null, 71, 90]);
    const body = await preview(levelRule(80), { latency_seconds: 60 });

    expect(body).toMatchObject({
      sentence: 'Get-in at or below $80',
      unit: 'dollars',
      count: 2,
      per_week: null,
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
        highest_after: { observed_at: '2026-03-01T11:00:00.000Z', value: 90 },
        stayed_minutes: 60,
        undone_at_once: true,
        words: '$79; the lowest value afterwards was $71',
      },
      {
        observed_at: '2026-03-01T08:00:00.000Z',
        value: 75,
        lowest_after: { value: 71 },
        stayed_minutes: 180,
        undone_at_once: false,
      },
    ]);
    expect(body.note).toBe(
      'Evaluated 7 stored snapshots. They cover 6 hours, too little for a weekly rate. Each is a refresh of the market; a watch with this latency would have cost about 7 pulls. This preview cost no pull. With buy_history it also uses the earlier prices, for at most 1 pull.',
    );
  });

  it('counts what a little more or less would have brought', async () => {
    await store([100, 95, 100, 87, 100, 79, 100, 70, 100]);
    const { count, nearby } = await preview(levelRule(80));
    expect(count).toBe(2);
    expect(nearby.map(({ amount, count }: Point) => [amount, count])).toEqual([
      [64, 0],
      [72, 1],
      [80, 2],
      [88, 3],
      [96, 4],
    ]);
    expect(nearby[0]).toEqual({
      ...{ amount: 64, sentence: 'Get-in at or below $64' },
      ...{ count: 0, already_true: false, per_week: null },
    });
  });

  it('gives a weekly rate for a week of prices, without the alert that was true from the start', async () => {
    await store(Array.from({ length: 169 }, (_, hour) => (hour % 24 < 12 ? 70 : 100)));
    const body = await preview(levelRule(80));
    expect(body).toMatchObject({ count: 7, already_true: true, per_week: 7 });
    expect(body.fires).toHaveLength(8);
    expect(body.note).not.toMatch(/too little/);
  });

  it('counts 40 amounts over the values that the event had, the rule’s own among them', async () => {
    await store([100, 95, 100, 87, 100, 79, 100, 70, 100]);
    const { curve } = await preview(levelRule(80));
    const counts = new Map(curve.map(({ amount, count }: Point) => [amount, count]));
    expect([curve.length, curve[0].amount, curve.at(-1).amount]).toEqual([40, 70, 100]);
    expect([counts.get(70), counts.get(80), counts.get(100)]).toEqual([1, 2, 0]);
  });

  it('suggests the amount that comes nearest to the wished alerts a week', async () => {
    const day = (low: number) => Array.from({ length: 24 }, (_, hour) => (hour === 12 ? low : 100));
    await store([...[90, 80, 90, 90, 90, 60, 90, 90].flatMap(day), 100]);
    const { suggested } = await preview(levelRule(50), { aim: { per_week: 2 } });
    expect(suggested.count).toBe(2);
    expect(suggested.amount).toBeGreaterThanOrEqual(80);
    expect(suggested.amount).toBeLessThan(90);
    expect((await preview(levelRule(50))).suggested).toBeNull();
  });

  it('suggests nothing from less than a week', async () => {
    await store([100, 79, 100]);
    expect((await preview(levelRule(80), { aim: { per_week: 1 } })).suggested).toBeNull();
  });

  it('counts more confirmations', async () => {
    await store([100, 79, 78, 100, 79, 100]);
    const { confirmations } = await preview(levelRule(80));
    expect(confirmations.map(({ amount, count }: Point) => [amount, count])).toEqual([
      [1, 2],
      [2, 1],
      [3, 0],
      [4, 0],
      [5, 0],
    ]);
  });

  it('says when quiet hours would have let each alert through, and which were stale by then', async () => {
    await api.call('/v1/owner', {
      method: 'PATCH',
      headers: { 'if-match': '*' },
      body: { quiet_hours: { from: '06:30', to: '08:30' } },
    });
    await store([100, 100, 79, 100, 75, 75, 100]);
    const body = await preview(levelRule(80), { as_delivered: true });
    expect(body.fires).toMatchObject([
      {
        observed_at: '2026-03-01T07:00:00.000Z',
        delivered: { at: '2026-03-01T08:30:00.000Z', held: 'quiet_hours', told: false },
      },
      { delivered: { at: '2026-03-01T09:00:00.000Z', held: null, told: true } },
    ]);
    expect(body.messages).toBe(1);
  });

  it('lists recoveries apart from the alerts, and counts them only as messages', async () => {
    await store([100, 79, 100, 75, 75, 100]);
    const times = { method: 'PATCH', headers: { 'if-match': '*' } };
    const quiet_hours = { from: '10:30', to: '11:30' };
    await api.call('/v1/owner', { ...times, body: { quiet_hours } });
    const rule = { ...levelRule(80), tell_recovery: true };
    const body = await preview(rule, { as_delivered: true });
    const plain = await preview(levelRule(80), { as_delivered: true });

    expect(body.recoveries).toMatchObject([
      { value: 100, fired_at: body.fires[0].observed_at, delivered: { held: null, told: true } },
      { value: 100, fired_at: body.fires[1].observed_at },
    ]);
    expect(body.messages).toBe(plain.messages + 2);
    for (const name of ['count', 'fires', 'per_week', 'longest_silence_hours']) {
      expect(body[name]).toEqual(plain[name]);
    }
    const countsOf = ({ curve }: { curve: Point[] }) => curve.map(({ count }) => count);
    expect(countsOf(body)).toEqual(countsOf(plain));
    expect(plain.recoveries).toEqual([]);
  });

  it('goes back two years by the values that rollups keep, and says so', async () => {
    const startsAt = startMs - 100 * 24 * hourMs;
    const points = [100, 79, 100].map((dollars, index) => ({
      ...{ at: startsAt + index * 600_000, value: dollars * 100 },
    }));
    const [first, , last] = points;
    if (!first || !last) throw new Error('no points');
    const summary = { first, last, low: 7_900, high: 10_000 };
    const hour = { startsAt, summary, points };
    await api.stores.rollups.putHour(eventId, 'stats/get_in', hour, startMs);
    await store([100, 75, 100]);
    const body = await preview(levelRule(80), { from: '2025-11-01T00:00:00Z' });
    expect([body.snapshots, body.count, body.from]).toEqual([6, 2, '2025-11-21T12:00:00.000Z']);
    expect(body.note).toContain(
      '3 of them are kept values of this price alone, older than the snapshots.',
    );
    expect((await preview(levelRule(80))).snapshots).toBe(3);
  });

  it('counts the pulls that tell every refresh within the latency', async () => {
    await store([100, 99, 98, 97, 96, 95]);
    const pullsAt = async (latency_seconds: number) =>
      (await preview(levelRule(80), { latency_seconds })).pulls;
    expect([await pullsAt(60), await pullsAt(3_600), await pullsAt(10_800)]).toEqual([6, 3, 2]);
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
    ['a stretch longer than what is kept', { from: '2024-01-01T00:00:00Z' }, '#/from'],
  ])('refuses %s', async (_, also, pointer) => {
    const { status, body } = await api.call('/v1/rules/preview', {
      body: { event_id: eventId, rule: levelRule(5), ...also },
    });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });
});
