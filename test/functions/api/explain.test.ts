// Why a watch spoke or did not: each look at each rule, as the live system made it, with one reason.
import { describe, expect, it } from 'vitest';
import { below80, openExplained, reasonsIn } from '#test/support/explained.ts';
import { eventId } from '#test/support/pipeline.ts';

const explained = openExplained();
const { opened } = explained;

describe('a level', () => {
  it('is explained look by look: not reached, alerted, told already, armed again', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100, 90, 74, 76, 81, 90, 79);
    const body = await explained.explain(watchId);
    expect(reasonsIn(body)).toEqual([
      [100, 'first_look'],
      [90, 'not_reached'],
      [74, 'alerted'],
      [76, 'told_already'],
      [81, 'told_already'],
      [90, 'rearmed'],
      [79, 'alerted'],
    ]);
    expect(body).toMatchObject({
      ...{ watch_id: watchId, event_id: eventId, event_name: 'Knicks at Heat' },
      event_date: '2026-05-01',
    });
    expect(body.data[5]).toMatchObject({
      ...{ value: 90, level: 80, distance: 10, distance_percent: 12.5, unit: 'dollars' },
      ...{ state: 'armed', evaluated: true, alert_id: null },
      observed_at: '2026-03-01T12:01:59.000Z',
      looked_at: '2026-03-01T12:02:00.000Z',
    });
    expect(body.data[3].text).toContain('armed again when the number is back at $82.40');
    const [first] = opened.pipeline.raised;
    expect(body.data[4]).toMatchObject({ alert_id: first?.alertId, alert_state: 'sent' });
  });

  it('has the closest miss of the week in words', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(100, 81.5, 95, 96);
    const [rule] = (await explained.explain(watchId)).rules;
    expect(rule.closest_miss).toMatchObject({ value: 81.5, level: 80, distance: 1.5 });
    expect(rule.closest_miss.text).toBe(
      '$81.50 against $80, Sun 12:01. Armed, and the level was not reached.',
    );
  });

  it('has no closest miss while it has never been near', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    await explained.see(null);
    expect((await explained.explain(watchId)).rules[0].closest_miss).toBeNull();
  });

  it.each<[string, object, (number | null)[], [number | null, string][]]>([
    [
      'a missing value',
      {},
      [100, null],
      [
        [100, 'first_look'],
        [null, 'no_value'],
      ],
    ],
    [
      'a cool-down',
      { cool_down_minutes: 60 },
      [100, 74, 100, 71],
      [
        [100, 'first_look'],
        [74, 'alerted'],
        [100, 'rearmed'],
        [71, 'cool_down'],
      ],
    ],
    [
      'a cap',
      { at_most_per_day: 1 },
      [100, 74, 100, 71],
      [
        [100, 'first_look'],
        [74, 'alerted'],
        [100, 'rearmed'],
        [71, 'daily_limit'],
      ],
    ],
    [
      'confirmations',
      { confirmations: 3 },
      [100, 74, 75, 90, 74, 73, 72],
      [
        [100, 'first_look'],
        [74, 'needs_snapshots'],
        [75, 'needs_snapshots'],
        [90, 'not_confirmed'],
        [74, 'needs_snapshots'],
        [73, 'needs_snapshots'],
        [72, 'alerted'],
      ],
    ],
    [
      'a condition',
      { all_of: [{ type: 'supply', metric: 'total_listings_active', at_or_below: 4 }] },
      [100, 74],
      [
        [100, 'first_look'],
        [74, 'condition_not_met'],
      ],
    ],
    [
      'an event that is too far away',
      { within_days_of_event: 3 },
      [100, 74],
      [
        [100, 'first_look'],
        [74, 'too_early'],
      ],
    ],
    [
      'what was true when the rule was made',
      { when_already_true: 'wait' },
      [74, 73, 100, 72],
      [
        [74, 'already_true'],
        [73, 'told_already'],
        [100, 'rearmed'],
        [72, 'alerted'],
      ],
    ],
  ])('says why it was silent: %s', async (_name, also, getIns, expected) => {
    const { watchId } = await opened.pipeline.addWatch([{ ...below80, ...also }]);
    await explained.see(...getIns);
    expect(reasonsIn(await explained.explain(watchId))).toEqual(expected);
  });

  it('names the condition, the end of the cool-down and the number of snapshots', async () => {
    const few = { type: 'supply', metric: 'total_listings_active', at_or_below: 4 };
    const { watchId } = await opened.pipeline.addWatch([
      { ...below80, cool_down_minutes: 60 },
      { ...below80, all_of: [few] },
      { ...below80, confirmations: 3 },
    ]);
    await explained.see(100, 74, 100, 71);
    const [cooling, condition, confirming] = (await explained.explain(watchId)).data.slice(0, 3);
    expect(cooling.text).toContain('lasted until Mar 1, 1:01 PM UTC');
    expect(condition.text).toContain('active listings at or below 4');
    expect(confirming.text).toBe('Reached; it needed 2 more snapshots in a row.');
  });
});

describe('a change in a window', () => {
  it('says that too little history is known', async () => {
    const from = { of: 'high', window: '24h' };
    const drop = { type: 'change', metric: 'get_in', drops_by: { percent: 10 }, from };
    const { watchId } = await opened.pipeline.addWatch([drop]);
    await explained.see(100, 95, 80);
    const body = await explained.explain(watchId);
    expect(reasonsIn(body).map(([, reason]) => reason)).toEqual([
      'first_look',
      'not_reached',
      'history_short',
    ]);
    expect(body.data[0].text).toBe(
      'Reached, but only 2 min of the 12 hours that its window needs were known.',
    );
  });
});

describe('an alert that was held or not sent', () => {
  it('says until when quiet hours hold it, and that a snooze stopped it', async () => {
    const { watchId } = await opened.pipeline.addWatch([below80]);
    const quiet = { quiet_hours: { from: '10:00', to: '18:00' } };
    const changed = await explained.call('/v1/owner', {
      ...{ method: 'PATCH', body: quiet, headers: { 'if-match': '*' } },
    });
    expect(changed.status).toBe(200);
    await explained.see(100, 74);
    expect((await explained.explain(watchId)).data[0]).toMatchObject({
      ...{ reason: 'alerted', alert_state: 'waiting', alert_reason: 'quiet_hours' },
      alert_due_at: '2026-03-01T18:00:00.000Z',
    });
    await explained.call(`/v1/watches/${watchId}/snooze`, { body: { minutes: 600 } });
    await explained.see(100, 73);
    expect((await explained.explain(watchId)).data[0]).toMatchObject({
      ...{ reason: 'alerted', alert_state: 'unsent', alert_reason: 'snoozed' },
    });
  });
});

describe('rules of every kind', () => {
  const from = { of: 'high', window: '1h' };
  const rules = [
    { ...below80, tell_recovery: true, on_no_data: 'alert' },
    { ...below80, repeat_every_further_percent: 5 },
    { type: 'any_change', metric: 'get_in', at_most_per_day: 3 },
    { type: 'extreme', metric: 'get_in', new: 'low', within: '7d', min_history_hours: 0.03 },
    { type: 'change', metric: 'get_in', drops_by: { percent: 8 }, from, min_history_hours: 0.03 },
    { type: 'change', metric: 'avg_price', rises_by: { amount: 10 }, from: { of: 'last_alert' } },
    { type: 'change', metric: 'get_in', drops_by: { amount: 9 }, from: { of: 'watch_start' } },
    { type: 'supply', at_or_below: 4 },
    { type: 'fill_rate', at_or_above: 60 },
  ];

  it('are explained as the live system decided: no alert is missing, none is too many', async () => {
    const { watchId } = await opened.pipeline.addWatch(rules);
    await explained.see(100, 95, 78, 77, 72, null, 90, 60, 61, 100, 104, 79);
    const { data } = await explained.explain(watchId, 'limit=200');
    const { raised } = opened.pipeline;
    const ids = data.flatMap(({ alert_id }: { alert_id: string | null }) => alert_id ?? []);
    const reasons = data.map(({ reason }: { reason: string }) => reason);
    expect(reasons).not.toContain('unknown');
    expect(raised.length).toBeGreaterThan(15);
    // A recovery and an alert of one rule never share a snapshot here.
    expect(ids.toSorted()).toEqual(raised.map(({ alertId }) => alertId).sort());
  });
});
