// Checks resting feeds: polls an event with a new date again, and retires a feed that no watch
// wants any more.

import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import type { WishStore } from '#shared/dynamo/wishes.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { wellAgainText } from '#shared/polling/notice-texts.ts';
import type { TellWatchers } from '#shared/polling/tell-watchers.ts';
import { isPast } from '#shared/watchlist/event-facts.ts';
import type { AskFacts } from './ask-facts.ts';
import { shardOfTurn } from './turns.ts';

interface WatchRestingDeps {
  feeds: Pick<FeedStore, 'revive' | 'retire'>;
  wishes: Pick<WishStore, 'of'>;
  eventFacts: Pick<EventFactsStore, 'find'>;
  tellWatchers: TellWatchers;
  askFacts: AskFacts;
}

/** Older facts are requested again. */
const factsFreshMs = 24 * 3_600_000;

/** The use case; each shard has its turn. @returns how many feeds are polled again, and how many were retired. */
export function createWatchResting(deps: WatchRestingDeps) {
  return async function watchResting(resting: readonly Feed[], now: number) {
    const done = { revived: 0, dropped: 0 };
    for (const feed of resting) {
      if (shardOf(String(feed.eventId)) !== shardOfTurn(now)) continue;
      if ((await deps.wishes.of(feed)).length === 0) {
        await deps.feeds.retire(feed, 'idle');
        done.dropped += 1;
      } else if (feed.status === 'ended' && (await isToCome(feed.eventId, now))) {
        if (await deps.feeds.revive(feed, now)) done.revived += 1;
        const textOf = (name: string) => wellAgainText(feed.kind, name);
        await deps.tellWatchers(feed, { textOf, cause: `${feed.kind}/back/${now}`, now });
      }
    }
    return done;
  };

  async function isToCome(eventId: number, now: number): Promise<boolean> {
    const known = await deps.eventFacts.find(eventId);
    if (!known) return false;
    const isOld = isPast(known, now) && now - known.updatedAt > factsFreshMs;
    const facts = isOld ? ((await deps.askFacts(known, now)) ?? known) : known;
    return !isPast(facts, now);
  }
}
