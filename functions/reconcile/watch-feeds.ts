// Checks every active feed: ends feeds of past events, and tells watchers when a feed becomes
// unhealthy and when it recovers.

import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { judgeFeed } from '#shared/polling/health.ts';
import { decideMarketAccess, type MarketState } from '#shared/polling/market-state.ts';
import { unwellText, wellAgainText } from '#shared/polling/notice-texts.ts';
import { restingLookMs, stillSells } from '#shared/polling/resting.ts';
import type { TellWatchers } from '#shared/polling/tell-watchers.ts';
import { type EventFacts, isPast, overAt } from '#shared/watchlist/event-facts.ts';
import type { AskFacts } from './ask-facts.ts';
import { alone } from './each-alone.ts';
import type { EndEpisodes } from './end-episodes.ts';
import { shardOfTurn } from './turns.ts';

export interface FeedWatch {
  ended: number;
  unwell: number;
  wellAgain: number;
}

interface WatchFeedsDeps {
  feeds: Pick<FeedStore, 'note' | 'retire'>;
  eventFacts: Pick<EventFactsStore, 'find'>;
  tellWatchers: TellWatchers;
  tellRecap: (facts: EventFacts, now: number) => Promise<void>;
  askFacts: AskFacts;
  endEpisodes: EndEpisodes;
}

/** Feeds processed together: as many facts as one request reads. */
const feedsAtOnce = 100;
/** How long an ended event's feed waits for fresh facts before it ends without them. */
const longestAskingMs = 24 * 3_600_000;

/** The use case. Watchers are told before the feed is changed; after a crash, the same notice is sent only once. */
export function createWatchFeeds(deps: WatchFeedsDeps) {
  return async function watchFeeds(
    active: readonly Feed[],
    state: MarketState,
    now: number,
  ): Promise<FeedWatch> {
    const done: FeedWatch = { ended: 0, unwell: 0, wellAgain: 0 };
    await inLots(active, feedsAtOnce, (feed) =>
      alone({ step: 'feeds', ids: { eventId: feed.eventId, kind: feed.kind } }, async () => {
        if (needsFacts(feed, now) && (await endIfPast(feed, now))) done.ended += 1;
        else await judge(feed, state, now, done);
      }),
    );
    return done;
  };

  /** Facts seldom change, so a feed's facts are read only in its shard's turn, and after the event has started. */
  function needsFacts({ eventId, eventStartsAt }: Feed, now: number): boolean {
    if (eventStartsAt !== undefined && now > eventStartsAt) return true;
    return shardOf(String(eventId)) === shardOfTurn(now);
  }

  async function endIfPast(feed: Feed, now: number): Promise<boolean> {
    const known = await deps.eventFacts.find(feed.eventId);
    if (!known) return false;
    const facts = isPast(known, now) ? await factsAfterEnd(known, now) : known;
    if (!facts) return false;
    if (isPast(facts, now)) {
      if (stillSells(feed, overAt(facts), now)) return false;
      await deps.tellRecap(facts, now);
      await deps.endEpisodes(feed, now);
      await deps.feeds.retire(feed, 'ended', now + restingLookMs);
      return true;
    }
    if (facts.startsAt !== undefined && facts.startsAt !== feed.eventStartsAt) {
      await deps.feeds.note(feed, { eventStartsAt: facts.startsAt });
    }
    return false;
  }

  /**
   * An event may have been postponed since its facts were read, so they are read again before it ends.
   * @returns undefined while the read must wait for its turn; after a day the old facts are used.
   */
  async function factsAfterEnd(known: EventFacts, now: number): Promise<EventFacts | undefined> {
    if (known.updatedAt >= overAt(known)) return known;
    const isUrgent = now - overAt(known) > longestAskingMs;
    try {
      return (await deps.askFacts(known, now)) ?? (isUrgent ? known : undefined);
    } catch (error) {
      // Without an answer, the feed ends a day later.
      if (isUrgent) return known;
      throw error;
    }
  }

  /** Only the operator is told of a market-wide outage, so single feeds are not judged during one. */
  async function judge(feed: Feed, state: MarketState, now: number, done: FeedWatch) {
    if (decideMarketAccess(state, feed.kind, now).kind !== 'open') return;
    const health = judgeFeed(feed, now);
    const { kind, unwellSince } = feed;
    if (health.kind === 'well') {
      if (unwellSince === undefined) return;
      const cause = `${kind}/${unwellSince}`;
      await deps.tellWatchers(feed, { textOf: (name) => wellAgainText(kind, name), cause, now });
      await deps.feeds.note(feed, { unwellSince: 'well' });
      done.wellAgain += 1;
      return;
    }
    if (unwellSince !== undefined) return;
    // The notice is named by the feed's last good poll, so that the same trouble always has the same name.
    const since = feed.lastPolledAt ?? feed.watchersChangedAt;
    const textOf = (name: string) => unwellText(kind, name, health);
    await deps.tellWatchers(feed, { textOf, cause: `${kind}/${since}`, now });
    await deps.feeds.note(feed, { unwellSince: since });
    done.unwell += 1;
  }
}
