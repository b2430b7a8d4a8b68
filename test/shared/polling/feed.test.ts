// Which feeds are current, late or at rest: the decisions on one feed, at their bounds.
import { describe, expect, it } from 'vitest';
import { type Feed, isCurrent } from '#shared/polling/feed.ts';
import { movedTurn } from '#shared/polling/fleet.ts';
import { isRestOver, stillSells, waitWhileMissing } from '#shared/polling/resting.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const aFeed = (changes: Partial<Feed> = {}): Feed => ({
  ...{ eventId: 7, kind: 'stats', status: 'active', latencySeconds: 60, wishVersion: 1 },
  ...{ watchersChangedAt: now, failures: 0, rhythm: unknownRhythm, sharedMicropulls: 0 },
  ...{ nextPollAt: now + minuteMs, nextReason: 'wished' },
  ...changes,
});

describe('the data of a feed', () => {
  it.each([
    [{ lastPolledAt: now - 5 * minuteMs }, true],
    [{ lastPolledAt: now - 5 * minuteMs - 1 }, false],
    [{ lastPolledAt: now - 20 * minuteMs, latencySeconds: 600 }, true],
    [{ lastPolledAt: now - 20 * minuteMs - 1, latencySeconds: 600 }, false],
    [{ lastPolledAt: undefined }, false],
    [{ lastPolledAt: now, status: 'idle' as const }, false],
  ])('of %j is current: %j', (changes, expected) => {
    expect(isCurrent(aFeed(changes), now)).toBe(expected);
  });
});

describe('the turn of a waiting feed', () => {
  const gapsMs = Array<number>(4).fill(30 * minuteMs);
  const halfHourly = {
    rhythm: { gapsMs, lastRefreshAt: now - 66 * minuteMs },
    lastPaidAt: now - 65 * minuteMs,
  };
  const pacing = { freeWhenQuiet: false, pullPrice: 0, learned: priorLearning, now };
  it.each<[string, Partial<Feed>, number | undefined]>([
    [
      'stays, if it waits as long as a failure makes it',
      { nextPollAt: now + 30 * minuteMs },
      undefined,
    ],
    ['is now, if it waits longer', { nextPollAt: now + 30 * minuteMs + 1 }, now],
    ['stays, while it is polled', { nextPollAt: now + dayMs, claim: 'claim' }, undefined],
    [
      'stays, if its latency is that long',
      { nextPollAt: now + hourMs, latencySeconds: 3_600 },
      undefined,
    ],
    [
      'stays out of reach for six hours',
      { nextPollAt: now + 6 * hourMs, isOutOfReach: true },
      undefined,
    ],
    [
      'comes early enough for its latency once the budget allows it',
      { nextPollAt: now + 20 * minuteMs, nextReason: 'stretched_by_budget' },
      now + 45_000,
    ],
    [
      'stays, if that is five minutes sooner',
      { nextPollAt: now + 345_000, nextReason: 'stretched_by_budget' },
      undefined,
    ],
    [
      'changes, if that is more',
      { nextPollAt: now + 345_001, nextReason: 'stretched_by_budget' },
      now + 45_000,
    ],
    [
      'stays while it is polled, although the budget allows more',
      { nextPollAt: now + 20 * minuteMs, nextReason: 'stretched_by_budget', claim: 'claim' },
      undefined,
    ],
    [
      'stays, while dispatch may still take it behind its refresh',
      { nextPollAt: now - minuteMs, nextReason: 'stretched_by_budget', ...halfHourly },
      undefined,
    ],
  ])('%s', (_title, changes, expected) => {
    expect(movedTurn(aFeed(changes), pacing)?.nextPollAt).toBe(expected);
  });

  it('moves later, right behind the next refresh, once its data has become old', () => {
    const waiting = aFeed({ nextPollAt: now - 6 * minuteMs, nextReason: 'stretched_by_budget' });
    const turn = movedTurn({ ...waiting, ...halfHourly }, { ...pacing, pullPrice: 0.01 });
    expect((turn?.nextPollAt ?? 0) - now).toBe(24 * minuteMs + 2_000);
  });
});

describe('an event that the marketplace does not know', () => {
  it('is looked for after minutes, then hours, for a day', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((looks) => waitWhileMissing(looks));
    expect(waits.map((wait) => wait && wait / minuteMs)).toEqual([
      ...[5, 15, 60, 180, 360, 720],
      undefined,
    ]);
  });
});

describe('an event past its date', () => {
  const overAt = now - dayMs;
  it.each([
    ['has listings of six hours ago', { lastLiveAt: now - 6 * hourMs }, overAt, true],
    ['has older listings', { lastLiveAt: now - 6 * hourMs - 1 }, overAt, false],
    ['has listings from before its end', { lastLiveAt: now - hourMs }, now - hourMs, false],
    ['is thirty days over', { lastLiveAt: now }, now - 30 * dayMs, true],
    ['is longer over', { lastLiveAt: now }, now - 30 * dayMs - 1, false],
    ['never had listings', {}, overAt, false],
  ])('that %s still sells: %j', (_title, feed, over, expected) => {
    expect(stillSells(feed, over, now)).toBe(expected);
  });

  it.each([
    ['not_found', undefined, true],
    ['ended', now - 6 * hourMs, true],
    ['ended', now - 6 * hourMs - 1, false],
    ['ended', undefined, false],
    ['active', now, false],
  ] as const)('and is %s with listings of %j has rested enough: %j', (status, liveAt, expected) => {
    expect(isRestOver(status, liveAt, now)).toBe(expected);
  });
});
