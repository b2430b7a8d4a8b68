// What a living message shows, for every form of rule: the rule is matched by the product's own matching.
import { describe, expect, it } from 'vitest';
import { episodeState, isFinal } from '#shared/delivery/episodes/episode-state.ts';
import { type EpisodeState, episodeOf } from '#shared/delivery/episodes/living-message.ts';
import { episodeText } from '#shared/delivery/message/episode-text.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import {
  beginMs,
  listingsAt,
  minuteMs,
  type Played,
  playRule,
  statsAt,
} from '#test/support/played-rule.ts';

const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };
const above200 = { type: 'level', metric: 'get_in', at_or_above: 200 };
const day = 24 * 60;

const stats = (prices: readonly (number | null)[]) =>
  prices.map((price, minute) => statsAt(minute, price));

/** The state of the message of alert number `of`, which showed `shows` before. */
function stateAfter(
  { alerts, triggers }: Played,
  snapshots: readonly Snapshot[],
  { of = 0, shows }: { of?: number; shows?: EpisodeState } = {},
): { state: EpisodeState | undefined; text: string | undefined; isFinal: boolean } {
  const alert = alerts[of];
  if (!alert) throw new Error('the rule did not fire');
  const trigger = triggers.get(episodeOf(alert).triggerId);
  const told: EpisodeState = { kind: 'reached', value: alert.base, at: alert.observedAt };
  const facts = { alert, trigger, snapshots, event: undefined, now: beginMs + day * minuteMs };
  const state = episodeState({ ...facts, shows: shows ?? told });
  return {
    state,
    text: state && episodeText(alert, state, 'America/New_York')?.line,
    isFinal: state !== undefined && isFinal(state, trigger),
  };
}

describe.each<[string, object, (number | null)[], string | undefined]>([
  ['nothing new', below80, [100, 74, 74], undefined],
  ['a price that rises and is not back', below80, [100, 74, 79], undefined],
  ['a new low', below80, [100, 74, 70], 'New low: $70 · Mar 1, 7:02 AM EST'],
  ['the lowest of several lows', below80, [100, 74, 68, 70], 'New low: $68 · Mar 1, 7:02 AM EST'],
  ['a price past the rearm level', below80, [100, 74, 85], 'Went back to $85 · Mar 1, 7:02 AM EST'],
  ['a price above the level and before the rearm level', below80, [100, 74, 81], undefined],
  [
    'the furthest point of a way back',
    below80,
    [100, 74, 85, 90, 88],
    'Went back to $90 · Mar 1, 7:03 AM EST',
  ],
  ['a low and a way back', below80, [100, 74, 60, 95], 'Went back to $95 · Mar 1, 7:03 AM EST'],
  ['a market without listings', below80, [100, 74, null], undefined],
  ['a new high', above200, [100, 210, 250], 'New high: $250 · Mar 1, 7:02 AM EST'],
  ['a price that fell back', above200, [100, 210, 150], 'Went back to $150 · Mar 1, 7:02 AM EST'],
  ['a mis-keyed price', below80, [100, 74, 5], undefined],
  [
    'a jump that the next snapshot confirms',
    below80,
    [100, 74, 5, 5],
    'New low: $5 · Mar 1, 7:02 AM EST',
  ],
  ['a mis-keyed price that is gone', below80, [100, 74, 5, 74], undefined],
])('%s', (_name, rule, prices, text) => {
  it('is told', async () => {
    const snapshots = stats(prices);
    expect(stateAfter(await playRule(rule, snapshots), snapshots).text).toBe(text);
  });
});

describe('the message of an episode', () => {
  it('has its last words when the price went back, although the rule has fired again', async () => {
    const snapshots = stats([100, 74, 85, 70]);
    const played = await playRule(below80, snapshots);
    expect(played.alerts).toHaveLength(2);
    expect(stateAfter(played, snapshots)).toMatchObject({
      text: 'Went back to $85 · Mar 1, 7:02 AM EST',
      isFinal: true,
    });
    expect(stateAfter(played, snapshots, { of: 1 })).toMatchObject({
      text: undefined,
      isFinal: false,
    });
  });

  it('of a further step belongs to the episode of the first', async () => {
    const snapshots = stats([100, 74, 60, 58]);
    const rule = { ...below80, repeat_every_further_percent: 10 };
    const played = await playRule(rule, snapshots);
    const [first, second] = played.alerts;
    expect(second?.role).toBe('further');
    expect(first && episodeOf(first)).toEqual({ triggerId: 'trg_1', generation: 1 });
    expect(second && episodeOf(second)).toEqual({ triggerId: 'trg_1', generation: 1 });
    expect(stateAfter(played, snapshots, { of: 1 }).text).toBe('New low: $58 · Mar 1, 7:03 AM EST');
    const back = stats([100, 74, 60, 95]);
    const ended = await playRule(rule, back);
    expect(stateAfter(ended, back, { of: 1 }).text).toBe('Went back to $95 · Mar 1, 7:03 AM EST');
  });

  it('keeps its lowest value although the snapshots from then are not read again', async () => {
    const snapshots = stats([100, 74, 60, 70]);
    const played = await playRule(below80, snapshots);
    const shows = { kind: 'new_low', value: 6_000, at: beginMs + 2 * minuteMs } as const;
    expect(stateAfter(played, snapshots.slice(-1), { shows }).state).toEqual(shows);
  });

  it('says that a change is no longer reached when only its window moved on', async () => {
    const rule = {
      ...{ type: 'change', metric: 'get_in', drops_by: { percent: 15 } },
      ...{ from: { of: 'high', window: '1h' }, min_history_hours: 0.01 },
    };
    const snapshots = [0, 10, 30, 62, 85].map((minute, index) =>
      statsAt(minute, [100, 100, 84, 84, 84][index] ?? null),
    );
    const played = await playRule(rule, snapshots);
    expect(played.alerts).toHaveLength(1);
    expect(stateAfter(played, snapshots)).toMatchObject({
      text: 'No longer reached · Mar 1, 8:25 AM EST',
      isFinal: true,
    });
  });

  it('of a change tells where the price went back to', async () => {
    const rule = {
      ...{ type: 'change', metric: 'get_in', drops_by: { percent: 15 } },
      ...{ from: { of: 'high', window: '24h' }, min_history_hours: 0.01 },
    };
    const snapshots = stats([100, 100, 80, 75, 99]);
    const played = await playRule(rule, snapshots);
    expect(stateAfter(played, snapshots).text).toBe('Went back to $99 · Mar 1, 7:04 AM EST');
  });

  it('of a new low ends with the next one, which is a message of its own', async () => {
    const rule = {
      type: 'extreme',
      metric: 'get_in',
      new: 'low',
      within: '7d',
      min_history_hours: 0.01,
    };
    const back = stats([100, 90, 105]);
    expect(stateAfter(await playRule(rule, back), back)).toMatchObject({
      text: 'Went back to $105 · Mar 1, 7:02 AM EST',
      isFinal: false,
    });
    const lower = stats([100, 90, 80, 70]);
    const played = await playRule(rule, lower);
    expect(played.alerts).toHaveLength(3);
    expect(stateAfter(played, lower).state).toBeUndefined();
    expect(stateAfter(played, lower, { of: 2 }).text).toBeUndefined();
  });
});

describe('a rule about listings', () => {
  const filter = { sections: ['101'] };
  const rule = { type: 'listing', sections: ['101'], at_or_below: 150 };
  const play = async (...offers: Record<string, number>[]) => {
    const snapshots = offers.map((each, minute) =>
      listingsAt(minute, filter, each, offers[minute - 1]),
    );
    return stateAfter(await playRule(rule, snapshots), snapshots).text;
  };

  it.each<[string, Record<string, number>[], string | undefined]>([
    ['its listing stays', [{}, { a: 118 }, { a: 118, b: 130 }], undefined],
    [
      'its listing is gone',
      [{}, { a: 118 }, {}],
      'That listing is gone, and no other match is for sale · Mar 1, 7:02 AM EST',
    ],
    [
      'another is left',
      [{}, { a: 118, b: 160 }, { b: 160 }],
      'That listing is gone; the cheapest match is now $160 · Mar 1, 7:02 AM EST',
    ],
    [
      'its price is up',
      [{}, { a: 118 }, { a: 180 }],
      'That listing is now $180 · Mar 1, 7:02 AM EST',
    ],
    ['its price is up and still low', [{}, { a: 118 }, { a: 140 }], undefined],
  ])('tells it when %s', async (_name, offers, text) => {
    expect(await play(...offers)).toBe(text);
  });
});

describe('what ends a message without a word', () => {
  const snapshots = stats([100, 74, 60]);

  it('is a trigger that is gone, of another level, or of another series', async () => {
    const played = await playRule(below80, snapshots);
    const trigger = played.triggers.get('trg_1');
    if (!trigger) throw new Error('the trigger is gone');
    const stateWith = (triggers: Played['triggers']) =>
      stateAfter({ ...played, triggers }, snapshots).state;
    const changed = { ...trigger, generation: 2, level: 5_000 };
    expect(stateWith(new Map())).toBeUndefined();
    expect(stateWith(new Map([['trg_1', changed]]))).toBeUndefined();
    expect(
      stateWith(new Map([['trg_1', { ...trigger, series: 'stats/avg_price' }]])),
    ).toBeUndefined();
  });
});

describe('the event', () => {
  it.each([
    ['has begun', { startsAt: beginMs }, 'Over: the event has begun'],
    ['is past, as its date says', { date: '2026-02-20' }, 'Over: the event has begun'],
    ['is to come', { startsAt: beginMs + 1 }, 'New low: $60 · Mar 1, 7:02 AM EST'],
  ])('that %s', async (_name, facts, text) => {
    const snapshots = stats([100, 74, 60]);
    const { alerts, triggers } = await playRule(below80, snapshots);
    const [alert] = alerts;
    if (!alert) throw new Error('the rule did not fire');
    const state = episodeState({
      ...{ alert, snapshots, now: beginMs, trigger: triggers.get('trg_1') },
      event: { eventId: 4711, name: 'Phish', updatedAt: 0, ...facts },
      shows: { kind: 'reached', value: alert.base, at: alert.observedAt },
    });
    expect(state && episodeText(alert, state, 'America/New_York')?.line).toBe(text);
  });
});
