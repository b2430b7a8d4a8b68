// A notice: something that people are told once and that is no price alert. One to the operator
// concerns the deployment, one to a watcher concerns a watch. Says what happened; sends nothing.

export const noticeKinds = [
  'budget_share_reached',
  'usage_drift',
  'account_paused',
  'account_resumed',
  'marketplace_down',
  'marketplace_back',
  'bad_data',
  'feed_unwell',
  'feed_well_again',
  'event_not_found',
  'event_past',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A notice, to the operator or to the owner of one watch. Times are epoch milliseconds. */
export interface Notice {
  /** Follows from what happened, so that it is told once however often it is noticed. */
  noticeId: string;
  audience: 'operator' | 'watcher';
  kind: NoticeKind;
  title: string;
  /** Plain, without markup; names in it come from outside and must be escaped as such. */
  text: string;
  link?: string | undefined;
  /** Present on a watcher's notice only, like `watchId`. */
  ownerId?: string | undefined;
  watchId?: string | undefined;
  eventId?: number | undefined;
  createdAt: number;
  /** Absent until it is sent. */
  sentAt?: number | undefined;
  expiresAtEpochSeconds: number;
}

/** Longer than any cause lasts, so that an old cause is not told a second time. */
const keptSeconds = 400 * 86_400;

type NoticeText = Pick<Notice, 'kind' | 'title' | 'text'> & Partial<Pick<Notice, 'link'>>;

/** A notice to the operator; `cause` tells one happening from another of its kind. */
export function operatorNotice(text: NoticeText, cause: string, now: number): Notice {
  return {
    ...text,
    noticeId: `${text.kind}/${cause}`,
    audience: 'operator',
    createdAt: now,
    expiresAtEpochSeconds: Math.floor(now / 1_000) + keptSeconds,
  };
}

/** A notice to the owner of one watch. */
export function watcherNotice(
  text: NoticeText,
  about: { watchId: string; ownerId: string; eventId: number; cause: string },
  now: number,
): Notice {
  const { cause, ...watch } = about;
  return {
    ...text,
    ...watch,
    noticeId: `${text.kind}/${watch.watchId}/${cause}`,
    audience: 'watcher',
    createdAt: now,
    expiresAtEpochSeconds: Math.floor(now / 1_000) + keptSeconds,
  };
}
