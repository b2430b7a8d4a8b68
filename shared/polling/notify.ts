// Telling people something once: writes the notice, then hands it to whoever sends it. A crash in
// between leaves it unsent, and reconcile hands it over again.
import type { Notice } from './notice.ts';

/** @returns whether this was news. */
export type Notify = (notice: Notice) => Promise<boolean>;

interface NotifyDeps {
  createNotice: (notice: Notice) => Promise<boolean>;
  /** Hands a stored notice to its sender; doing it twice must be harmless. */
  sendNotice: (noticeId: string) => Promise<void>;
}

/** The use case for operators' and watchers' notices alike; who hears of it is the notice's audience. */
export function createNotify({ createNotice, sendNotice }: NotifyDeps): Notify {
  return async function notify(notice) {
    const isNews = await createNotice(notice);
    if (isNews) await sendNotice(notice.noticeId);
    return isNews;
  };
}
