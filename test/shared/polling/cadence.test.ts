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
    [
      'comes right behind the next refresh within the wish',
      {
        wishedMs: 29.5 * minuteMs,
        rhythm: { gapsMs: [30 * minuteMs], lastRefreshAt: now - 5 * minuteMs },
      },
      [25, 'expected_refresh'],
    ],
    ['comes within the wish though no refresh is expected yet', {}, [1, 'wished_latency']],
    [
      'comes within the wish where a quiet poll costs',
      { freeWhenQuiet: false },
      [1, 'wished_latency'],
    ],
    [
      'lets one pull buy what comes within a wish longer than the refresh interval',
      { wishedMs: 90 * minuteMs },
      [90, 'wished_latency'],
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
      'is within the wish while there is no rhythm, however long it has been quiet',
      { rhythm: { gapsMs: [], lastRefreshAt: now - 600 * minuteMs } },
      [1, 'learning'],
    ],
    [
      'does not wait for a refresh expected after ten slow gaps',
      { rhythm: { gapsMs: Array(8).fill(600 * minuteMs), lastRefreshAt: now - minuteMs } },
      [1, 'wished_latency'],
    ],
    [
      'is within the wish after a timestamp of next year',
      { rhythm: { gapsMs: [30 * minuteMs], lastRefreshAt: now + 525_600 * minuteMs } },
      [1, 'wished_latency'],
    ],
    [
      'waits for its turn near the cap, and then for the refresh',
      {
        turnAt: now + 100 * minuteMs,
        rhythm: { gapsMs: Array(4).fill(30 * minuteMs), lastRefreshAt: now - minuteMs },
      },
      [89, 'stretched_by_budget'],
    ],
    [
      'waits for the refresh near its turn although few refreshes were seen',
      { turnAt: now + 100 * minuteMs },
      [89, 'stretched_by_budget'],
    ],
    [
      'waits for its turn alone near the cap while no rhythm is known',
      { turnAt: now + 100 * minuteMs, rhythm: { gapsMs: [], lastRefreshAt: now - minuteMs } },
      [100, 'stretched_by_budget'],
    ],
    [
      'waits for the next refresh although its turn has come, because it would buy old data',
      { turnAt: now - 20 * minuteMs },
      [29, 'stretched_by_budget'],
    ],
    [
      'looks again within the wish when its turn has come and the refresh is late',
      {
        ...{ turnAt: now - 20 * minuteMs },
        rhythm: { gapsMs: [30 * minuteMs], lastRefreshAt: now - 31 * minuteMs, quietAt: now },
      },
      [1, 'wished_latency'],
    ],
    [
      'of listings that nothing asks about is hours away',
      { isOutOfReach: true },
      [360, 'out_of_reach'],
    ],
    ['after a failure is a moment later', { failures: 1, wishedMs: 1_000 }, [1, 'backoff']],
    [
      'after a failure is a moment later although the wish is a day',
      { failures: 1, wishedMs: 1_440 * minuteMs },
      [1, 'backoff'],
    ],
    ['after many failures is half an hour later', { failures: 20 }, [30, 'backoff']],
  ])('%s', (_name, over, expected) => {
    expect(minutesUntil(aFeed(over))).toEqual(expected);
  });

  it('near the cap comes two seconds after the refresh nearest to its turn', () => {
    const lastRefreshAt = now - minuteMs;
    const rhythm = { gapsMs: Array(4).fill(30 * minuteMs), lastRefreshAt };
    const { nextPollAt } = decideNextPoll(aFeed({ turnAt: now + 100 * minuteMs, rhythm }));
    expect(nextPollAt - lastRefreshAt).toBe(90 * minuteMs + 2_000);
  });
});
