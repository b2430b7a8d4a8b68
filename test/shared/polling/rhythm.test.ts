import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideNextPoll } from '#shared/polling/cadence.ts';
import {
  learnLateRefresh,
  learnRefreshes,
  paceOf,
  predictRefresh,
  type Rhythm,
  unknownRhythm,
} from '#shared/polling/rhythm.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface SimulatedPoll {
  at: number;
  rhythm: Rhythm;
}

/** Polls a market with these refresh times as the cadence says, `polls` times from `start` on. */
function simulate(o: {
  refreshes: readonly number[];
  start: number;
  wishedMs: number;
  polls: number;
  complete: boolean;
}) {
  const polled: SimulatedPoll[] = [];
  const delays: number[] = [];
  let rhythm = unknownRhythm;
  let now = o.start;
  for (let count = 0; count < o.polls; count += 1) {
    const last = rhythm.lastRefreshAt ?? Number.NEGATIVE_INFINITY;
    const seen = o.refreshes.filter((at) => at <= now && at > last);
    if (count > 0) delays.push(...seen.map((at) => now - at));
    const told = o.complete ? seen : seen.slice(-1);
    rhythm = learnRefreshes(rhythm, told, { polledAt: now, complete: o.complete });
    polled.push({ at: now, rhythm });
    const cadence = { now, wishedMs: o.wishedMs, rhythm, failures: 0, spacingMs: 0 };
    now = decideNextPoll({ ...cadence, freeWhenQuiet: true }).nextPollAt;
  }
  return { polled, delays };
}

const every = (gapMs: number, from: number, through: number) =>
  Array.from({ length: Math.ceil((through - from) / gapMs) }, (_, index) => from + index * gapMs);

/** Times from 0 on with these gaps between them. */
function timesAfter(gaps: readonly number[]): number[] {
  const times = [0];
  for (const gap of gaps) times.push((times.at(-1) ?? 0) + gap);
  return times;
}

describe('the learned refresh interval', () => {
  it.each([
    ['every 7 minutes', 7 * minuteMs],
    ['hourly', hourMs],
  ])(
    'is known within ten polls of a market that refreshes %s and has a history',
    (_name, gapMs) => {
      const refreshes = every(gapMs, 0, 200 * hourMs);
      const { polled } = simulate({
        refreshes,
        start: 3.4 * gapMs,
        wishedMs: minuteMs,
        polls: 10,
        complete: true,
      });
      const pace = paceOf(polled.at(-1)?.rhythm ?? unknownRhythm);

      expect(pace).toEqual({ earliestMs: gapMs, usualMs: gapMs });
    },
  );

  it.each([
    ['every 7 minutes', 7 * minuteMs, false],
    ['every 7 minutes', 7 * minuteMs, true],
    ['hourly', hourMs, true],
    ['hourly', hourMs, false],
  ])(
    'is known of a new event that refreshes %s once it has (%d ms, all times told: %s)',
    (_name, gapMs, complete) => {
      const refreshes = every(gapMs, 0, 200 * hourMs);
      const start = 5 * minuteMs;
      const { polled } = simulate({ refreshes, start, wishedMs: minuteMs, polls: 200, complete });
      const usualMs = paceOf(polled.at(-1)?.rhythm ?? unknownRhythm)?.usualMs ?? 0;

      expect(usualMs / gapMs).toBeCloseTo(1, 5);
    },
  );

  it('of an irregular market is its median gap, and its shortest gap is never slept through', () => {
    const gaps = [20, 35, 25, 60, 30, 45, 22, 38, 27, 50, 33, 41].map(
      (minutes) => minutes * minuteMs,
    );
    const refreshes = timesAfter(gaps);
    const { polled } = simulate({
      refreshes,
      start: 3 * hourMs,
      wishedMs: 5 * minuteMs,
      polls: 10,
      complete: true,
    });
    const pace = paceOf(polled.at(-1)?.rhythm ?? unknownRhythm);

    expect(pace?.earliestMs).toBe(20 * minuteMs);
    expect(pace?.usualMs).toBeGreaterThanOrEqual(27 * minuteMs);
    expect(pace?.usualMs).toBeLessThanOrEqual(41 * minuteMs);
  });

  it('follows a market that changes its pace', () => {
    const refreshes = [
      ...every(hourMs, 0, 20 * hourMs),
      ...every(7 * minuteMs, 20 * hourMs, 40 * hourMs),
    ];
    const slow = simulate({
      refreshes,
      start: 10 * hourMs,
      wishedMs: minuteMs,
      polls: 1_000,
      complete: true,
    });

    expect(paceOf(slow.polled.at(-1)?.rhythm ?? unknownRhythm)?.usualMs).toBe(7 * minuteMs);
  });

  it('takes two refreshes that may hide a third for no more than an upper bound', () => {
    const known: Rhythm = { gapsMs: [7 * minuteMs], lastRefreshAt: 0, quietAt: 2 * minuteMs };
    const learnt = learnRefreshes(known, [21 * minuteMs], {
      polledAt: 22 * minuteMs,
      complete: false,
    });

    expect(paceOf(learnt)?.usualMs).toBe(7 * minuteMs);
    expect(learnt.lastRefreshAt).toBe(21 * minuteMs);
  });
});

describe('the wished latency', () => {
  it('is met by every refresh of a regular market', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 180 }),
        fc.integer({ min: 1, max: 600 }),
        (gapMinutes, wishMinutes) => {
          const refreshes = every(gapMinutes * minuteMs, 0, 5_000 * minuteMs);
          const { delays } = simulate({
            refreshes,
            start: 10 * gapMinutes * minuteMs + 1,
            wishedMs: wishMinutes * minuteMs,
            polls: 8,
            complete: true,
          });
          expect(Math.max(0, ...delays)).toBeLessThanOrEqual(wishMinutes * minuteMs);
        },
      ),
    );
  });

  it('of an hour lets one pull buy many refreshes', () => {
    const refreshes = every(7 * minuteMs, 0, 100 * hourMs);
    const { polled } = simulate({
      refreshes,
      start: hourMs,
      wishedMs: hourMs,
      polls: 11,
      complete: true,
    });
    const gaps = polled.slice(1).map(({ at }, index) => at - (polled[index]?.at ?? 0));

    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(59 * minuteMs);
  });
});

describe('the predicted refresh', () => {
  const rhythm: Rhythm = { gapsMs: [10, 10], lastRefreshAt: 100 };
  it.each([
    [100, 110],
    [101, 110],
    [110, 110],
    [111, 120],
    [999, 1_000],
  ])('at or after %d is %d', (from, expected) => {
    expect(predictRefresh(rhythm, from)).toEqual({ at: expected, surelyAt: expected });
  });

  it('is waited for longer the less regular the gaps are, by a twentieth of a gap at most', () => {
    const waitOf = (gapsMs: number[], from: number) => {
      const refresh = predictRefresh({ gapsMs, lastRefreshAt: 0 }, from);
      return Math.round(((refresh?.surelyAt ?? 0) - (refresh?.at ?? 0)) / 1_000);
    };
    const uneven = [29.5 * minuteMs, 30.5 * minuteMs];
    expect([waitOf(uneven, 1), waitOf(uneven, 70 * minuteMs), waitOf(uneven, dayMs)]).toEqual([
      30, 52, 90,
    ]);
  });

  it('many gaps ahead follows their mean, without the gaps that hide a failed refresh', () => {
    const gapsMs = [30, 31, 30, 31, 60, 30, 31].map((minutes) => minutes * minuteMs);
    const refresh = predictRefresh({ gapsMs, lastRefreshAt: 0 }, 100 * 30 * minuteMs);
    expect((refresh?.at ?? 0) / minuteMs).toBe(99 * 30.5);
  });
});

describe('a refresh that is published late', () => {
  const start = 1_000_000;
  /** Refreshes at 0, 10 and 20 minutes. */
  const rhythm = { gapsMs: [10 * minuteMs, 10 * minuteMs], lastRefreshAt: start + 20 * minuteMs };
  it.each([
    ['splits the gap that contains it', 14, [10, 4, 6]],
    ['changes nothing, if it is known', 10, [10, 10]],
    ['changes nothing, if it is the oldest', 0, [10, 10]],
    ['changes nothing, if it is older than all gaps', -5, [10, 10]],
    ['changes nothing, if it is newer than the last', 25, [10, 10]],
  ])('%s', (_title, minute, gaps) => {
    const learned = learnLateRefresh(rhythm, start + minute * minuteMs);
    expect(learned.gapsMs.map((gapMs) => gapMs / minuteMs)).toEqual(gaps);
    expect(learned.lastRefreshAt).toBe(rhythm.lastRefreshAt);
  });

  it('changes nothing before any other', () => {
    expect(learnLateRefresh(unknownRhythm, start)).toBe(unknownRhythm);
  });
});
