// Looks after every active feed: ends those of past events, tells watchers of feeds that are not well
// and of those that are well again.

import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { judgeFeed } from '#shared/polling/health.ts';
import { decideGate, type MarketState } from '#shared/polling/market-state.ts';
import { eventPastText, unwellText, wellAgainText } from '#shared/polling/notice-texts.ts';
import { restingLookMs, stillSells } from '#shared/polling/resting.ts';
import type { TellWatchers } from '#shared/polling/tell-watchers.ts';
import { type EventFacts, isPast, overAt } from '#shared/watchlist/event-facts.ts';
import type { AskFacts } from './ask-facts.ts';
import { alone } from './each-alone.ts';
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
  askFacts: AskFacts;
}

/** Feeds looked at together: as many facts as one request reads. */
const feedsAtOnce = 100;
/** How long a feed waits for its event's facts to be asked again before it ends without. */
const longestAskingMs = 24 * 3_600_000;

/** The use case. People are told first and the feed is changed after: a crash tells nobody twice. */
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

  /** Facts change seldom: a feed's are read when its shard has its turn, and once it has begun. */
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
      const cause = facts.date === undefined ? 'past' : `past/${facts.date}`;
      await deps.tellWatchers(feed, { textOf: eventPastText, cause, now });
      await deps.feeds.retire(feed, 'ended', now + restingLookMs);
      return true;
    }
    if (facts.startsAt !== undefined && facts.startsAt !== feed.eventStartsAt) {
      await deps.feeds.note(feed, { eventStartsAt: facts.startsAt });
    }
    return false;
  }

  /**
   * An event may have been put off since its facts were read: they are read again before it ends.
   * @returns undefined while that has to wait for its turn; a day later it ends without.
   */
  async function factsAfterEnd(known: EventFacts, now: number): Promise<EventFacts | undefined> {
    if (known.updatedAt >= overAt(known)) return known;
    const isUrgent = now - overAt(known) > longestAskingMs;
    try {
      return (await deps.askFacts(known, now)) ?? (isUrgent ? known : undefined);
    } catch (error) {
      // Without an answer it ends all the same, a day later.
      if (isUrgent) return known;
      throw error;
    }
  }

  /** A market-wide trouble is the operator's to hear of: nobody's single feed is judged meanwhile. */
  async function judge(feed: Feed, state: MarketState, now: number, done: FeedWatch) {
    if (decideGate(state, feed.kind, now).kind !== 'open') return;
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
    // Named by what was last well, so that a second look at the same trouble has the same name.
    const since = feed.lastPolledAt ?? feed.watchersChangedAt;
    const textOf = (name: string) => unwellText(kind, name, health);
    await deps.tellWatchers(feed, { textOf, cause: `${kind}/${since}`, now });
    await deps.feeds.note(feed, { unwellSince: since });
    done.unwell += 1;
  }
}
