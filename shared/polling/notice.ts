// A notice: a message that is not a price alert and is sent once. The operator gets notices about the
// deployment, an owner gets notices about a watch. Has the data; sends nothing.

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
  'recap',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A notice, to the operator or to the owner of one watch. Times are epoch milliseconds. */
export interface Notice {
  /** Derived from the cause, so that the notice is sent once however often the cause is found. */
  noticeId: string;
  audience: 'operator' | 'watcher';
  kind: NoticeKind;
  title: string;
  /** Plain text without markup, a line for each paragraph. Names in it come from outside, so renderers must escape it. */
  text: string;
  link?: string | undefined;
  /** Present only on a watcher's notice. */
  ownerId?: string | undefined;
  /** Absent on a recap, which is about all watches of an owner on an event. */
  watchId?: string | undefined;
  eventId?: number | undefined;
  createdAt: number;
  /** Absent until it is sent. */
  sentAt?: number | undefined;
  expiresAtEpochSeconds: number;
}

/** Longer than any cause lasts, so that an old cause does not send a second notice. */
const keptSeconds = 400 * 86_400;

type NoticeText = Pick<Notice, 'kind' | 'title' | 'text'> & Partial<Pick<Notice, 'link'>>;

/** A notice to the operator; `cause` distinguishes notices of one kind. */
export function operatorNotice(text: NoticeText, cause: string, now: number): Notice {
  return {
    ...text,
    noticeId: `${text.kind}/${cause}`,
    audience: 'operator',
    createdAt: now,
    expiresAtEpochSeconds: Math.floor(now / 1_000) + keptSeconds,
  };
}

/** The recap of an event for one owner. */
export function recapNotice(
  { title, paragraphs }: { title: string; paragraphs: readonly string[] },
  { ownerId, eventId, cause }: { ownerId: string; eventId: number; cause: string },
  now: number,
): Notice {
  return {
    ...{ kind: 'recap', title, text: paragraphs.join('\n'), ownerId, eventId },
    noticeId: `recap/${ownerId}/${eventId}/${cause}`,
    audience: 'watcher',
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
