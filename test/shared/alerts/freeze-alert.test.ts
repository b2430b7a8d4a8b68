// When the earlier number of an alert was seen, for every baseline that a rule may have.
import { describe, expect, it } from 'vitest';
import { freezeAlert } from '#shared/alerts/freeze-alert.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { fire } from '#shared/rules/transitions.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { triggerOf } from '#test/support/triggers.ts';

const hour = 3_600_000;
const observedAt = Date.parse('2026-03-01T12:00:00Z');
const before = { at: observedAt - hour, value: 9_000 };
const lastAlertAt = observedAt - 30 * hour;

/** The alert of a rule that fires at $74; `baseline` as the snapshot tells it, in cents. */
function alertOf(given: object, baseline: number | null, changes: Partial<Trigger> = {}) {
  const rule = ruleSchema.parse(given);
  const trigger = { ...triggerOf(rule, 0), ...changes };
  const { firing } = fire(trigger, 7_400, { observedAt, base: 7_400, baseline });
  const watch = { channelIds: ['ch_1'] } as Watch;
  const news = { trigger, firing, alreadyTrue: false, previous: before, now: observedAt };
  return freezeAlert(news, { watch, rule, facts: undefined });
}

const drop = { type: 'change', metric: 'get_in', drops_by: { percent: 15 } };
const remembering = (baseline: number) => ({
  memory: { baseline, firings: [lastAlertAt], pending: null, announced: [] },
});

describe('the moment of the earlier number', () => {
  it.each<[string, number | undefined, ReturnType<typeof alertOf>]>([
    [
      'of a level is the snapshot before',
      before.at,
      alertOf({ type: 'level', metric: 'get_in', at_or_below: 80 }, null),
    ],
    [
      'of a change since the snapshot before is that snapshot',
      before.at,
      alertOf({ ...drop, from: { of: 'previous_snapshot' } }, 9_000),
    ],
    [
      'of a change that was seen first from an earlier snapshot is not known',
      undefined,
      alertOf({ ...drop, from: { of: 'previous_snapshot' } }, 9_500),
    ],
    [
      'of a change since the last alert is that alert',
      lastAlertAt,
      alertOf({ ...drop, from: { of: 'last_alert' } }, null, remembering(10_000)),
    ],
    [
      'of a change since the watch began is not known',
      undefined,
      alertOf({ ...drop, from: { of: 'watch_start' } }, null, remembering(10_000)),
    ],
    [
      'of a change from a window’s high is none',
      undefined,
      alertOf({ ...drop, from: { of: 'high', window: '24h' } }, 10_000),
    ],
  ])('%s', (_what, earlierAt, alert) => {
    expect(alert.earlierAt).toBe(earlierAt);
  });
});

it('an alert keeps the event’s id at Ticketmaster, for the links to tickets in its messages', () => {
  const rule = ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below: 80 });
  const trigger = triggerOf(rule, 0);
  const { firing } = fire(trigger, 7_400, { observedAt, base: 7_400, baseline: null });
  const news = { trigger, firing, alreadyTrue: false, previous: before, now: observedAt };
  const facts = { eventId: 4711, name: 'Knicks', tmEventId: 'G5vYZ9VCrkz1h', updatedAt: 1 };
  const watch = { channelIds: ['ch_1'] } as Watch;
  expect(freezeAlert(news, { watch, rule, facts }).tmEventId).toBe('G5vYZ9VCrkz1h');
});
