// A notice may have more sentences than a chat shows: a recap tells of each rule. Every receiver takes it.
import { expect, it } from 'vitest';
import { httpFormOf } from '#shared/delivery/channels/channels.ts';
import { noticeMessage } from '#shared/delivery/message/message-kinds.ts';
import { firedAt, stopUrl } from '#test/support/alerts.ts';
import { receiverKinds } from '#test/support/receivers/hostile-messages.ts';
import { receiverPlaces } from '#test/support/receivers/places.ts';

const notices = [
  ['sixteen sentences', 16, 'Get-in of Lower Bowl at or below $80: 1 alert, the first at $74. '],
  ['a hundred sentences', 100, 'No alert. '],
  ['a hundred sentences of marks', 100, '*_~`|<>&"'],
] as const;

it.each(receiverKinds.flatMap((kind) => notices.map((notice) => [kind, ...notice] as const)))(
  '%s takes %s, long ones',
  (kind, _what, count, words) => {
    const paragraphs = Array.from({ length: count }, (_, at) => `${at} ${words.repeat(15)}`);
    const message = noticeMessage({ headline: words.repeat(10), paragraphs }, stopUrl);
    const outgoing = { deliveryId: 'dlv_1', dueAt: firedAt, message, told: [], heldFor: undefined };
    for (const isPlainer of [false, true]) {
      const { receiver, target } = receiverPlaces[kind]();
      const form = httpFormOf(target);
      const request = form.request(outgoing, target, firedAt);
      const plainer = isPlainer ? form.plainerBody?.(message, target) : undefined;
      const answer = receiver.answer({ ...request, ...(plainer && { body: plainer }) }, firedAt);
      expect(form.judge(answer, firedAt).kind, answer.excerpt).toBe('sent');
      expect(receiver.messages).toHaveLength(1);
    }
  },
);
