import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

const confirm = (address: string, at: number) => async (stores: Stores) =>
  (await stores.confirmationMails.take(address, at)).kind === 'wait' ? 'waits' : 'goes';

describeMeetings('a confirmation mail', {
  'goes once a minute': meeting({
    given: async () => {},
    a: confirm('a@x.test', now),
    b: confirm('A@x.test', now),
    left: async () => {},
    outcomes: [
      ['goes', 'waits', undefined],
      ['waits', 'goes', undefined],
    ],
  }),
  'goes once a minute after the first one too': meeting({
    given: confirm('a@x.test', now - 600_000),
    a: confirm('a@x.test', now),
    b: confirm('a@x.test', now),
    left: async () => {},
    outcomes: [
      ['goes', 'waits', undefined],
      ['waits', 'goes', undefined],
    ],
  }),
});
