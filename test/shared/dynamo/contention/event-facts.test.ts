import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const keepFacts = (name: string, updatedAt: number) => (stores: Stores) =>
  stores.eventFacts.keep({ eventId: 7, name, updatedAt });

describeMeetings('the facts of an event', {
  'are the newest': meeting({
    given: nothing,
    a: keepFacts('old', now),
    b: keepFacts('new', now + 1),
    left: async ({ eventFacts }) => (await eventFacts.find(7))?.name,
    outcomes: [
      [false, true, 'new'],
      [true, true, 'new'],
    ],
  }),
  'are those that came first of the same time': meeting({
    given: nothing,
    a: keepFacts('a', now),
    b: keepFacts('b', now),
    left: async ({ eventFacts }) => (await eventFacts.find(7))?.name,
    outcomes: [
      [false, true, 'b'],
      [true, false, 'a'],
    ],
  }),
  'replace facts from far ahead of their time': meeting({
    given: keepFacts('far', now + 8 * 86_400_000),
    a: keepFacts('a', now),
    b: keepFacts('b', now + 1),
    left: async ({ eventFacts }) => (await eventFacts.find(7))?.name,
    outcomes: [
      [false, true, 'b'],
      [true, true, 'b'],
    ],
  }),
});
