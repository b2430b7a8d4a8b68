// Tells everybody who wants a feed, once per watch and cause, that something became of it. The watches
// themselves stay as they are.
import type { Feed } from './feed.ts';
import { type Notice, watcherNotice } from './notice.ts';
import type { Notify } from './notify.ts';
import type { Wish } from './wish.ts';

type FeedKey = Pick<Feed, 'eventId' | 'kind'>;
type NoticeText = Pick<Notice, 'kind' | 'title' | 'text'>;

/** @returns how many watches were told that had not been before. */
export type TellWatchers = (
  feed: FeedKey,
  news: { textOf: (eventName: string) => NoticeText; cause: string; now: number },
) => Promise<number>;

interface TellWatchersDeps {
  wishesOf: (feed: FeedKey) => Promise<readonly Pick<Wish, 'watchId' | 'ownerId'>[]>;
  findEventName: (eventId: number) => Promise<string | undefined>;
  notify: Notify;
}

/** `cause` tells one happening from another, so that a watch with two feeds may be told once. */
export function createTellWatchers(deps: TellWatchersDeps): TellWatchers {
  return async function tellWatchers(feed, { textOf, cause, now }) {
    const { eventId } = feed;
    const text = textOf((await deps.findEventName(eventId)) ?? `event ${eventId}`);
    let told = 0;
    for (const { watchId, ownerId } of await deps.wishesOf(feed)) {
      const isNews = await deps.notify(
        watcherNotice(text, { watchId, ownerId, eventId, cause }, now),
      );
      if (isNews) told += 1;
    }
    return told;
  };
}
