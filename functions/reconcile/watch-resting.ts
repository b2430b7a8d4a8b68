// Checks resting feeds: polls an event with a new date again, and retires a feed that no watch
// wants any more.

import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import type { SubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { type EventFacts, isPast } from '#shared/watchlist/event-facts.ts';
import type { AskFacts } from './ask-facts.ts';
import type { ReviveEnded } from './revive-ended.ts';
import { shardOfTurn } from './turns.ts';

interface WatchRestingDeps {
  feeds: Pick<FeedStore, 'retire'>;
  subscriptions: Pick<SubscriptionStore, 'of'>;
  eventFacts: Pick<EventFactsStore, 'find'>;
  reviveEnded: ReviveEnded;
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
      if ((await deps.subscriptions.of(feed)).length === 0) {
        await deps.feeds.retire(feed, 'idle');
        done.dropped += 1;
      } else if (feed.status === 'ended') {
        const facts = await factsOf(feed.eventId, now);
        if (facts && (await deps.reviveEnded(feed, facts, now))) done.revived += 1;
      }
    }
    return done;
  };

  async function factsOf(eventId: number, now: number): Promise<EventFacts | undefined> {
    const known = await deps.eventFacts.find(eventId);
    const isOld = known && isPast(known, now) && now - known.updatedAt > factsFreshMs;
    return isOld ? ((await deps.askFacts(known, now)) ?? known) : known;
  }
}
