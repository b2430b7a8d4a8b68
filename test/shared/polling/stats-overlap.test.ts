// What each timestamp of a stats answer is to its feed.
import { expect, it } from 'vitest';
import { type StatsMemory, stampSorter } from '#shared/polling/stats-overlap.ts';

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
