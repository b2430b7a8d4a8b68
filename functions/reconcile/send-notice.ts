// Hands a stored notice to the delivery machinery, as a message to its owner or to the operator.
import type { TellOwner } from '#shared/delivery/tell-owner.ts';
import type { NoticeStore } from '#shared/dynamo/notices.ts';
import type { Notice } from '#shared/polling/notice.ts';
import { operatorId } from './operator-channels.ts';

interface SendNoticeDeps {
  notices: Pick<NoticeStore, 'find' | 'markSent'>;
  tellOwner: TellOwner;
  now: () => number;
  /** Told of each notice; `channels` is 0 where nobody could be told. */
  onSent: (notice: Notice, channels: number) => void;
}

/**
 * The use case. The delivery is named by the notice, so that handing it over twice sends it once; from
 * then on it is the delivery's business to arrive.
 */
export function createSendNotice({ notices, tellOwner, now, onSent }: SendNoticeDeps) {
  return async function sendNotice(noticeId: string): Promise<void> {
    const notice = await notices.find(noticeId);
    if (!notice || notice.sentAt !== undefined) return;
    const { title, text, link, ownerId = operatorId } = notice;
    const channels = await tellOwner({
      ownerId,
      subject: `notice/${noticeId}`,
      notice: { headline: title, paragraphs: link === undefined ? [text] : [text, link] },
      now: now(),
    });
    await notices.markSent(noticeId, now());
    onSent(notice, channels);
  };
}
