// From when the two minutes count within which an alert is promised, and for which polls nothing is promised.
import { describe, expect, it } from 'vitest';
import type { Look } from '#shared/polling/look.ts';
import { promisedTime } from '#shared/polling/promised-time.ts';

const refresh = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;

function counted(look: Partial<Look>, latencySeconds = 60): number | undefined {
  const seen = { at: refresh + minute, before: refresh - minute, ...look };
  const from = promisedTime({ observedAt: refresh, look: seen, latencySeconds });
  return from === undefined ? undefined : from - refresh;
}

describe('the time of the promise', () => {
  it.each<[string, number, number | undefined]>([
    ['is the refresh for a watch of a minute', 0, counted({ reason: 'wished_latency' })],
    ['is the refresh for a shorter latency, which acts as a minute', 0, counted({}, 1)],
    ['is later by what a longer latency allows', 59 * minute, counted({}, 3_600)],
    ['is the refresh at the first poll of a feed', 0, counted({ before: undefined })],
    [
      'is the poll before, if that could not see the snapshot yet',
      10 * minute,
      counted({ before: refresh + 10 * minute, at: refresh + 11 * minute }),
    ],
    ['is the refresh after polls that failed', 0, counted({ reason: 'backoff', failures: 3 })],
    ['is the refresh after a rate limit', 0, counted({ reason: 'rate_limited' })],
  ])('%s', (_what, expected, from) => {
    expect(from).toBe(expected);
  });

  it.each(['stretched_by_budget', 'held_by_budget', 'paused', 'pause', 'over', 'not_found'])(
    'is none after a wait for %s',
    (reason) => {
      expect(counted({ reason })).toBeUndefined();
    },
  );

  it('is none where the poll is not known', () => {
    const seen = { observedAt: refresh, look: undefined, latencySeconds: 60 };
    expect(promisedTime(seen)).toBeUndefined();
  });
});
