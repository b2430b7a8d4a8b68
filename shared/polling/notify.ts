// Sends a notice once: stores it, then passes it to its sender. After a crash in between, reconcile passes
// the unsent notice on.
import type { Notice } from './notice.ts';

/** @returns whether the notice is new. */
export type Notify = (notice: Notice) => Promise<boolean>;

interface NotifyDeps {
  createNotice: (notice: Notice) => Promise<boolean>;
  /** Passes a stored notice to its sender; a second call must be harmless. */
  sendNotice: (noticeId: string) => Promise<void>;
}

/** The use case for all notices; the notice's audience decides who gets it. */
export function createNotify({ createNotice, sendNotice }: NotifyDeps): Notify {
  return async function notify(notice) {
    const isNews = await createNotice(notice);
    if (isNews) await sendNotice(notice.noticeId);
    return isNews;
  };
}
