// Poll: fetches a feed's new data, stores it, records the cost, and releases the feed.
// A claim makes at most one call; a call whose answer was lost is recorded before the next call.

import { type FeedStore, isCallUnderWay } from '#shared/dynamo/feeds.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import type { Feed, PollMessage } from '#shared/polling/feed.ts';
import { feedKindRows } from '#shared/polling/feed-kinds.ts';
import {
  countAnswer,
  decideMarketAccess,
  type MarketState,
  noteOffset,
} from '#shared/polling/market-state.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { marketplaceBackText, resumedText } from '#shared/polling/notice-texts.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { timing } from '#shared/timing.ts';
import type { Fetched, FetchFeeds } from './fetch.ts';
import type { HealFeed } from './heal-feed.ts';
import type { RecordCallCost } from './record-call-cost.ts';
import type { FailedCall, FailureResult } from './record-failure.ts';
import type { StoredNews, StoreNews } from './store-news.ts';

export type PollResult =
  | ({ outcome: 'polled'; pulls: number } & StoredNews)
  /** The message is obsolete: the feed was claimed again, is being called, or has ended. */
  | { outcome: 'stale_claim' }
  /** The marketplace takes no calls now; the feed is released. */
  | { outcome: 'held'; reason: string }
  | FailureResult;

export interface PollClock {
  now: () => number;
  remainingMs: () => number;
}

interface PollDeps {
  feeds: Pick<FeedStore, 'find' | 'beginCall' | 'finishPoll'>;
  marketState: Pick<MarketStateStore, 'read' | 'change'>;
  fetch: FetchFeeds;
  healFeed: HealFeed;
  recordCallCost: RecordCallCost;
  storeNews: StoreNews;
  recordFailure: (call: FailedCall) => Promise<FailureResult>;
  notify: Notify;
}

/** The poll use case. */
export function createPoll(deps: PollDeps) {
  return async function poll(message: PollMessage, clock: PollClock): Promise<PollResult> {
    const { claim, reservation } = message;
    const now = clock.now();
    const feed = await deps.feeds.find(message.eventId, message.kind);
    if (!feed || !isHeld(feed, claim, now)) return { outcome: 'stale_claim' };
    const state = await deps.marketState.read();
    const closed = whyClosed(state, message, now);
    if (closed) return hold(feed, claim, closed);
    if (feed.call) {
      if (isCallUnderWay(feed, now)) {
        return hold(feed, claim, { reason: 'call_under_way', until: feed.call.at + timing.callMs });
      }
      await noteLostCall(feed, feed.call, now);
    }
    if (!(await deps.feeds.beginCall(feed, claim, now))) return { outcome: 'stale_claim' };
    const healed = await deps.healFeed(feed, now);
    let fetched: Fetched;
    try {
      const budgetMs = clock.remainingMs() - timing.storingMs;
      const terms = { budgetMs, plan: state.plan, clock: state.clock };
      fetched = await deps.fetch[feed.kind](healed, terms);
    } catch (error) {
      const failed = { feed, claim, reservation, at: now, now: clock.now(), error };
      return deps.recordFailure(failed);
    }
    await noteAnswer(state, now);
    await noteClock(state, fetched.measuredMs);
    const { heldByBudget: isHeldByBudget } = message;
    const call = { claim, reservation, at: now, state, isHeldByBudget };
    const stored = await deps.storeNews(healed, fetched, call);
    if (stored.outcome === 'storing_failed') {
      return { outcome: 'failed', failure: { kind: 'ours' }, error: stored.error };
    }
    return { ...stored, outcome: 'polled', pulls: fetched.pulls };
  };

  /** Writes only when the service's clock is first measured, or has moved. */
  async function noteClock(state: MarketState, measuredMs: number | undefined): Promise<void> {
    if (noteOffset(state, measuredMs) === state) return;
    await deps.marketState.change((current) => noteOffset(current, measuredMs));
  }

  async function hold(
    feed: Feed,
    claim: string,
    { reason, until }: { reason: string; until: number },
  ): Promise<PollResult> {
    await deps.feeds.finishPoll(feed, claim, {
      nextPollAt: until,
      nextReason: reason,
      failures: feed.failures,
      micropulls: 0,
      settles: false,
    });
    return { outcome: 'held', reason };
  }

  /** A worker died during its call. The call may have been charged, so it counts as charged. */
  async function noteLostCall(
    feed: Feed,
    { claim, at }: NonNullable<Feed['call']>,
    recordedAt: number,
  ): Promise<void> {
    await deps.recordCallCost(feed, {
      ...{ claim, at, recordedAt },
      pulls: 1,
      reason: 'worker_lost',
      state: 'unsettled',
    });
  }

  /** Calls work again, so everyone who was told of the pause or the outage is told that it is over. */
  async function noteAnswer(state: MarketState, now: number): Promise<void> {
    if (state.faults === 0 && !state.pause) return;
    const { before } = await deps.marketState.change(countAnswer);
    if (before.pause) {
      const { reason, since } = before.pause;
      await deps.notify(operatorNotice(resumedText(reason), `${reason}/${since}`, now));
    }
    if (before.openedAt !== undefined) {
      await deps.notify(operatorNotice(marketplaceBackText, String(before.openedAt), now));
    }
  }
}

/** The feed still has this claim, its call has not been made, and there is time for it before the lease ends. */
function isHeld(feed: Feed, claim: string, now: number): boolean {
  return (
    feed.status !== 'idle' &&
    feed.claim === claim &&
    feed.call?.claim !== claim &&
    now + timing.callMs <= (feed.nextPollAt ?? 0)
  );
}

/** If the marketplace is known to be closed, an earlier message makes no call only to find that out again. */
function whyClosed(state: MarketState, { kind, trial }: PollMessage, now: number) {
  const gate = decideMarketAccess(state, kind, now);
  if (gate.kind !== 'closed') return undefined;
  if (trial && gate.reason !== 'rate_limited') return undefined;
  const until =
    gate.reason === 'rate_limited'
      ? (state.notBefore[feedKindRows[kind].bucket] ?? now)
      : gate.until;
  return { reason: gate.reason, until };
}
