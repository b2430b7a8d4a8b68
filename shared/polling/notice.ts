// A notice: something that people are told once and that is no price alert. One to the operator
// concerns the deployment, one to a watcher concerns a watch. Says what happened; sends nothing.
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';

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

/**
 * `noticeId` follows from what happened, so that it is told once however often it is noticed.
 * `watchId` and `ownerId` are there for a watcher's notice only. `text` is plain, without markup;
 * names in it come from outside and are to be escaped as such.
 */
export const noticeSchema = item({
  noticeId: string().key(),
  audience: string().enum('operator', 'watcher'),
  kind: string().enum(...noticeKinds),
  title: string(),
  text: string(),
  link: string().optional(),
  ownerId: string().optional(),
  watchId: string().optional(),
  eventId: number().optional(),
  createdAt: number(),
  sentAt: number().optional(),
  expiresAtEpochSeconds: number(),
});

export type Notice = FormattedValue<typeof noticeSchema>;

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
