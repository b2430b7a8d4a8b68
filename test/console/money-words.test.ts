// The sums of the money's screen.
import { describe, expect, it } from 'vitest';
import type { UsageRowJson } from '../../console/api/calls.ts';
import { changedShares, percentOf, sharesBefore } from '../../console/screens/money/shares.ts';
import {
  everyDay,
  nameOf,
  paceOf,
  scaleOf,
  sharedCalls,
  startOf,
} from '../../console/screens/money/usage-words.ts';
import { latencyWords } from '../../console/words/times.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const row = (also: Partial<UsageRowJson>): UsageRowJson => ({
  ...{ day: null, event_id: null, event_name: null, event_date: null, subject: null },
  ...{ watch_id: null, watch_name: null, tag: null, pulls: 0, dollars: 0, calls: 0 },
  ...also,
});

describe('the days of a range', () => {
  it('are all there, also those that cost nothing', () => {
    const days = everyDay([row({ day: '2026-02-28', pulls: 2, dollars: 0.03 })], 3, now);
    expect(days.map(({ day, pulls }) => [day, pulls])).toEqual([
      ['2026-02-27', 0],
      ['2026-02-28', 2],
      ['2026-03-01', 0],
    ]);
    expect(startOf(3, now)).toBe('2026-02-27T00:00:00.000Z');
  });

  it('give a pace without the day that has not ended', () => {
    const day = (pulls: number) => ({ day: '', pulls, dollars: pulls * 0.015 });
    expect(paceOf([day(100), ...Array(6).fill(day(7)), day(0), day(900)])).toEqual({
      pulls: 6,
      dollars: 0.09,
    });
    expect(paceOf([day(5)])).toBeUndefined();
  });
});

describe('the cap', () => {
  it('is a line, unless it is so high that no bar would be seen', () => {
    expect(scaleOf([2, 10], 20)).toEqual({ top: 22, hasCap: true });
    expect(scaleOf([2, 10], 31)).toEqual({ top: 11, hasCap: false });
    expect(scaleOf([2, 52], 500)).toEqual({ top: 58, hasCap: false });
    expect(scaleOf([0, 0], 500)).toEqual({ top: 1, hasCap: false });
  });
});

it('sharing saves the calls that each watch would have made alone', () => {
  const rows = [
    row({ subject: 'watch', calls: 10 }),
    row({ subject: 'watch', calls: 8 }),
    row({ subject: 'deleted_watch', calls: 2 }),
    row({ subject: 'own_call', calls: 3 }),
  ];
  // 13 calls in all: three of them were asked for, the other ten served 20.
  expect(sharedCalls(rows, 13)).toBe(10);
  expect(sharedCalls([], 0)).toBe(0);
});

describe('a row', () => {
  it.each<[Partial<UsageRowJson>, string]>([
    [{ event_id: 1, event_name: 'Knicks' }, 'Knicks'],
    [{ event_id: 1 }, 'Event 1'],
    [{ subject: 'watch', watch_id: 'wat_1', event_name: 'Knicks' }, 'Knicks'],
    [{ subject: 'watch', watch_id: 'wat_1', watch_name: 'Pairs' }, 'Pairs'],
    [{ subject: 'deleted_watch', event_name: 'Knicks' }, 'A deleted watch on Knicks'],
    [{ subject: 'own_call', event_id: 1 }, 'Looked up or bought: event 1'],
    [{ tag: 'east' }, '#east'],
    [{}, 'Without a tag'],
  ])('%j', (also, name) => expect(nameOf(row(also))).toBe(name));
});

describe('shares', () => {
  it('are sent only where they change, and put back', () => {
    const before = { own_1: 0.5, own_2: 0.125 };
    const change = changedShares(before, { own_1: '50', own_2: '', own_3: '12.5' });
    expect(change).toEqual({ own_2: null, own_3: 0.125 });
    expect(sharesBefore(before, change)).toEqual({ own_2: 0.125, own_3: null });
    // A text that is no number goes to the API, which says so; a null would take the share away.
    expect(changedShares(before, { own_1: '7,5', own_2: 'x' })).toEqual({
      own_1: 0.075,
      own_2: 'x',
    });
    expect(percentOf(0.0001)).toBe('0.01');
  });
});

it('a latency is said in its largest unit', () => {
  expect([30, 300, 5_400].map(latencyWords)).toEqual(['30 s', '5 min', '1.5 h']);
});
