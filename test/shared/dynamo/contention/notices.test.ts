import type { Stores } from '#shared/dynamo/stores.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { marketplaceBackText } from '#shared/polling/notice-texts.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const noticed = (name: string) => operatorNotice(marketplaceBackText, name, now);
const notice = (title: string) => (stores: Stores) =>
  stores.notices.create({ ...noticed('x'), title });
const { noticeId } = noticed('x');
const sent = (at: number) => (stores: Stores) => stores.notices.markSent(noticeId, at);
const noticeLeft = async ({ notices }: Stores) => {
  const found = await notices.find(noticeId);
  return found && [found.title, found.sentAt];
};

describeMeetings('a notice', {
  'is made once': meeting({
    given: nothing,
    a: notice('a'),
    b: notice('b'),
    left: noticeLeft,
    outcomes: [
      [false, true, ['b', undefined]],
      [true, false, ['a', undefined]],
    ],
  }),
  'is sent once': meeting({
    given: notice('x'),
    a: sent(5),
    b: sent(7),
    left: noticeLeft,
    outcomes: [
      [false, true, ['x', 7]],
      [true, false, ['x', 5]],
    ],
  }),
  'is not looked at again once it is sent': meeting({
    given: notice('x'),
    a: sent(5),
    b: ({ notices }) => notices.postpone(noticeId, now + 5),
    left: async ({ notices }) => (await notices.find(noticeId))?.sentAt,
    outcomes: [[true, undefined, 5]],
  }),
  'is made although its next look was put off before': meeting({
    given: nothing,
    a: ({ notices }) => notices.postpone(noticeId, now + 5),
    b: notice('b'),
    left: noticeLeft,
    outcomes: [[undefined, true, ['b', undefined]]],
  }),
});
