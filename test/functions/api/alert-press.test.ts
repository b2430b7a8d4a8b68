import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forever } from '#shared/watchlist/channel.ts';
import {
  actsOf,
  alertedWatch,
  formOf,
  openPage,
  pageOf,
  postForm,
  press,
  watchOf,
} from '#test/support/alert-pages.ts';
import { type Api, anyVersion, levelRule, startApi, startMs } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
});
afterAll(() => api.stop());

const read = async (id: string) => (await api.call(`/v1/watches/${id}`)).body;
const rulesOf = async (id: string) =>
  (await read(id)).rules.map(({ rule }: { rule: object }) => rule);
const wordsOf = async (id: string) => {
  const { data } = (await api.call(`/v1/watches/${id}/versions`)).body;
  return data.map(({ words }: { words: string }) => words);
};
const channelNow = async () => {
  const channel = await api.stores.channels.find(api.ann.channelId);
  if (!channel) throw new Error('the channel is missing');
  return channel;
};
const silentUntil = async (watchId: string) =>
  (await channelNow()).watchesSilentUntil[watchId] ?? 0;

describe('“Bought it”', () => {
  it('ends the watch with the price that was paid, and tells its history', async () => {
    const { page, watchId, alert } = await alertedWatch(api);
    const pressed = await press(api, page, 'bought', { paid: '$1,095.50' });
    expect([pressed.status, pressed.text]).toEqual([
      200,
      expect.stringContaining('Done You bought a ticket for $1,095.50. The watch has ended.'),
    ]);
    expect(await read(watchId)).toMatchObject({
      status: 'ended',
      bought: { at: '2026-03-01T12:00:00.000Z', alert: alert.alertId, price_paid: 1_095.5 },
    });
    const { data } = (await api.call(`/v1/watches/${watchId}/versions`)).body;
    expect(data[0]).toMatchObject({
      words: 'ended; bought for $1,095.50 a ticket',
      changed_by: { way: 'link', channel: api.ann.channelId },
    });
    expect(await api.stores.subscriptions.of({ eventId: alert.eventId, kind: 'stats' })).toEqual(
      [],
    );
  });

  it('and its undo have the messages of the watch edited that are kept up to date', async () => {
    const { page, watchId, eventId } = await alertedWatch(api);
    const feed = { eventId, kind: 'stats' } as const;
    await api.stores.evaluations.nudge(feed);
    await press(api, page, 'bought');
    expect(api.deliveries).toEqual([]);
    await press(api, page, 'undo_bought');
    await api.stores.livingMessages.mark(feed);
    await press(api, page, 'bought');
    await press(api, page, 'undo_bought');
    const edits = { ...feed, from: startMs, watchId };
    expect(api.deliveries.splice(0)).toEqual([{ edits }, { edits }]);
  });

  it('needs no price', async () => {
    const { page, watchId } = await alertedWatch(api);
    await press(api, page, 'bought');
    expect((await read(watchId)).bought.price_paid).toBeNull();
  });

  it.each([
    ['about 90', 'Write an amount in dollars such as 95 or 95.50, or leave the field empty.'],
    ['-5', 'Write an amount in dollars such as 95'],
    ['0', 'Write an amount above 0, or leave the field empty.'],
    ['99999999', 'Write an amount of at most 10,000,000 dollars.'],
    ['<b>9</b>', 'Write an amount in dollars such as 95'],
  ])('asks again for a price that is no price: %s', async (paid, fault) => {
    const { page, watchId } = await alertedWatch(api);
    const asked = await press(api, page, 'bought', { paid });
    expect([asked.status, asked.text]).toEqual([400, expect.stringContaining(fault)]);
    expect(formOf(asked, 'bought').fields.paid).toBe(paid);
    expect((await read(watchId)).status).toBe('active');
  });

  it.each(['active', 'paused'])('is undone: a watch that was %s is so again', async (before) => {
    const { page, watchId } = await alertedWatch(api);
    if (before === 'paused') await api.call(`/v1/watches/${watchId}/pause`, { method: 'POST' });
    const rules = await rulesOf(watchId);
    const [trigger = ''] = (await watchOf(api, watchId)).rules[0]?.triggerIds ?? [];
    const stored = await api.stores.triggers.find(trigger);
    await press(api, page, 'bought', { paid: '90' });
    const undone = await press(api, page, 'undo_bought');
    expect(undone.text).toContain(`The watch is ${before === 'paused' ? 'paused' : 'on'} again.`);
    expect(await read(watchId)).toMatchObject({ status: before, bought: null });
    expect(await rulesOf(watchId)).toEqual(rules);
    expect(await api.stores.triggers.find(trigger)).toEqual(stored);
  });

  it('is undone from the page of another alert of the watch, too', async () => {
    const { page, watchId, alert } = await alertedWatch(api);
    const other = { ...alert, alertId: `${alert.alertId}7` };
    await api.stores.alerts.create(other);
    await press(api, page, 'bought');
    await press(api, await pageOf(api, other), 'undo_bought');
    expect((await read(watchId)).status).toBe('active');
  });
});

describe('“Silent until a new low”', () => {
  it.each<[string, object, object]>([
    [
      'a level rule alerts below the price of the alert',
      { ...levelRule(80), confirmations: 2, repeat_every_further_percent: 5 },
      {
        ...{ type: 'level', metric: 'get_in', below: 74 },
        ...{ confirmations: 2, repeat_every_further_percent: 5 },
      },
    ],
    [
      'a level rule with a fee alerts below the price with the fee',
      { ...levelRule(90), fee_percent: 10 },
      { type: 'level', metric: 'get_in', below: 81.4, fee_percent: 10 },
    ],
    [
      'a drop becomes a level on the same price, with the limits that fit',
      {
        ...{ type: 'change', metric: 'get_in', drops_by: { percent: 15 } },
        ...{ from: { of: 'high', window: '24h' }, rearm_percent: 2, cool_down_minutes: 30 },
      },
      { type: 'level', metric: 'get_in', below: 74, cool_down_minutes: 30 },
    ],
    [
      'a new low becomes a level',
      { type: 'extreme', metric: 'get_in', min_quantity: 2, new: 'low', within: '7d' },
      { type: 'level', metric: 'get_in', min_quantity: 2, below: 74 },
    ],
    [
      'any change becomes a level',
      { type: 'any_change', metric: 'median_price', at_most_per_day: 3, urgent: true },
      { type: 'level', metric: 'median_price', below: 74, at_most_per_day: 3, urgent: true },
    ],
  ])('%s, and the undo brings it back', async (_, rule, expected) => {
    const alert = { baseline: 9_000 };
    const { page, watchId } = await alertedWatch(api, { rule, alert });
    const [before] = (await read(watchId)).rules;
    const { text } = await press(api, page, 'new_low');
    const [after] = (await read(watchId)).rules;
    expect(after).toMatchObject({ id: before.id, rule: expected });
    expect(Object.keys(after.rule).sort()).toEqual(Object.keys(expected).sort());
    expect(text).toContain(`Done The rule is “${after.sentence}” now.`);
    expect((await wordsOf(watchId))[0]).toBe(`rule “${after.sentence}” (was “${before.sentence}”)`);
    await press(api, page, 'undo_rule');
    expect((await read(watchId)).rules[0]).toMatchObject({ id: before.id, rule: before.rule });
  });

  it('sets a listing rule just under the price of the alert', async () => {
    const rule = { type: 'listing', sections: ['101'], at_or_below: 150 };
    const { page, watchId } = await alertedWatch(api, { rule, alert: { askedLevel: 15_000 } });
    await press(api, page, 'new_low');
    expect(await rulesOf(watchId)).toEqual([{ ...rule, at_or_below: 73.99 }]);
  });

  it('takes the price now if that is lower already', async () => {
    const { page, watchId } = await alertedWatch(api, { price: 70 });
    const before = await openPage(api, page);
    expect(before.text).toContain('Changes the rule to “Get-in below $70”.');
    await press(api, page, 'new_low');
    expect(await rulesOf(watchId)).toMatchObject([{ below: 70 }]);
  });

  it('leaves the other rules of the watch, and their triggers, as they are', async () => {
    const rules = [levelRule(80), { ...levelRule(200), metric: 'median_price' }];
    const { page, watchId } = await alertedWatch(api, { watch: { rules } });
    const [, second] = (await watchOf(api, watchId)).rules;
    await press(api, page, 'new_low');
    expect((await watchOf(api, watchId)).rules[1]).toEqual(second);
  });
});

describe('“Level to …”', () => {
  it.each<[string, object, object, string]>([
    ['lowers a level by 5 %', levelRule(120), { at_or_below: 114 }, 'Level to $114'],
    [
      'rounds as a bulk change does',
      { ...levelRule(1), at_or_below: undefined, below: 89.5 },
      { below: 85.03 },
      'Level to $85.03',
    ],
    [
      'raises the level of a rule about rising prices',
      { type: 'level', metric: 'get_in', at_or_above: 60 },
      { at_or_above: 63 },
      'Level to $63',
    ],
  ])('%s, and the undo brings it back', async (_, rule, expected, label) => {
    const { page, watchId } = await alertedWatch(api, { rule });
    const [before] = await rulesOf(watchId);
    expect(formOf(await openPage(api, page), 'level').label).toBe(label);
    await press(api, page, 'level');
    expect(await rulesOf(watchId)).toMatchObject([expected]);
    await press(api, page, 'undo_rule');
    expect(await rulesOf(watchId)).toEqual([before]);
  });

  it('lowers once, however often its form is sent', async () => {
    const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    const first = await press(api, page, 'level');
    for (let time = 0; time < 3; time += 1) {
      const again = await postForm(api, page, first.sent);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect(await rulesOf(watchId)).toMatchObject([{ at_or_below: 114 }]);
    expect(actsOf(await openPage(api, page))).not.toContain('level');
  });

  it('says that the price is beyond the new level already', async () => {
    const { page } = await alertedWatch(api, { rule: levelRule(120), price: 100 });
    expect((await openPage(api, `${page}?do=level`)).text).toContain(
      'Changes the rule to “Get-in at or below $114”. The price is beyond it already, so it alerts at once.',
    );
  });

  it('is undone step by step after a new low', async () => {
    const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    await press(api, page, 'level');
    await press(api, page, 'new_low');
    expect(await rulesOf(watchId)).toMatchObject([{ below: 74 }]);
    await press(api, page, 'undo_rule');
    expect(await rulesOf(watchId)).toMatchObject([{ at_or_below: 114 }]);
    await press(api, page, 'undo_rule');
    expect(await rulesOf(watchId)).toMatchObject([{ at_or_below: 120 }]);
    expect(actsOf(await openPage(api, page))).not.toContain('undo_rule');
  });

  it('can’t be undone once its owner has changed the rule', async () => {
    const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    const { sent } = await press(api, page, 'level');
    const [{ id }] = (await read(watchId)).rules;
    await api.call(`/v1/watches/${watchId}`, {
      ...{ method: 'PATCH', headers: anyVersion },
      body: { rules: [{ id, rule: levelRule(99) }] },
    });
    const seen = await openPage(api, page);
    expect(actsOf(seen)).not.toContain('undo_rule');
    expect(formOf(seen, 'level').label).toBe('Level to $94.05');
    expect((await postForm(api, page, sent)).text).toContain('Nothing was changed now');
    expect(await rulesOf(watchId)).toMatchObject([{ at_or_below: 99 }]);
  });
});

describe('the buttons of the channel', () => {
  it('snooze the watch here for a day, and again is not longer', async () => {
    const { page, watchId } = await alertedWatch(api);
    const { sent, text } = await press(api, page, 'snooze');
    expect(text).toContain('No alerts of this watch come here until Mar 2, 12:00 PM UTC.');
    expect(await silentUntil(watchId)).toBe(startMs + 86_400_000);
    api.clock.now += 60_000;
    expect((await postForm(api, page, sent)).status).toBe(200);
    expect(await silentUntil(watchId)).toBe(startMs + 86_400_000);
    await press(api, page, 'resume_watch');
    expect(await silentUntil(watchId)).toBe(0);
    await postForm(api, page, sent);
    expect(await silentUntil(watchId)).toBe(0);
    expect((await wordsOf(watchId)).slice(0, 2)).toEqual([
      'alerts to the email channel (ann@example.com) on again',
      'alerts to the email channel (ann@example.com) snoozed for 24 hours',
    ]);
    api.clock.now = startMs;
  });

  it('stop the watch here', async () => {
    const { page, watchId } = await alertedWatch(api);
    expect((await press(api, page, 'stop_watch')).text).toContain(
      'No more alerts of this watch come here.',
    );
    expect(await silentUntil(watchId)).toBe(forever);
    await press(api, page, 'resume_watch');
    expect(await silentUntil(watchId)).toBe(0);
  });

  it('stop everything here, and undo it once', async () => {
    const { page } = await alertedWatch(api);
    const { sent, text } = await press(api, page, 'stop_all');
    expect(text).toContain('Nothing more comes here.');
    expect((await channelNow()).status).toBe('unsubscribed');
    expect(actsOf(await openPage(api, page))).not.toContain('snooze');
    await press(api, page, 'resume_all');
    expect((await channelNow()).status).toBe('active');
    const late = await postForm(api, page, sent);
    expect([late.status, (await channelNow()).status]).toEqual([409, 'active']);
  });
});
