// When a feed is due: sooner, later, or not at all, while it is claimed, polled or retired.
import {
  claim,
  claimAsRead,
  claimed,
  due,
  key,
  lapsed,
  left,
  nothing,
  now,
  pollSooner,
  reschedule,
  retire,
  retired,
  setLatency,
  theFeed,
  waiting,
  wake,
} from '#test/support/contention/feed-steps.ts';
import { describePollingMeetings, meeting } from '#test/support/contention/meeting.ts';

describePollingMeetings('the time of a feed', {
  'is polled sooner while it waits': meeting({
    given: waiting,
    a: pollSooner(),
    b: claim('b', now + 60_000),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
      [true, false, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
      [true, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
    ],
  }),
  'is polled sooner once': meeting({
    given: waiting,
    a: pollSooner(),
    b: pollSooner(now + 5),
    left,
    outcomes: [
      [true, false, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
      [true, true, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
    ],
  }),
  'is not polled sooner once it is retired': meeting({
    given: waiting,
    a: pollSooner(),
    b: retire,
    left,
    outcomes: [
      [
        false,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        true,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
    ],
  }),
  'is not rescheduled while it is being polled': meeting({
    given: due,
    a: claimAsRead('a'),
    b: async (stores) => reschedule(now + 60_000)(stores, await theFeed(stores)),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 60000, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
    ],
  }),
  'is rescheduled once': meeting({
    given: waiting,
    a: reschedule(now + 10),
    b: reschedule(now + 20),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 20, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 60], next: 10, claim: undefined, call: undefined }],
    ],
  }),
  'is not rescheduled once it is retired': meeting({
    given: waiting,
    a: reschedule(now + 10),
    b: retire,
    left,
    outcomes: [
      [
        false,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
      [
        true,
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
    ],
  }),
  'does not sleep while a wish comes': meeting({
    given: due,
    a: setLatency(undefined),
    b: wake(30, now + 5),
    left,
    outcomes: [
      [false, undefined, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
      [true, undefined, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'wakes at the new wish alone when it fell asleep before': meeting({
    given: due,
    a: setLatency(undefined),
    b: wake(300, now + 5),
    left,
    outcomes: [
      [false, undefined, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
      [true, undefined, { is: ['active', 300], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'is not rescheduled while it rests': meeting({
    given: waiting,
    a: reschedule(now + 10),
    b: (stores) => stores.feeds.retire(key, 'ended', now + 60_000),
    left,
    outcomes: [
      [false, undefined, { is: ['ended', 60], next: 60000, claim: undefined, call: undefined }],
      [true, undefined, { is: ['ended', 60], next: 60000, claim: undefined, call: undefined }],
    ],
  }),
  'has its subscriptions settled once': meeting({
    given: due,
    a: setLatency(300),
    b: setLatency(900),
    left,
    outcomes: [
      [false, true, { is: ['active', 900], next: 0, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 300], next: 0, claim: undefined, call: undefined }],
    ],
  }),
  'wakes after it was retired': meeting({
    given: retired,
    a: wake(300, now + 5),
    b: claimAsRead('b'),
    left,
    outcomes: [
      [undefined, false, { is: ['active', 300], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'is not made by its retirement': meeting({
    given: nothing,
    a: retire,
    b: (stores) => stores.feeds.retire(key, 'ended'),
    left,
    outcomes: [[undefined, undefined, undefined]],
  }),
  'is not made by notes about it': meeting({
    given: nothing,
    a: (stores) => stores.feeds.setReach(key, true),
    b: (stores) => stores.feeds.note(key, { eventStartsAt: now }),
    left,
    outcomes: [[undefined, undefined, undefined]],
  }),
  'is that of a wish that meets a lapsed claim': meeting({
    given: claimed,
    a: wake(30, lapsed),
    b: claim('b', lapsed),
    left,
    outcomes: [
      [undefined, false, { is: ['active', 30], next: 300001, claim: 'x', call: undefined }],
      [undefined, true, { is: ['active', 30], next: 600001, claim: 'b', call: undefined }],
    ],
  }),
  'is not made sooner while it rests': meeting({
    given: waiting,
    a: pollSooner(),
    b: (stores) => stores.feeds.retire(key, 'ended', now + 60_000),
    left,
    outcomes: [
      [false, undefined, { is: ['ended', 60], next: 60000, claim: undefined, call: undefined }],
      [true, undefined, { is: ['ended', 60], next: 60000, claim: undefined, call: undefined }],
    ],
  }),
  'is not made by clearing its nudge': meeting({
    given: nothing,
    a: (stores) => stores.feeds.clearNudge(key).catch(() => {}),
    b: (stores) => stores.feeds.clearNudge(key).catch(() => {}),
    left,
    outcomes: [[undefined, undefined, undefined]],
  }),
  'is that of the first of two that poll it again': meeting({
    given: retired,
    a: (stores) => stores.feeds.revive(key, now + 5),
    b: (stores) => stores.feeds.revive(key, now + 6),
    left,
    outcomes: [
      [true, false, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
      [false, true, { is: ['active', 60], next: 6, claim: undefined, call: undefined }],
    ],
  }),
});
