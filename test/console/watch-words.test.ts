// What the pages of a watch and of an event say and choose, without a browser.
import { signal } from '@preact/signals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf } from '#shared/backtest/rule-amount.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import { anyAcceptedRule } from '#test/support/rules/arbitraries.ts';
import type { ListedWatch, RulePreview } from '../../console/api/calls.ts';
import { placeText, shareOf } from '../../console/screens/event/place-words.ts';
import { ruleStateOf } from '../../console/screens/event/rule-state.ts';
import {
  channelsToSend,
  chosenChannels,
  type KnownChannels,
} from '../../console/screens/watch/chosen-channels.ts';
import { tagsIn } from '../../console/screens/watch/composition.ts';
import { costText, latencyOptions, perDayText } from '../../console/screens/watch/cost-words.ts';
import { amountIn, lineOf, withAmount, withLine } from '../../console/screens/watch/rule-amount.ts';
import type { RuleDraft } from '../../console/screens/watch/rule-draft.ts';
import { levelUnder } from '../../console/screens/watch/rule-kinds.ts';
import {
  canBuy,
  heldText,
  lastText,
  pointsAround,
  rangeText,
  roundAmount,
  timesText,
} from '../../console/screens/watch/told-words.ts';
import { numberIn } from '../../console/words/typed-number.ts';

const dayMs = 86_400_000;

describe('the amount of a rule', () => {
  it('is the one that the API’s preview varies', () => {
    fc.assert(
      fc.property(anyAcceptedRule, (json) => {
        const reading = readRule(json);
        if (!reading.ok) throw new Error('not accepted');
        const theirs = amountOf(reading.rule);
        const draft = json as RuleDraft;
        expect(amountIn(draft)).toBe(theirs?.amount);
        const other = theirs?.withAmount(3);
        if (other) expect(readRule(withAmount(draft, 3))).toEqual(readRule(other));
      }),
    );
  });

  it('is drawn at the listed price, without the fee', () => {
    const draft: RuleDraft = { type: 'level', metric: 'get_in', at_or_below: 125, fee_percent: 25 };
    expect(lineOf(draft)).toBe(100);
    expect(withLine(draft, 96)).toEqual({ ...draft, at_or_below: 120 });
    expect(
      lineOf({ type: 'extreme', metric: 'get_in', new: 'low', min_amount: 5 }),
    ).toBeUndefined();
  });

  it('begins a little under the price, on a round number', () => {
    expect([126.5, 41, 980, 0.8].map(levelUnder)).toEqual([120, 38, 930, 1]);
  });

  it('is read as people write it', () => {
    expect(['$1,200', ' 79.5 ', '12.', '', 'x', '5%', '-3'].map(numberIn)).toEqual([
      ...[1_200, 79.5, 12, undefined, undefined, 5, -3],
    ]);
    // A comma before one or two digits is a decimal one; no price is taken for ten times as much.
    expect(['1,5', '79,50', '1,234,567.5', '1,2345', '1.200,50', ',5'].map(numberIn)).toEqual([
      ...[1.5, 79.5, 1_234_567.5, undefined, undefined, undefined],
    ]);
    expect(['1e3', '0x10', 'Infinity', '--1', '1 000'].map(numberIn)).toEqual([
      ...[undefined, undefined, undefined, undefined, 1_000],
    ]);
  });
});

const fire = (day: number, value: number, also: object = {}) => ({
  ...{ observed_at: new Date(day * dayMs).toISOString(), value, already_true: false },
  ...{ lowest_after: { observed_at: '', value: value - 6 }, ...also },
});
const preview = (also: object) =>
  ({
    unit: 'dollars',
    count: 0,
    messages: null,
    recoveries: [],
    fires: [],
    ...also,
  }) as never as RulePreview;

describe('what a rule would have told', () => {
  it('is counted in words, for the time that is known', () => {
    expect([0, 1, 2, 7].map(timesText)).toEqual(['Not once', 'Once', 'Twice', '7 times']);
    const known = (days: number) => ({
      ...{ from: new Date(0).toISOString(), to: new Date(days * dayMs).toISOString() },
    });
    expect(rangeText(known(29.5), 30)).toBe('in 30 days');
    expect(rangeText(known(4), 30)).toBe('in the 4 d that are known');
    expect(rangeText({ from: null, to: null }, 30)).toBe('');
  });

  it('ends with the last alert that counts, and the lowest price after it', () => {
    const day = (at: number) => `day ${at / dayMs}`;
    expect(lastText(preview({ fires: [fire(1, 120, { already_true: true })] }), day)).toBe('');
    expect(lastText(preview({ fires: [fire(3, 118)] }), day)).toBe(
      ', on day 3 at $118; the lowest after that was $112',
    );
    const two = preview({ fires: [fire(3, 118), fire(5, 117, { lowest_after: null })] });
    expect(lastText(two, day)).toBe(', last on day 5 at $117');
  });

  it('says if quiet hours would have held some', () => {
    expect(heldText(preview({ count: 3, messages: 2 }))).toContain('in 2 messages');
    expect(heldText(preview({ count: 3, messages: 3 }))).toBe('');
  });

  it('can use older prices, unless they were bought or are nowhere for sale', () => {
    const from = new Date(10 * dayMs).toISOString();
    expect(canBuy(preview({ from, bought: null }), false, 0)).toBe(true);
    expect(canBuy(preview({ from, bought: null }), true, 0)).toBe(false);
    expect(canBuy(preview({ from, bought: null }), false, 9.5 * dayMs)).toBe(false);
    expect(canBuy(preview({ from: null, bought: { pulls: 1 } }), false, 0)).toBe(false);
  });

  it('shows amounts around its own, each once', () => {
    const curve = [100.2, 100.4, 101, 102, 103.3, 104].map((amount, count) => ({ amount, count }));
    const around = (own: number, most: number) =>
      pointsAround(curve as never, own, { most, unit: 'dollars' }).map(({ amount }) => amount);
    expect(around(100.4, 3)).toEqual([100.4, 101, 102]);
    expect(around(104, 3)).toEqual([102, 103.3, 104]);
    expect(around(1, 9)).toEqual([100.2, 101, 102, 103.3, 104]);
    expect([roundAmount(123.07, 'dollars'), roundAmount(7.26, 'percent')]).toEqual([123, 7.3]);
  });
});

describe('what a watch costs', () => {
  const forecast = (also: object) =>
    ({
      ...{ pulls_per_day_added: 24, pulls_per_day_share: 24, is_upper_bound: false },
      ...{ flat_value_per_day: 0.36, at_latencies: [], until_event: null },
      ...also,
    }) as RulePreview['forecast'];

  it('is told until the event, with who shares it', () => {
    const until_event = { ends_at: '', pulls_added: 96, flat_value: 1.44 };
    expect(perDayText(24, 0.36)).toBe('24 pulls a day, $0.36');
    expect(costText(forecast({ until_event, pulls_per_day_share: 8 }))).toBe(
      ', 96 pulls ($1.44) until the event. Other watches of this event share them.',
    );
    expect(costText(forecast({ pulls_per_day_added: 0, pulls_per_day_share: 12 }))).toContain(
      'Nothing more',
    );
  });

  it('is told for the latency of the watch too', () => {
    const at = (latency_seconds: number) => ({
      ...{ latency_seconds, pulls_per_day_added: 1, flat_value_per_day: 0.02 },
    });
    const seconds = latencyOptions(forecast({ at_latencies: [at(60), at(3_600)] }), 1_800);
    expect(seconds.map((each) => each.seconds)).toEqual([60, 1_800, 3_600]);
  });
});

describe('the channels of a watch', () => {
  const none = { channels: null, latency_seconds: null, tags: {} };
  const known = (also: Partial<KnownChannels>): KnownChannels => ({
    channels: ['a', 'b'].map((id) => ({ id, status: 'active' as const })),
    defaults: none,
    ...also,
  });
  const watch = (channels: string[] | undefined, tags = '') => ({
    ...{ channels: signal<readonly string[] | undefined>(channels), tags: signal(tags) },
  });

  it('are those that a person chose, else the defaults of its first tag, else those of all', () => {
    const defaults = { ...none, channels: ['b'], tags: { knicks: { channels: ['c'] } } };
    expect(chosenChannels(watch(['a']), known({ defaults }))).toEqual(['a']);
    expect(chosenChannels(watch(undefined, 'x knicks'), known({ defaults }))).toEqual(['c']);
    expect(chosenChannels(watch(undefined, 'constructor'), known({ defaults }))).toEqual(['b']);
    expect(channelsToSend(watch(undefined), known({ defaults }))).toBeUndefined();
  });

  it('without defaults are all that are in use, if they are few', () => {
    expect(channelsToSend(watch(undefined), known({}))).toEqual(['a', 'b']);
    const many = ['a', 'b', 'c', 'd'].map((id) => ({ id, status: 'active' as const }));
    expect(chosenChannels(watch(undefined), known({ channels: many }))).toEqual([]);
    const off = [{ id: 'a', status: 'disabled' as const }];
    expect(chosenChannels(watch(undefined), known({ channels: off }))).toEqual([]);
  });

  it('go with tags as people write them', () => {
    expect(tagsIn('#knicks, december  finals')).toEqual(['knicks', 'december', 'finals']);
  });
});

describe('a price among its own', () => {
  const month = (lower_percent: number | null, low = 100, high = 200) => ({
    ...{ low, high, lower_percent },
  });
  it.each([
    [month(9), 'lowest 9%'],
    [month(0), 'lowest 1%'],
    [month(50), 'in the middle'],
    [month(96.4), 'highest 4%'],
    [month(50, 100, 100), 'unchanged'],
    [month(null), '–'],
    [null, '–'],
  ])('%j is told as %s', (place, text) => {
    expect(placeText(place)).toBe(text);
  });

  it('has its place between the lowest and the highest', () => {
    expect([shareOf(125, month(1)), shareOf(300, month(1)), shareOf(null, month(1))]).toEqual([
      ...[0.25, 1, undefined],
    ]);
    expect(shareOf(100, month(50, 100, 100))).toBe(0.5);
  });
});

describe('a rule on the page of its event', () => {
  const told = { now: Date.parse('2026-11-24T19:00:00Z'), zone: 'America/New_York' };
  const watch = (also: object = {}) =>
    ({
      status: 'active',
      snoozed_until: null,
      trouble: [],
      bought: null,
      ...also,
    }) as unknown as ListedWatch;
  const rule = (also: object = {}) =>
    ({ state: 'armed', level: 100, distance: 50, ...also }) as never;

  it.each<[string, ListedWatch, never, [string, string]]>([
    ['that waits', watch(), rule(), ['armed', 'armed']],
    ['that is near', watch(), rule({ distance: 10 }), ['near', 'near']],
    ['that has told', watch(), rule({ state: 'fired' }), ['fired', 'fired']],
    ['that is confirmed', watch(), rule({ state: 'pending' }), ['near', 'confirming']],
    ['that is true', watch(), rule({ distance: 0 }), ['near', 'reached']],
    ['of a paused watch', watch({ status: 'paused' }), rule(), ['wait', 'paused']],
    ['of a bought ticket', watch({ status: 'ended', bought: {} }), rule(), ['armed', 'bought']],
    [
      'of a snoozed watch',
      watch({ snoozed_until: '2026-11-25T13:00:00Z' }),
      rule(),
      ['wait', 'snoozed to Wed 08:00'],
    ],
    [
      'of a watch in trouble',
      watch({ trouble: [{ severity: 'silent', expected: false, code: 'no_usable_channel' }] }),
      rule({ state: 'fired' }),
      ['trouble', 'no usable channel'],
    ],
    [
      'of a watch whose feed has ended with its event',
      watch({ trouble: [{ severity: 'silent', expected: true, code: 'feed_ended' }] }),
      rule({ state: 'fired' }),
      ['fired', 'fired'],
    ],
  ])('%s says so', (_, of, standing, [look, text]) => {
    expect(ruleStateOf(of, standing, told)).toEqual({ look, text });
  });
});
