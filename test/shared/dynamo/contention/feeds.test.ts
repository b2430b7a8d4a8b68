// A feed between its dispatchers and its poll: claimed, called and given back once.
import {
  call,
  calling,
  claim,
  claimAsRead,
  claimed,
  due,
  finish,
  lapsed,
  left,
  nothing,
  now,
  reschedule,
  retire,
  theFeed,
  waiting,
  wake,
  wakeAsRead,
} from '#test/support/contention/feed-steps.ts';
import { describePollingMeetings, meeting } from '#test/support/contention/meeting.ts';

describePollingMeetings('a feed', {
  'is made once, for the quicker wish': meeting({
    given: nothing,
    a: wake(60),
    b: wake(300, now + 5),
    left,
    outcomes: [
      [undefined, undefined, { is: ['active', 60], next: 0, claim: undefined, call: undefined }],
      [undefined, undefined, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
    ],
  }),
  'is claimed by one dispatcher': meeting({
    given: due,
    a: claim('a', now),
    b: claim('b', now),
    left,
    outcomes: [
      ['not due', true, { is: ['active', 60], next: 300000, claim: 'b', call: undefined }],
      [false, true, { is: ['active', 60], next: 300000, claim: 'b', call: undefined }],
      [true, 'not due', { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
    ],
  }),
  'is not claimed once it is retired': meeting({
    given: due,
    a: claim('a', now),
    b: retire,
    left,
    outcomes: [
      [
        'not due',
        undefined,
        { is: ['not_found', 60], next: 'never', claim: undefined, call: undefined },
      ],
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
  'is not claimed at the time that it no longer has': meeting({
    given: due,
    a: claimAsRead('a'),
    b: reschedule(now + 60_000),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 60000, claim: undefined, call: undefined }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'a', call: undefined }],
    ],
  }),
  'is due again for a wish that comes while it is not being polled': meeting({
    given: waiting,
    a: wake(60, now + 5),
    b: claim('b', now + 60_000),
    left,
    outcomes: [
      [undefined, false, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
      [undefined, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
    ],
  }),
  'stays claimed when a wish comes': meeting({
    given: claimed,
    a: wake(30, now + 5),
    b: finish('x'),
    left,
    outcomes: [
      [undefined, true, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
      [undefined, true, { is: ['active', 30], next: 60000, claim: undefined, call: undefined }],
    ],
  }),
  'is due again for a wish that read it before, while it is not being polled': meeting({
    given: waiting,
    a: wakeAsRead(60, now + 5),
    b: claim('b', now + 60_000),
    left,
    outcomes: [
      [undefined, false, { is: ['active', 60], next: 5, claim: undefined, call: undefined }],
      [undefined, true, { is: ['active', 60], next: 360000, claim: 'b', call: undefined }],
    ],
  }),
  'stays claimed when a wish comes that read it before': meeting({
    given: claimed,
    a: wakeAsRead(30, now + 5),
    b: finish('x'),
    left,
    outcomes: [
      [undefined, true, { is: ['active', 30], next: 5, claim: undefined, call: undefined }],
      [undefined, true, { is: ['active', 30], next: 60000, claim: undefined, call: undefined }],
    ],
  }),
  'calls once a claim': meeting({
    given: claimed,
    a: (stores, feed) => stores.feeds.beginCall(feed, 'x', now),
    b: (stores, feed) => stores.feeds.beginCall(feed, 'x', now + 1),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 300000, claim: 'x', call: 'x' }],
      [true, false, { is: ['active', 60], next: 300000, claim: 'x', call: 'x' }],
    ],
  }),
  'calls for the claim that holds it': meeting({
    given: claimed,
    a: call('x'),
    b: claim('b', lapsed),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 600001, claim: 'b', call: undefined }],
      [true, true, { is: ['active', 60], next: 600001, claim: 'b', call: 'x' }],
    ],
  }),
  'replaces a lost call by one new call': meeting({
    given: async (stores) => {
      await stores.feeds.claim(await calling(stores), 'y', lapsed);
      return theFeed(stores);
    },
    a: (stores, feed) => stores.feeds.beginCall(feed, 'y', now + 1),
    b: (stores, feed) => stores.feeds.beginCall(feed, 'y', now + 2),
    left,
    outcomes: [
      [true, false, { is: ['active', 60], next: 300001, claim: 'y', call: 'y' }],
      [false, true, { is: ['active', 60], next: 300001, claim: 'y', call: 'y' }],
    ],
  }),
  'is given back by the claim that holds it': meeting({
    given: calling,
    a: finish('x'),
    b: claim('b', lapsed),
    left,
    outcomes: [
      [false, true, { is: ['active', 60], next: 600001, claim: 'b', call: 'x' }],
      [true, false, { is: ['active', 60], next: 60000, claim: undefined, call: undefined }],
      [true, true, { is: ['active', 60], next: 600001, claim: 'b', call: undefined }],
    ],
  }),
  'stays retired when its poll ends': meeting({
    given: calling,
    a: finish('x'),
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
});
