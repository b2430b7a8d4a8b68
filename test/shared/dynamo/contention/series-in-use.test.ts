import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { aTrigger } from '#test/support/triggers.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

const trigger = aTrigger({ eventId: 7 });
const rowOf = async ({ seriesInUse }: Stores) => {
  const [row] = await seriesInUse.list(7);
  if (!row) throw new Error('no series');
  return row;
};
const needed = async (stores: Stores) => {
  await stores.seriesInUse.need(trigger);
  return rowOf(stores);
};
const marked = async (stores: Stores) => {
  await stores.seriesInUse.mark(await needed(stores), now);
  return rowOf(stores);
};
const need = (stores: Stores) => stores.seriesInUse.need(trigger);
const seriesLeft = async ({ seriesInUse }: Stores) =>
  (await seriesInUse.list(7)).map(({ idleSince }) => idleSince !== undefined);

describeMeetings('a series in use', {
  'is marked idle once': meeting({
    given: needed,
    a: ({ seriesInUse }, row) => seriesInUse.mark(row, now),
    b: ({ seriesInUse }, row) => seriesInUse.mark(row, now + 1),
    left: seriesLeft,
    outcomes: [
      [false, true, [true]],
      [true, false, [true]],
    ],
  }),
  'is not dropped once it is needed again': meeting({
    given: marked,
    a: ({ seriesInUse }, row) => seriesInUse.drop(row),
    b: need,
    left: seriesLeft,
    outcomes: [
      [false, undefined, [false]],
      [true, undefined, [false]],
    ],
  }),
  'is dropped or kept, not both': meeting({
    given: marked,
    a: ({ seriesInUse }, row) => seriesInUse.drop(row),
    b: ({ seriesInUse }, row) => seriesInUse.unmark(row),
    left: seriesLeft,
    outcomes: [
      [false, true, [false]],
      [true, false, []],
    ],
  }),
  'is not made by a mark once it is dropped': meeting({
    given: marked,
    a: ({ seriesInUse }, row) => seriesInUse.drop(row),
    b: ({ seriesInUse }, row) => seriesInUse.mark(row, now + 1),
    left: seriesLeft,
    outcomes: [[true, false, []]],
  }),
});
