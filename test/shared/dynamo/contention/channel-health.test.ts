import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const id = 'chn_1';

const fail = (at: number) => (stores: Stores) =>
  stores.channelHealth.countFailure(id, { now: at, lastReason: 'r', isPerhapsGone: true });
const failed = async (stores: Stores) => {
  await fail(now)(stores);
  await stores.channelHealth.open(id, now + 10);
};
const probe = (until: number) => (stores: Stores) =>
  stores.channelHealth.takeProbe(id, now + 10, until);
const open = (until: number) => (stores: Stores) => stores.channelHealth.open(id, until);
const throttle = (until: number) => (stores: Stores) => stores.channelHealth.throttle(id, until);
const healthLeft = async ({ channelHealth }: Stores) => {
  const found = await channelHealth.find(id);
  return (
    found && {
      failures: found.failures,
      since: (found.failingSince ?? now) - now,
      open: (found.openUntil ?? now) - now,
      noticed: found.noticed,
      throttled: [found.throttles, (found.throttledUntil ?? now) - now],
    }
  );
};

describeMeetings("a channel's health", {
  'counts both failures, from the first on': meeting({
    given: async () => {},
    a: async (stores) => (await fail(now)(stores)).failures,
    b: async (stores) => (await fail(now + 5)(stores)).failures,
    left: healthLeft,
    outcomes: [
      [1, 2, { failures: 2, since: 0, open: 0, noticed: undefined, throttled: [undefined, 0] }],
      [2, 1, { failures: 2, since: 5, open: 0, noticed: undefined, throttled: [undefined, 0] }],
    ],
  }),
  'lets one delivery probe a recovering receiver': meeting({
    given: failed,
    a: probe(now + 500),
    b: probe(now + 700),
    left: healthLeft,
    outcomes: [
      [
        false,
        true,
        { failures: 1, since: 0, open: 700, noticed: undefined, throttled: [undefined, 0] },
      ],
      [
        true,
        false,
        { failures: 1, since: 0, open: 500, noticed: undefined, throttled: [undefined, 0] },
      ],
    ],
  }),
  'lets no delivery probe once it failed again': meeting({
    given: failed,
    a: probe(now + 500),
    b: open(now + 900),
    left: healthLeft,
    outcomes: [
      [
        false,
        true,
        { failures: 1, since: 0, open: 900, noticed: undefined, throttled: [undefined, 0] },
      ],
      [
        true,
        true,
        { failures: 1, since: 0, open: 900, noticed: undefined, throttled: [undefined, 0] },
      ],
    ],
  }),
  'is open until the later time': meeting({
    given: failed,
    a: open(now + 500),
    b: open(now + 900),
    left: healthLeft,
    outcomes: [
      [
        false,
        true,
        { failures: 1, since: 0, open: 900, noticed: undefined, throttled: [undefined, 0] },
      ],
      [
        true,
        true,
        { failures: 1, since: 0, open: 900, noticed: undefined, throttled: [undefined, 0] },
      ],
    ],
  }),
  'is throttled until the later time': meeting({
    given: async () => {},
    a: throttle(now + 500),
    b: throttle(now + 900),
    left: healthLeft,
    outcomes: [
      [
        undefined,
        undefined,
        { failures: undefined, since: 0, open: 0, noticed: undefined, throttled: [2, 900] },
      ],
    ],
  }),
  'notes a mark once': meeting({
    given: failed,
    a: ({ channelHealth }) => channelHealth.note(id, 50),
    b: ({ channelHealth }) => channelHealth.note(id, 50),
    left: healthLeft,
    outcomes: [
      [false, true, { failures: 1, since: 0, open: 10, noticed: 50, throttled: [undefined, 0] }],
      [true, false, { failures: 1, since: 0, open: 10, noticed: 50, throttled: [undefined, 0] }],
    ],
  }),
  'forgets what came before its recovery': meeting({
    given: failed,
    a: ({ channelHealth }) => channelHealth.recover(id),
    b: async (stores) => (await fail(now + 5)(stores)).failures,
    left: healthLeft,
    outcomes: [
      [
        undefined,
        1,
        { failures: 1, since: 5, open: 0, noticed: undefined, throttled: [undefined, 0] },
      ],
      [undefined, 2, undefined],
    ],
  }),
});
