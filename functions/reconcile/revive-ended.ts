// Polls an ended feed again when its event has a date that is to come, and tells its watchers.

import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { wellAgainText } from '#shared/polling/notice-texts.ts';
import type { TellWatchers } from '#shared/polling/tell-watchers.ts';
import { type EventFacts, isPast } from '#shared/watchlist/event-facts.ts';
import type { WatchedFeed } from './read-fleet.ts';

interface ReviveEndedDeps {
  feeds: Pick<FeedStore, 'revive'>;
  tellWatchers: TellWatchers;
}

/** @returns whether the feed is polled again; `now` is epoch milliseconds. */
export type ReviveEnded = (feed: WatchedFeed, facts: EventFacts, now: number) => Promise<boolean>;

/** The use case. If another run has revived the feed already, no notice is sent. */
export function createReviveEnded({ feeds, tellWatchers }: ReviveEndedDeps): ReviveEnded {
  return async function reviveEnded(feed, facts, now) {
    if (feed.status !== 'ended' || isPast(facts, now)) return false;
    if (!(await feeds.revive(feed, now))) return false;
    const textOf = (name: string) => wellAgainText(feed.kind, name);
    await tellWatchers(feed, { textOf, cause: `${feed.kind}/back/${now}`, now });
    return true;
  };
}
