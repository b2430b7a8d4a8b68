// What an explanation says of what is not known, of times without polls, and the forms of the request.
import { describe, expect, it } from 'vitest';
import { below80, openExplained, reasonsIn } from '#test/support/explained.ts';
import { eventId } from '#test/support/pipeline.ts';

const explained = openExplained();
const { opened } = explained;

describe('what is not known', () => {
  it('is not told: the time before the watch', async () => {
    await opened.pipeline.addWatch([below80]);
    await explained.see(100, 90);
    const { watchId } = await opened.pipeline.addWatch([{ ...below80, at_or_below: 70 }]);
    const madeAt = new Date(opened.pipeline.clock.now).toISOString();
    await explained.see(95, 85);
    const body = await explained.explain(watchId);
    expect(reasonsIn(body)).toEqual([
      [95, 'not_reached'],
      [85, 'not_reached'],
    ]);
    expect(body.rules[0]).toMatchObject({ known_from: madeAt, known_from_reason: 'rule_made' });
  });

  it('is said: an alert that its rule of today would have raised', async () => {
    const { watchId, rules } = await opened.pipeline.addWatch([below80]);
    await explained.see(100, 90);
    // Another writer moved the trigger: it was fired when the price fell.
    const triggerId = rules[0]?.triggerIds[0] ?? '';
    await opened.api.stores.triggers.edit(triggerId, (trigger) => ({ ...trigger, state: 'fired' }));
    await explained.see(74, 75, 90, 73);
    expect(reasonsIn(await explained.explain(watchId))).toEqual([
      [100, 'first_look'],
      [90, 'not_reached'],
      [74, 'unknown'],
      [75, 'told_already'],
      [90, 'rearmed'],
      [73, 'alerted'],
    ]);
  });

  it('is said: a stored alert that the replay would not have raised', async () => {
    const { watchId, rules } = await opened.pipeline.addWatch([below80]);
    await explained.see(100, 90);
    const triggerId = rules[0]?.triggerIds[0] ?? '';
    await opened.api.stores.triggers.edit(triggerId, (trigger) => ({ ...trigger, level: 9_500 }));
    await explained.see(94, 93);
    expect(reasonsIn(await explained.explain(watchId)).slice(2)).toEqual([
      [94, 'alerted'],
      [93, 'rearmed'],
    ]);
  });

  it('is said: a snapshot that was not evaluated yet', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    const { stats } = { stats: { eventId, kind: 'stats' as const } };
    const newest = await opened.api.stores.snapshots.newest(stats);
    if (!newest) throw new Error('no snapshot');
    const observedAt = opened.pipeline.clock.now;
    await opened.api.stores.snapshots.create({ ...newest, observedAt }, opened.pipeline.clock.now);
    expect((await explained.explain(watchId)).data[0]).toMatchObject({
      ...{ reason: 'not_evaluated', evaluated: false },
    });
  });
});

describe('a time without polls', () => {
  it('is a gap with its reason, once a poll succeeds again', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100, 90);
    const last = await opened.api.stores.feeds.find(eventId, 'stats');
    opened.pipeline.clock.now += 3 * 3_600_000;
    await explained.see(85);
    const { gaps } = await explained.explain(watchId);
    expect(gaps).toMatchObject([
      {
        ...{ feed: 'stats', reason: 'not_taken' },
        from: new Date(last?.lastPolledAt ?? 0).toISOString(),
      },
    ]);
  });

  it('goes on while the last poll is long ago', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    opened.pipeline.clock.now += 2 * 3_600_000;
    const { gaps } = await explained.explain(watchId);
    expect(gaps).toMatchObject([{ to: new Date(opened.pipeline.clock.now).toISOString() }]);
  });
});

describe('a paused watch', () => {
  it('says so for every look since', async () => {
    await opened.pipeline.addWatch([{ ...below80, at_or_below: 10 }]);
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    await explained.call(`/v1/watches/${watchId}/pause`, { method: 'POST' });
    await explained.see(74);
    expect(reasonsIn(await explained.explain(watchId))).toEqual([
      [100, 'first_look'],
      [74, 'paused'],
    ]);
  });
});

describe('the request', () => {
  it('ends now at the latest', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    const { data, to } = await explained.explain(watchId, 'at=9999-12-31T23:59:59Z');
    expect([data.length, to]).toEqual([1, new Date(opened.pipeline.clock.now).toISOString()]);
  });

  it('is refused for a rule that the watch does not have', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    const path = `/v1/watches/${watchId}/explain?rule_id=rul_1`;
    const { status, body } = await explained.call(path);
    expect([status, body.detail]).toEqual([400, '/rule_id is no rule of this watch']);
  });

  it('gives one time with the last look of each rule', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80, { ...below80, at_or_below: 95 }]);
    await explained.see(100, 90, 74);
    const { data } = await explained.explain(watchId, 'at=2026-03-01T12:02:30Z');
    expect(data).toMatchObject([
      { value: 90, reason: 'not_reached' },
      { value: 90, reason: 'alerted' },
    ]);
  });

  it('has no looks at a time before the watch, or before 1970', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    for (const at of ['2025-01-17T15:08:26Z', '1970-01-01T00:00:00Z', '1025-01-17T15:08:26Z']) {
      const { data, rules } = await explained.explain(watchId, `at=${at}`);
      expect([data, rules.length], at).toEqual([[], 1]);
    }
  });

  it('gives pages that hold each look of each rule once', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80, { ...below80, at_or_below: 95 }]);
    await explained.see(100, 90, 74, 99, 98);
    const found: unknown[] = [];
    let cursor = '';
    do {
      const body = await explained.explain(watchId, `limit=3${cursor}`);
      found.push(...body.data);
      cursor = body.has_more ? `&starting_after=${body.next_cursor}` : '';
      // A page later the default range would have moved on.
      opened.pipeline.clock.now += 23 * 3_600_000;
    } while (cursor !== '');
    expect(found).toHaveLength(10);
    expect(new Set(found.map((look) => JSON.stringify(look))).size).toBe(10);
  });

  it('gives a file for a spreadsheet', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100, 74);
    const { text, headers } = await explained.call(`/v1/watches/${watchId}/explain?format=csv`);
    expect(headers.get('content-type')).toContain('text/csv');
    const [head, newest, ...others] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'observed_at,looked_at,rule,value,unit,level,distance,distance_percent,state,reason,text,alert_id,alert_state,alert_reason,alert_due_at,rule_id',
    );
    expect(newest).toContain(
      '2026-03-01T12:01:59.000Z,2026-03-01T12:02:00.000Z,Get-in at or below $80,74,dollars,80,0,0,armed,alerted,An alert was raised.,alt_',
    );
    expect(others).toHaveLength(1);
  });

  it.each([
    ['at=2026-03-01T12:00:00Z&to=2026-03-01T12:00:00Z', '#/at'],
    ['from=2026-03-01T12:00:00Z&to=2026-03-01T11:00:00Z', '#/from'],
    ['from=2026-01-01T12:00:00Z', '#/from'],
    ['starting_after=abc', '#/starting_after'],
    ['until=now', '#/until'],
  ])('is refused with %s', async (query, pointer) => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    const { status, body } = await explained.call(`/v1/watches/${watchId}/explain?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('finds no watch of another owner', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    expect((await opened.api.call(`/v1/watches/${watchId}/explain`)).status).toBe(404);
  });
});

describe('a watch that was changed', () => {
  const change = (watchId: string, body: unknown) =>
    explained.call(`/v1/watches/${watchId}`, {
      ...{ method: 'PATCH', body, headers: { 'if-match': '*' } },
    });

  it('explains each look by the rule of its time', async () => {
    const { watchId, rules } = await opened.pipeline.addWatch([below80]);
    const id = rules[0]?.ruleId;
    await explained.see(100, 74, 90);
    await change(watchId, { rules: [{ id, rule: { ...below80, at_or_below: 60 } }] });
    await opened.pipeline.drain();
    await explained.see(75, 59);
    await change(watchId, { rules: [{ id, rule: { ...below80, at_or_below: 50 } }] });
    await explained.see(55, 49);
    const body = await explained.explain(watchId);
    expect(reasonsIn(body)).toEqual([
      [100, 'first_look'],
      [74, 'alerted'],
      [90, 'rearmed'],
      [75, 'not_reached'],
      [59, 'alerted'],
      [55, 'not_reached'],
      [49, 'alerted'],
    ]);
    expect(body.data.map(({ level }: { level: number }) => level).reverse()).toEqual([
      ...[80, 80, 80, 60, 60, 50, 50],
    ]);
    expect(body.rules[0].forms).toMatchObject([
      { sentence: 'Get-in at or below $80' },
      { sentence: 'Get-in at or below $60' },
      { sentence: 'Get-in at or below $50', to: null },
    ]);
    expect(body.rules[0].known_from_reason).toBe('first_snapshot');
  });

  it('keeps the state of a rule whose limits alone were changed', async () => {
    const { watchId, rules } = await opened.pipeline.addWatch([below80]);
    const id = rules[0]?.ruleId;
    await explained.see(100, 74);
    await change(watchId, { rules: [{ id, rule: { ...below80, cool_down_minutes: 60 } }] });
    await explained.see(75, 100, 73);
    expect(reasonsIn(await explained.explain(watchId))).toEqual([
      [100, 'first_look'],
      [74, 'alerted'],
      [75, 'told_already'],
      [100, 'rearmed'],
      [73, 'cool_down'],
    ]);
  });

  it('says when it was paused, and goes on as it was after that', async () => {
    await opened.pipeline.addWatch([{ ...below80, at_or_below: 10 }]);
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100);
    await explained.call(`/v1/watches/${watchId}/pause`, { method: 'POST' });
    await explained.see(74, 100);
    await explained.call(`/v1/watches/${watchId}/resume`, { method: 'POST' });
    await explained.see(99, 73);
    expect(reasonsIn(await explained.explain(watchId))).toEqual([
      [100, 'first_look'],
      [74, 'paused'],
      [100, 'paused'],
      [99, 'not_reached'],
      [73, 'alerted'],
    ]);
  });
});
