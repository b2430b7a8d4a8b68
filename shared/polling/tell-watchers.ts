// Sends a notice about a feed to the owner of each subscribed watch, once per watch and cause. Does not
// change the watches.
import type { Feed } from './feed.ts';
import { type Notice, watcherNotice } from './notice.ts';
import type { Notify } from './notify.ts';
import type { Subscription } from './subscription.ts';

type FeedKey = Pick<Feed, 'eventId' | 'kind'>;
type NoticeText = Pick<Notice, 'kind' | 'title' | 'text'>;

/** @returns how many new notices there are. */
export type TellWatchers = (
  feed: FeedKey,
  news: { textOf: (eventName: string) => NoticeText; cause: string; now: number },
) => Promise<number>;

interface TellWatchersDeps {
  subscriptionsOf: (feed: FeedKey) => Promise<readonly Pick<Subscription, 'watchId' | 'ownerId'>[]>;
  findEventName: (eventId: number) => Promise<string | undefined>;
  notify: Notify;
}

/** `cause` identifies the occurrence, so that a watch with two feeds may get one notice. */
export function createTellWatchers(deps: TellWatchersDeps): TellWatchers {
  return async function tellWatchers(feed, { textOf, cause, now }) {
    const { eventId } = feed;
    const text = textOf((await deps.findEventName(eventId)) ?? `event ${eventId}`);
    let told = 0;
    for (const { watchId, ownerId } of await deps.subscriptionsOf(feed)) {
      const isNews = await deps.notify(
        watcherNotice(text, { watchId, ownerId, eventId, cause }, now),
      );
      if (isNews) told += 1;
    }
    return told;
  };
}
