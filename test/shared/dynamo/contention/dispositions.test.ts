import type { Disposition } from '#shared/delivery/disposition.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const place = { alertId: 'alt_1', channelId: 'chn_1' };
const decide = (kind: Disposition['kind'], isNew: boolean) => async (stores: Stores) => {
  const decided = await stores.dispositions.decideOnce({ ...place, isNew }, async () => ({
    ...place,
    ...{ kind, decidedAt: now, dueAt: now },
  }));
  return decided.kind;
};
const decisionsLeft = async ({ dispositions }: Stores) =>
  (await dispositions.ofAlert('alt_1')).map(({ kind }) => kind);

describeMeetings('a disposition', {
  'is decided once': meeting({
    given: nothing,
    a: decide('send', false),
    b: decide('unsent', false),
    left: decisionsLeft,
    outcomes: [
      ['send', 'send', ['send']],
      ['unsent', 'unsent', ['unsent']],
    ],
  }),
  'of a new alert is decided once': meeting({
    given: nothing,
    a: decide('send', true),
    b: decide('unsent', true),
    left: decisionsLeft,
    outcomes: [
      ['send', 'send', ['send']],
      ['unsent', 'unsent', ['unsent']],
    ],
  }),
});
