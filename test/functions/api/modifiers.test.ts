// Modifiers that a rule's kind refuses: new and edited rules get a 400, stored rules go on working.
import { beforeEach, describe, expect, it } from 'vitest';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { type Api, anyVersion, eventId, levelRule, startApi } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const drop = { type: 'change', metric: 'get_in', drops_by: { percent: 10 } };
const inWindow = { ...drop, from: { of: 'high', window: '24h' } };
const create = (rule: object) =>
  api.call('/v1/watches', {
    body: { event_id: eventId, rules: [rule], channels: [api.ann.channelId] },
  });

describe('POST /v1/watches', () => {
  it.each([
    [
      { ...inWindow, rearm_amount: 50 },
      'rearm_amount',
      'is an amount, but the change is in percent; use rearm_percent: how many points of the change must be undone',
    ],
    [
      { ...drop, drops_by: { amount: 20 }, from: { of: 'high', window: '24h' }, rearm_amount: 25 },
      'rearm_amount',
      'must be less than the amount of the change, or it would never re-arm',
    ],
    [
      { type: 'extreme', metric: 'get_in', new: 'low', within: '7d', on_no_data: 'clear' },
      'on_no_data',
      'can’t be clear here: the rule stays armed, so there is nothing to re-arm; use keep, or alert to be told of missing data',
    ],
    [
      { ...drop, from: { of: 'last_alert' }, fee_percent: 10 },
      'fee_percent',
      'is not known here; the rules that have it are: level; listing',
    ],
  ])('refuses %j', async (rule, field, detail) => {
    const { status, body } = await create(rule);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ pointer: `#/rules/0/${field}`, detail }]);
  });

  it('accepts a distance in the unit of the rule, and says it so', async () => {
    const { status, body } = await create({ type: 'fill_rate', at_or_above: 60, rearm_amount: 5 });
    expect(status).toBe(201);
    expect(body.rules[0].sentence).toBe('Fill rate at or above 60%; re-arms 5 points back');
  });
});

describe('a stored rule with a modifier that is refused today', () => {
  const stored = ruleSchema.parse({ ...inWindow, rearm_amount: 50 });

  async function store() {
    const { body } = await create(levelRule(80));
    const watch = await api.stores.watches.find(body.id);
    if (!watch) throw new Error('no watch');
    const rules = watch.rules.map((rule) => ({ ...rule, rule: stored }));
    await api.stores.watches.change(watch, { rules }, api.clock.now);
    return { id: body.id, ruleId: watch.rules[0]?.ruleId };
  }
  const patch = (id: string, rules: unknown[]) =>
    api.call(`/v1/watches/${id}`, { method: 'PATCH', body: { rules }, headers: anyVersion });

  it('is shown without it, and an edit may keep it beside other rules', async () => {
    const { id, ruleId } = await store();
    const { status, body } = await patch(id, [{ id: ruleId, rule: stored }, levelRule(70)]);
    expect(status).toBe(200);
    expect(body.rules[0].sentence).toBe('Get-in drops by 10% from the high of the last 24 hours');
    const watch = await api.stores.watches.find(id);
    const [triggerId = ''] = watch?.rules[0]?.triggerIds ?? [];
    expect(await api.stores.triggers.find(triggerId)).toMatchObject({
      ...{ level: 1_000, rearmLevel: 700 },
    });
  });

  it('is refused when it is edited', async () => {
    const { id, ruleId } = await store();
    const rule = { ...stored, drops_by: { percent: 20 } };
    const { status, body } = await patch(id, [{ id: ruleId, rule }]);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '#/rules/0/rearm_amount' }]);
  });
});
