import type { Stores } from '#shared/dynamo/stores.ts';
import { anAlert } from '#test/support/alerts.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const nothing = async () => {};

const createAlert = (generation: number) => (stores: Stores) =>
  stores.alerts.create(anAlert({ alertId: 'alt_1', base: generation }));

describeMeetings('an alert', {
  'keeps its first numbers': meeting({
    given: nothing,
    a: createAlert(1),
    b: createAlert(2),
    left: async ({ alerts }) => (await alerts.find('alt_1'))?.base,
    outcomes: [
      [false, true, 2],
      [true, false, 1],
    ],
  }),
});
