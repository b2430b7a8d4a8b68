import { describe, expect, it } from 'vitest';
import { type CadenceInput, decideNextPoll } from '#shared/polling/cadence.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-03-01T12:00:00Z');

/** A feed of a market that refreshes every half hour, polled just after a refresh. */
function aFeed(over: Partial<CadenceInput> = {}): CadenceInput {
  return {
    now,
    wishedMs: minuteMs,
    rhythm: { gapsMs: [30 * minuteMs, 30 * minuteMs], lastRefreshAt: now - minuteMs },
    failures: 0,
    lastPaidAt: now,
    spacingMs: 0,
    freeWhenQuiet: true,
    ...over,
  };
}

const minutesUntil = (input: CadenceInput) => {
  const { nextPollAt, reason } = decideNextPoll(input);
  return [Math.round((nextPollAt - now) / minuteMs), reason];
};

describe('the next poll', () => {
  it.each<[string, Partial<CadenceInput>, [number, string]]>([
    ['comes right behind the next refresh', {}, [29, 'expected_refresh']],
    [
      'comes a wish after it when a quiet poll costs',
      { freeWhenQuiet: false },
      [30, 'wished_latency'],
    ],
    [
      'waits longer than the refresh when the wish does',
      { wishedMs: 90 * minuteMs },
      [119, 'wished_latency'],
    ],
    [
      'looks again within the wish when the refresh is late',
      { rhythm: { gapsMs: [30 * minuteMs], lastRefreshAt: now - 31 * minuteMs } },
      [1, 'wished_latency'],
    ],
    [
      'looks again sooner than a long wish when the refresh is late',
      {
        wishedMs: 20 * minuteMs,
        rhythm: { gapsMs: [30 * minuteMs], lastRefreshAt: now - 31 * minuteMs },
      },
      [3, 'overdue_refresh'],
    ],
    [
      'is within the wish while there is no rhythm and news is fresh',
      { rhythm: { gapsMs: [], lastRefreshAt: now - minuteMs } },
      [1, 'learning'],
    ],
    [
      'waits half as long again as it has been quiet, while there is no rhythm',
      { rhythm: { gapsMs: [], lastRefreshAt: now - 20 * minuteMs } },
      [10, 'learning'],
    ],
    [
      'waits for its turn near the cap, and then for the refresh',
      { spacingMs: 100 * minuteMs },
      [89, 'stretched_by_budget'],
    ],
    [
      'does not wait for a turn that has come',
      { spacingMs: 10 * minuteMs },
      [29, 'expected_refresh'],
    ],
    [
      'of listings that nothing asks about is hours away',
      { isOutOfReach: true },
      [360, 'out_of_reach'],
    ],
    ['after a failure is a moment later', { failures: 1, wishedMs: 1_000 }, [1, 'backoff']],
    ['after many failures is half an hour later', { failures: 20 }, [30, 'backoff']],
  ])('%s', (_name, over, expected) => {
    expect(minutesUntil(aFeed(over))).toEqual(expected);
  });
});
