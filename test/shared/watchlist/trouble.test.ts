// Each trouble of a watch from plain data: which there are, how bad they are, what they say.
import { describe, expect, it } from 'vitest';
import type { Rule } from '#shared/rules/language/rule.ts';
import { forever } from '#shared/watchlist/channel.ts';
import {
  type ChannelCondition,
  type Circumstances,
  type FeedCondition,
  troublesOf,
} from '#shared/watchlist/trouble.ts';
import { trouble, troubleCodes } from '#shared/watchlist/trouble-table.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const fault = { reason: 'it broke.', since: now, times: 1, retryAt: now + 900_000, release: 'r1' };
const well: FeedCondition = { name: 'price data', state: 'well', setAside: [] };

function aChannel(also: Partial<ChannelCondition> = {}, channel: object = {}): ChannelCondition {
  return {
    channelId: 'ch_1',
    channel: { ownerId: 'own_1', status: 'active', watchesSilentUntil: {}, ...channel },
    ...also,
  };
}

function circumstances(also: Partial<Circumstances> = {}): Circumstances {
  return {
    watch: { ownerId: 'own_1', watchId: 'wat_1', status: 'active', rules: [] },
    eventName: 'Knicks at Heat',
    channels: [aChannel()],
    fallbacks: [],
    zones: undefined,
    feeds: [well],
    market: { pausedBecause: undefined, isDown: false },
    watchFaults: [],
    ruleFaults: [],
    silentRules: [],
    unreadable: [],
    now,
    ...also,
  };
}

const codes = (also: Partial<Circumstances> = {}) =>
  troublesOf(circumstances(also)).map(({ code }) => code);
const muted = { watchesSilentUntil: { wat_1: forever } };
const failing = { failures: 7, since: now - 3_600_000, reason: 'http_500' };
const suppressed = { since: now, words: 'a mail came back' };
const watch = circumstances().watch;
const zoneRule = {
  ruleId: 'rul_1',
  triggerIds: [],
  rule: { type: 'level', metric: 'get_in', zone: 'Court', at_or_below: 80 },
} as const satisfies Circumstances['watch']['rules'][number];

const listing = { type: 'listing', at_or_below: 80 } as const;

describe('a watch with nothing wrong', () => {
  it('has no trouble', () => {
    expect(codes()).toEqual([]);
  });
});

describe('the channels of a watch', () => {
  it.each<[string, ChannelCondition, string]>([
    ['is gone', { channelId: 'ch_1', channel: undefined }, 'channel_deleted'],
    ['belongs to another owner', aChannel({}, { ownerId: 'own_2' }), 'channel_deleted'],
    ['is not confirmed', aChannel({}, { status: 'unverified' }), 'channel_unverified'],
    ['is switched off', aChannel({}, { status: 'disabled' }), 'channel_disabled'],
    ['was unsubscribed', aChannel({}, { status: 'unsubscribed' }), 'channel_unsubscribed'],
    ['has a suppressed address', aChannel({ suppressed }), 'channel_suppressed'],
    ['is muted for the watch', aChannel({}, muted), 'channel_muted'],
    ['answers 500 to everything', aChannel({ failing }), 'channel_failing'],
  ])('reach nobody when the only one %s', (_, channel, code) => {
    expect(codes({ channels: [channel] })).toEqual(['no_usable_channel', code]);
  });

  it('reach somebody while one of two works', () => {
    expect(codes({ channels: [aChannel({}, muted), aChannel()] })).toEqual(['channel_muted']);
  });

  it('reach nobody when one is muted and the other fails', () => {
    const channels = [aChannel({}, muted), aChannel({ failing })];
    expect(codes({ channels })).toEqual(['no_usable_channel', 'channel_muted', 'channel_failing']);
  });

  it.each([
    ['stands in for one that fails', aChannel({ failing }), ['channel_failing']],
    ['does not stand in for a mute', aChannel({}, muted), ['no_usable_channel', 'channel_muted']],
  ])('have a fallback that %s', (_, channel, expected) => {
    const fallbacks = [aChannel({ channelId: 'ch_2' })];
    expect(codes({ channels: [channel], fallbacks })).toEqual(expected);
  });

  it('have no use of a fallback that is muted itself', () => {
    const fallbacks = [aChannel({ channelId: 'ch_2' }, muted)];
    expect(codes({ channels: [aChannel({ failing })], fallbacks })).toContain('no_usable_channel');
  });

  it('are no trouble by a mute that has ended, or that is of another watch', () => {
    const ended = { watchesSilentUntil: { wat_1: now, wat_2: forever } };
    expect(codes({ channels: [aChannel({}, ended)] })).toEqual([]);
  });
});

describe('the rest of a watch', () => {
  it.each<[string, Partial<Circumstances>, string]>([
    ['it is paused', { watch: { ...watch, status: 'paused' } }, 'paused'],
    ['it is snoozed', { watch: { ...watch, snoozedUntil: now + 1 } }, 'snoozed'],
    ['it was set aside', { watchFaults: [fault] }, 'watch_set_aside'],
    ['a rule was set aside', { ruleFaults: [{ rule: 'R', fault }] }, 'rule_set_aside'],
    ['a stored item is damaged', { unreadable: ['rule', 'rule'] }, 'stored_item_unreadable'],
    [
      'its zone is gone',
      { watch: { ...watch, rules: [zoneRule, zoneRule] }, zones: ['Balcony'] },
      'zone_unknown',
    ],
    ...(
      [
        { ...listing, zones: ['Balcony', 'Court'] },
        { ...listing, all_of: [{ ...zoneRule.rule, at_or_below: 5 }] },
        { type: 'supply', matching: { zones: ['Court'] }, at_or_below: 5 },
      ] as Rule[]
    ).map((rule): [string, Partial<Circumstances>, string] => [
      `a zone is gone that is named by ${JSON.stringify(rule)}`,
      { watch: { ...watch, rules: [{ ...zoneRule, rule }] }, zones: ['Balcony'] },
      'zone_unknown',
    ]),
    ['a rule has expired', { silentRules: [{ rule: 'R', expiredAt: now }] }, 'rule_expired'],
    ['a start is unknown', { silentRules: [{ rule: 'R', needsStart: true }] }, 'start_unknown'],
    ['its event is missing', { feeds: [{ ...well, missingSince: now }] }, 'feed_missing'],
    ['its feed has no data', { feeds: [{ ...well, isEmpty: true }] }, 'feed_empty'],
    ['its feed fails', { feeds: [{ ...well, state: 'failing', failures: 5 }] }, 'feed_failing'],
    ['its feed is stale', { feeds: [{ ...well, state: 'stale', quietHours: 9 }] }, 'feed_stale'],
    ['its event is unknown', { feeds: [{ ...well, state: 'not_found' }] }, 'feed_not_found'],
    ['its feed has ended', { feeds: [{ ...well, state: 'ended' }] }, 'feed_ended'],
    ['its feed sleeps', { feeds: [{ ...well, state: 'idle' }] }, 'feed_idle'],
    ['its feed is not polled', { feeds: [{ ...well, overdueSince: now }] }, 'feed_overdue'],
    ['a part is left out', { feeds: [{ ...well, setAside: [fault] }] }, 'feed_set_aside'],
    ['no rule was checked', { feeds: [{ ...well, behindSince: now }] }, 'evaluation_behind'],
    ['the budget is short', { feeds: [{ ...well, isStretched: true }] }, 'budget_stretched'],
    ['polling is paused', { market: { pausedBecause: 'x', isDown: true } }, 'market_paused'],
    [
      'the marketplace is down',
      { market: { pausedBecause: undefined, isDown: true } },
      'marketplace_down',
    ],
  ])('is told when %s', (_, also, code) => {
    expect(codes(also)).toEqual([code]);
  });

  it('is not told once its event is over', () => {
    const ended = { ...watch, status: 'ended' } as const;
    expect(codes({ watch: ended, channels: [], unreadable: ['feed'] })).toEqual(['event_over']);
  });

  it('says of a paused watch nothing about feeds that sleep', () => {
    const paused = { ...watch, status: 'paused' } as const;
    expect(codes({ watch: paused, feeds: [{ ...well, state: 'idle' }] })).toEqual(['paused']);
  });

  it('blames the market alone for polls that are late because of it', () => {
    const market = { pausedBecause: 'it has no funds', isDown: false };
    expect(codes({ market, feeds: [{ ...well, overdueSince: now }] })).toEqual(['market_paused']);
  });
});

describe('the words', () => {
  it('name what, since when, why, and how it ends', () => {
    const [, told] = troublesOf(circumstances({ channels: [aChannel({ failing })] }));
    expect(told).toEqual({
      code: 'channel_failing',
      severity: 'degraded',
      expected: false,
      text: 'Channel ch_1 has failed since 2026-03-01T11:00:00.000Z, 7 times in a row; the last reason is http_500.',
      ends: 'Messages are retried by themselves. Check the receiver, and send a test with POST /v1/channels/{id}/test.',
    });
  });

  it('take a name as it is, also one that looks like a placeholder', () => {
    expect(trouble('zone_unknown', { zone: '{event} $& {zone}' }).text).toBe(
      'Zone "{event} $& {zone}" has no listing at present, or the event no longer has it.',
    );
  });

  it.each(troubleCodes)('of %s are whole sentences', (code) => {
    const { text, ends } = trouble(code);
    expect(text).toMatch(/^[A-Z{].*\.$/);
    expect(ends).toMatch(/^[A-Z].*\.$/);
  });
});

describe('the sentence on a feed', () => {
  const stale = { state: 'stale', quietHours: 12, setAside: [] } as const;
  const late = { overdueSince: now, behindSince: now } as const;
  const textsOf = (feed: Pick<FeedCondition, 'name' | 'isPlural'>) =>
    troublesOf(circumstances({ feeds: [{ ...feed, ...stale, ...late }] })).map(({ text }) => text);

  it('has a plural verb for a plural noun', () => {
    expect(textsOf({ name: 'listings', isPlural: true })).toEqual([
      'The listings of Knicks at Heat have not changed for 12 hours, far longer than usual.',
      'The listings of Knicks at Heat should have been polled at 2026-03-01T12:00:00.000Z and have not been yet.',
      'New listings of Knicks at Heat since 2026-03-01T12:00:00.000Z have not been evaluated yet.',
    ]);
  });

  it('has a singular verb for a singular noun', () => {
    expect(textsOf({ name: 'price data', isPlural: false })).toEqual([
      'The price data of Knicks at Heat has not changed for 12 hours, far longer than usual.',
      'The price data of Knicks at Heat should have been polled at 2026-03-01T12:00:00.000Z and has not been yet.',
      'New price data of Knicks at Heat since 2026-03-01T12:00:00.000Z has not been evaluated yet.',
    ]);
  });
});
