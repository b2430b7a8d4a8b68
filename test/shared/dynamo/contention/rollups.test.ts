import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const hourMs = 3_600_000;
const base = 'get_in';
const point = { at: now + 5, value: 100 };
const summary = { first: point, last: point, low: 100, high: 100 };
const range = { eventId: 7, base, from: now, to: now + hourMs } as const;

const putHour = ({ rollups }: Stores) =>
  rollups.putHour(7, base, { startsAt: now, summary, points: [point] }, now + hourMs);
const rollUp = async (stores: Stores) => {
  await putHour(stores);
  const standing = { believed: point, suspect: null };
  const coverage = { from: now, to: now + hourMs, record: summary, standing };
  await stores.rollups.putCoverage(7, base, coverage);
};
/** How many hours and points a reader finds, in the order in which the window transforms ask. */
const read = async ({ rollups }: Stores) => {
  const coverage = await rollups.findCoverage(7, base);
  const hours = await rollups.summaries(range);
  const points = await rollups.points(range);
  return [coverage ? 'covered' : 'not covered', hours.length, points.length];
};

describeMeetings('a rollup', {
  'of an hour is the same when it is written twice': meeting({
    given: async () => {},
    a: rollUp,
    b: rollUp,
    left: read,
    outcomes: [[undefined, undefined, ['covered', 1, 1]]],
  }),
  'covers no hour before its summary and points are written': meeting({
    given: async () => {},
    a: rollUp,
    b: read,
    left: read,
    outcomes: [
      [undefined, ['covered', 1, 1], ['covered', 1, 1]],
      [undefined, ['not covered', 0, 0], ['covered', 1, 1]],
      [undefined, ['not covered', 0, 1], ['covered', 1, 1]],
      [undefined, ['not covered', 1, 1], ['covered', 1, 1]],
    ],
  }),
});
