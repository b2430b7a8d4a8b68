// Turns a stored notice into deliveries to its owner or to the operator.
import type { TellOwner } from '#shared/delivery/tell-owner.ts';
import type { NoticeStore } from '#shared/dynamo/notices.ts';
import type { Notice } from '#shared/polling/notice.ts';
import { operatorId } from './operator-channels.ts';

interface SendNoticeDeps {
  notices: Pick<NoticeStore, 'find' | 'markSent'>;
  tellOwner: TellOwner;
  now: () => number;
  /** Called for each notice; `channels` is 0 if there was no channel to send it to. */
  onSent: (notice: Notice, channels: number) => void;
}

/**
 * The use case. The delivery's id is derived from the notice, so that a repeat sends it only once;
 * after that, delivery is responsible for it.
 */
export function createSendNotice({ notices, tellOwner, now, onSent }: SendNoticeDeps) {
  return async function sendNotice(noticeId: string): Promise<void> {
    const notice = await notices.find(noticeId);
    if (!notice || notice.sentAt !== undefined) return;
    const { title, text, link, ownerId = operatorId } = notice;
    const channels = await tellOwner({
      ownerId,
      subject: `notice/${noticeId}`,
      notice: {
        headline: title,
        paragraphs: [...text.split('\n'), ...(link === undefined ? [] : [link])],
      },
      now: now(),
    });
    await notices.markSent(noticeId, now());
    onSent(notice, channels);
  };
}
