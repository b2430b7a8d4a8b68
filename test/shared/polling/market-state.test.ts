import { describe, expect, it } from 'vitest';
import {
  callsLeft,
  countAnswer,
  countFault,
  decideMarketAccess,
  holdBucket,
  type MarketState,
  newMarketState,
  pauseFor,
  takeCalls,
} from '#shared/polling/market-state.ts';

const now = 1_000_000_000;
const minuteMs = 60_000;
const paused = pauseFor(newMarketState, { reason: 'payment', since: now });
const afterFaults = (count: number, at = now): MarketState =>
  Array.from({ length: count }).reduce<MarketState>(
    (state) => countFault(state, at),
    newMarketState,
  );

describe('the gate', () => {
  it.each<[string, MarketState, number, object]>([
    ['is open in peace', newMarketState, now, { kind: 'open' }],
    ['is open after four faults in a row', afterFaults(4), now, { kind: 'open' }],
    [
      'closes after five',
      afterFaults(5),
      now,
      { kind: 'closed', reason: 'breaker_open', until: now + minuteMs },
    ],
    [
      'lets a trial through when the breaker’s time is over',
      afterFaults(5),
      now + minuteMs,
      { kind: 'trial' },
    ],
    [
      'lets one trial through, not two',
      { ...afterFaults(5), trialAt: now + minuteMs + 1 },
      now + minuteMs + 2,
      { kind: 'closed', reason: 'breaker_open', until: now + 2 * minuteMs + 1 },
    ],
    [
      'waits twice as long after a failed trial',
      countFault(afterFaults(5), now + minuteMs),
      now + minuteMs,
      { kind: 'closed', reason: 'breaker_open', until: now + 3 * minuteMs },
    ],
    [
      'is closed under a pause',
      paused,
      now,
      { kind: 'closed', reason: 'paused', until: now + 5 * minuteMs },
    ],
    [
      'lets a trial through under a pause after five minutes',
      paused,
      now + 5 * minuteMs,
      { kind: 'trial' },
    ],
    [
      'is closed for the bucket that was refused',
      holdBucket(newMarketState, 'events_stats', now + 5),
      now,
      { kind: 'closed', reason: 'rate_limited', until: now + 5 },
    ],
    [
      'is open for another bucket',
      holdBucket(newMarketState, 'listings', now + 5),
      now,
      { kind: 'open' },
    ],
  ])('%s', (_name, state, at, expected) => {
    expect(decideMarketAccess(state, 'stats', at)).toEqual(expected);
  });

  it('opens with the first answer, whatever was wrong', () => {
    const answered = countAnswer({ ...paused, ...afterFaults(9), pause: paused.pause });
    expect(decideMarketAccess(answered, 'stats', now)).toEqual({ kind: 'open' });
    expect(answered).toMatchObject({ faults: 0 });
  });

  it('keeps the time at which a pause began, and the breaker’s first opening', () => {
    const again = pauseFor(paused, { reason: 'payment', since: now + 9 });
    expect(again.pause?.since).toBe(now);
    expect(countFault(afterFaults(6), now + 9).openedAt).toBe(now);
  });
});

describe('calls', () => {
  it('are four fifths of the limit, in its own window', () => {
    expect(callsLeft(newMarketState, 'stats', now)).toBe(400);
    const taken = takeCalls(newMarketState, 'stats', { calls: 150, isTrial: false, now });
    expect(callsLeft(taken, 'stats', now + 59_999)).toBe(250);
    expect(callsLeft(taken, 'listings', now)).toBe(400);
    expect(callsLeft(taken, 'stats', now + 60_000)).toBe(400);
  });

  it('follow the account’s catalog', () => {
    const limits = { events_stats: { limit: 10, windowSeconds: 1 } };
    const state = takeCalls({ ...newMarketState, limits }, 'stats', {
      ...{ calls: 8, isTrial: false, now },
    });
    expect(callsLeft(state, 'stats', now)).toBe(0);
    expect(callsLeft(state, 'stats', now + 1_000)).toBe(8);
  });
});

describe('a window of calls', () => {
  it('starts again when its seconds have passed, not before', () => {
    const taken = (atMs: number, state: MarketState) =>
      takeCalls(state, 'stats', { calls: 3, isTrial: false, now: now + atMs });
    const first = taken(0, newMarketState);
    const windowAt = (atMs: number) => taken(atMs, first).windows.events_stats;
    expect(windowAt(59_999)).toEqual({ startsAt: now, taken: 6 });
    expect(windowAt(60_000)).toEqual({ startsAt: now + 60_000, taken: 3 });
  });
});
