// What each timestamp of a stats answer is to its feed.
import { describe, expect, it } from 'vitest';
import { rememberStamps, type StatsMemory, stampSorter } from '#shared/polling/stats-overlap.ts';

const hourMs = 3_600_000;
const at = Date.parse('2026-03-01T12:00:00Z');
/** The service's clock is ten minutes ahead of ours. */
const offsetMs = 600_000;
const memory: StatsMemory = {
  ...{ lastSnapshotAt: at, clockOffsetMs: offsetMs, wrongStamps: [at + 7] },
  rhythm: { gapsMs: [hourMs / 2], lastRefreshAt: at },
};

it.each([
  ['a refresh that is stored', at, 'known'],
  ['the refresh before it', at - hourMs / 2, 'known'],
  ['a time between them', at - hourMs / 4, 'late'],
  ['the first time of the overlap', at - hourMs, 'late'],
  ['a time before the overlap', at - hourMs - 1, 'known'],
  ['a later time', at + 1, 'news'],
  ['a time within the tolerance of the clocks', at + 60_000 + 30_000, 'news'],
  ['a time after it', at + 60_000 + 30_001, 'future'],
  ['a stamp that was wrong before', at + 7 - offsetMs, 'future'],
  ['a time of the last century', Date.parse('1999-12-31T23:59:59Z'), 'past'],
])('%s', (_what, time, kind) => {
  const kindOf = stampSorter(memory, { offsetMs, answeredAt: at + 60_000 });
  expect(kindOf(time + offsetMs)).toBe(kind);
});

describe('when another poll measured the clock a second differently', () => {
  const moved = { offsetMs: offsetMs - 1_000, wrong: [], paidThrough: undefined };
  const after: StatsMemory = { ...memory, ...rememberStamps(memory, moved) };
  const answered = { offsetMs: moved.offsetMs, answeredAt: at + 120_000 };

  it.each([
    ['the newest stored refresh', at + offsetMs, 'known'],
    ['the refresh before it', at - hourMs / 2 + offsetMs, 'known'],
    ['an older one that the rhythm does not remember', at - hourMs / 4 + offsetMs, 'known'],
    ['a later one', at + offsetMs + 1, 'news'],
  ])('%s keeps its kind', (_what, stamp, kind) => {
    expect(stampSorter(memory, answered)(stamp)).toBe(kind);
    expect(stampSorter(after, answered)(stamp)).toBe(kind);
  });

  it('a refresh after the change is known by the new offset, and one between them is late', () => {
    const rhythm = { gapsMs: [hourMs / 2, 30_000], lastRefreshAt: at + 30_000 };
    const later = { ...after, lastSnapshotAt: at + 30_000, rhythm };
    const kindOf = stampSorter(later, answered);

    expect(kindOf(at + 30_000 + moved.offsetMs)).toBe('known');
    expect(kindOf(at + offsetMs)).toBe('known');
    expect(kindOf(at + 20_000 + moved.offsetMs)).toBe('late');
  });
});

it('after the service turned its clock back, its last refresh is not taken for a new one', () => {
  const moved = { offsetMs: 0, wrong: [], paidThrough: undefined };
  const after: StatsMemory = { ...memory, ...rememberStamps(memory, moved) };
  const kindOf = stampSorter(after, { offsetMs: 0, answeredAt: at + offsetMs + 60_000 });

  expect(kindOf(at + offsetMs)).toBe('known');
  expect(kindOf(at + 60_000)).toBe('news');
});
