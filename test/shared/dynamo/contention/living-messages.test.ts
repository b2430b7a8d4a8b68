// Two writers at one living message: a send that takes it over, runs that edit it, and its end.
import type { LivingMessage } from '#shared/delivery/episodes/living-message.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { firedAt } from '#test/support/alerts.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { aLivingMessage } from '#test/support/living-messages.ts';

const now = firedAt + 10_000;
const feed = { eventId: 4711, kind: 'stats' } as const;
const first = aLivingMessage();
const later = aLivingMessage({
  ...{ alertId: 'alt_later', receipt: 'm2', observedAt: first.observedAt + 60_000 },
});
const low = { kind: 'new_low', value: 7_000, at: now } as const;

const keep = (message: LivingMessage) => (stores: Stores) => stores.livingMessages.keep(message);
const kept = async (stores: Stores) => {
  await keep(first)(stores);
  return first;
};
const claim = (at: number) => async (stores: Stores) =>
  (await stores.livingMessages.claim(first, at))?.version;
/** A whole edit: the claim, and the record of what the message shows. */
const edit = (at: number) => async (stores: Stores) => {
  const claimed = await stores.livingMessages.claim(first, at);
  if (!claimed) return 'taken';
  return stores.livingMessages.record(claimed, { shows: low, failures: 0 });
};
const remove = (stores: Stores) => stores.livingMessages.remove(first);
const left = async ({ livingMessages }: Stores) => {
  const { messages } = await livingMessages.list(feed, { limit: 10, now });
  return messages.map(({ receipt, version, shows, editedAt }) => [
    ...[receipt, version, shows.kind, editedAt === undefined ? undefined : editedAt - now],
  ]);
};
const marksLeft = async ({ evaluations }: Stores) => (await evaluations.find(feed))?.livingMarks;
const marked = async ({ evaluations, livingMessages }: Stores) => {
  await evaluations.nudge(feed);
  await livingMessages.mark(feed);
};
const mark = async ({ livingMessages }: Stores) => (await livingMessages.mark(feed))?.livingMarks;

describeMeetings('a living message', {
  'is the one of the later alert, whichever is stored first': meeting({
    given: async () => {},
    a: keep(first),
    b: keep(later),
    left,
    outcomes: [
      [true, true, [['m2', 1, 'reached', undefined]]],
      [false, true, [['m2', 1, 'reached', undefined]]],
    ],
  }),
  'is claimed by one run': meeting({
    given: kept,
    a: claim(now),
    b: claim(now + 1),
    left,
    outcomes: [
      [2, undefined, [['m1', 2, 'reached', 0]]],
      [undefined, 2, [['m1', 2, 'reached', 1]]],
    ],
  }),
  'is not changed by the edit of the message before it': meeting({
    given: kept,
    a: edit(now),
    b: keep(later),
    left,
    outcomes: [
      ['taken', true, [['m2', 1, 'reached', undefined]]],
      [false, true, [['m2', 1, 'reached', undefined]]],
      [true, true, [['m2', 1, 'reached', undefined]]],
    ],
  }),
  'is removed by a run only as the run read it': meeting({
    given: kept,
    a: edit(now),
    b: remove,
    left,
    outcomes: [
      ['taken', true, []],
      [true, false, [['m1', 3, 'new_low', 0]]],
    ],
  }),
  'that takes over is not removed with the one before': meeting({
    given: kept,
    a: keep(later),
    b: remove,
    left,
    outcomes: [
      [true, false, [['m2', 1, 'reached', undefined]]],
      [true, true, [['m2', 1, 'reached', undefined]]],
    ],
  }),
});

describeMeetings('the mark of a feed with living messages', {
  'stays when a message is kept while a run finds none': meeting({
    given: marked,
    a: mark,
    b: ({ livingMessages }) => livingMessages.unmark(feed, 1),
    left: marksLeft,
    outcomes: [
      [2, false, 2],
      [1, true, 1],
    ],
  }),
  'counts each message': meeting({
    given: marked,
    a: mark,
    b: mark,
    left: marksLeft,
    outcomes: [
      [2, 3, 3],
      [3, 2, 3],
    ],
  }),
});

describeMeetings('the time of the next edits', {
  'is the latest that was planned': meeting({
    given: marked,
    a: ({ livingMessages }) => livingMessages.recordPlan(feed, 100),
    b: ({ livingMessages }) => livingMessages.recordPlan(feed, 200),
    left: async ({ evaluations }) => (await evaluations.find(feed))?.editsDueAt,
    outcomes: [
      [true, true, 200],
      [false, true, 200],
    ],
  }),
});
