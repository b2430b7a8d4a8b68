// Stores the result of a poll, records its cost, releases the feed and nudges the evaluation. Every
// step is safe to repeat.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import { decideNextPoll } from '#shared/polling/cadence.ts';
import { feedWeight } from '#shared/polling/dispatch-order.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { lookOf } from '#shared/polling/look.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import { naturalSpacing, spacingOf } from '#shared/polling/pacing.ts';
import { recentAfter } from '#shared/polling/recent-prices.ts';
import { isRestOver, restingLookMs } from '#shared/polling/resting.ts';
import type { Rhythm } from '#shared/polling/rhythm.ts';
import { faultsAfter, hasNews, lastLiveAt, rhythmAfter } from './after-answer.ts';
import { armFeeds, outlookAt } from './arm-feeds.ts';
import type { Fetched } from './fetch.ts';
import type { LookAhead } from './look-ahead.ts';
import type { RecordCallCost } from './record-call-cost.ts';
import type { StoredSnapshots, StoreSnapshots } from './store-snapshots.ts';

export interface StoredNews {
  newSnapshots: number;
  /** Kinds of faulty data in this answer. */
  setAside: number;
  /** The last market refresh in the answer, epoch milliseconds. */
  newestAt?: number;
  nextPollAt: number;
  nextReason: string;
}

export interface AnsweredCall {
  claim: string;
  reservation: string;
  /** When it was sent, epoch milliseconds. */
  at: number;
  state: MarketState;
}

export type NewsResult =
  | ({ outcome: 'stored' } & StoredNews)
  /** Storing failed for now; the feed has backed off, and the cost is counted. */
  | { outcome: 'storing_failed'; error: unknown };

export type StoreNews = (feed: Feed, fetched: Fetched, call: AnsweredCall) => Promise<NewsResult>;

interface StoreNewsDeps {
  feeds: Pick<FeedStore, 'finishPoll' | 'clearNudge' | 'pollSooner' | 'setReach'>;
  storeSnapshots: StoreSnapshots;
  noteLate: (feed: Feed, observedAt: number) => Promise<void>;
  /** Tells the watchers of a resting feed that it is polled again. */
  tellBack: (feed: Feed, now: number) => Promise<void>;
  budget: Pick<BudgetStore, 'read'>;
  recordCallCost: RecordCallCost;
  lookAhead: LookAhead;
  sendNudge: (message: EvaluateMessage) => Promise<void>;
  assumptions: BillingAssumptions;
}

/** The use case of one answer. */
export function createStoreNews(deps: StoreNewsDeps): StoreNews {
  return async function storeNews(feed, fetched, call) {
    const newest = fetched.snapshots.at(-1);
    let stored: StoredSnapshots;
    let outlook: Awaited<ReturnType<typeof outlookAt>>;
    try {
      stored = await deps.storeSnapshots(fetched, lookOf(feed, call.at));
      for (const at of stored.lateAt) await deps.noteLate(feed, at);
      outlook = await outlookAt(deps.lookAhead, newest);
    } catch (error) {
      return fail(feed, fetched, { call, error });
    }
    const cost = await recordCost(feed, fetched, call);
    const rhythm = rhythmAfter(feed, fetched, { lateAt: stored.lateAt, polledAt: call.at });
    const lastPaidAt = fetched.pulls > 0 ? call.at : feed.lastPaidAt;
    const distance = outlook ? (outlook.distance ?? undefined) : feed.distance;
    const seen = { ...feed, rhythm, lastPaidAt, distance, failures: 0 };
    const live = lastLiveAt(fetched.snapshots);
    const isBack = isRestOver(feed.status, live, call.at);
    const isResting = feed.status !== 'active' && !isBack;
    const next = isResting ? restOn(call.at) : await nextPoll(deps, seen, call);
    const owesNudge = hasNews(feed, fetched) || stored.lateAt.length > 0;
    const faults = { ...fetched.faults, ...stored.faults };
    const finished = await deps.feeds.finishPoll(feed, call.claim, {
      ...cost,
      ...fetched.memory,
      ...{ rhythm, lastPaidAt, distance, failures: 0, missing: 'found' },
      setAside: faultsAfter(feed.setAside, faults, { hasNews: stored.created > 0, now: call.at }),
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
      lastPolledAt: call.at,
      lastSnapshotAt: newest?.observedAt ?? feed.lastSnapshotAt,
      lastLiveAt: live,
      recent: recentAfter(feed.recent, fetched.snapshots),
      ...(isBack && { status: 'active' }),
      ...(owesNudge && { owesNudge }),
      settles: true,
    });
    if (isBack) await deps.tellBack(feed, call.at);
    if (owesNudge) await passOn(feed);
    if (finished && finished.watchersChangedAt > call.at)
      await deps.feeds.pollSooner(feed, call.at);
    if (outlook) await armFeeds(deps.feeds, outlook, call.at);
    return {
      outcome: 'stored',
      newSnapshots: stored.created,
      setAside: Object.keys(faults).length,
      ...(newest && { newestAt: newest.observedAt }),
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
    };
  };

  function recordCost(feed: Feed, fetched: Fetched, { claim, at, reservation }: AnsweredCall) {
    const newest = fetched.snapshots.at(-1);
    return deps.recordCallCost(feed, {
      ...{ claim, at, reservation, pulls: fetched.pulls, reason: fetched.reason },
      state: fetched.isUncertain ? 'unsettled' : certaintyOf(feed),
      ...(newest && { refreshAt: newest.observedAt }),
    });
  }

  /**
   * A storage failure counts as a failure of the feed, like a failed call. The cost counts, and the feed
   * remembers the data it paid for, because repeating the call is free.
   */
  async function fail(
    feed: Feed,
    fetched: Fetched,
    { call, error }: { call: AnsweredCall; error: unknown },
  ): Promise<NewsResult> {
    const { claim, at } = call;
    const failures = feed.failures + 1;
    const cost = await recordCost(feed, fetched, call);
    const next = decideNextPoll({
      ...{ now: at, wishedMs: feed.latencySeconds * 1_000, rhythm: feed.rhythm, failures },
      ...{ spacingMs: 0, freeWhenQuiet: true },
    });
    const faults = { storing: 'The market’s data could not be stored; the feed is retried.' };
    await deps.feeds.finishPoll(feed, claim, {
      ...cost,
      ...{ failures, nextPollAt: next.nextPollAt, nextReason: next.reason, settles: true },
      paidThrough: fetched.memory?.paidThrough,
      lastPaidAt: fetched.pulls > 0 ? at : feed.lastPaidAt,
      setAside: faultsAfter(feed.setAside, faults, { hasNews: false, now: at }),
    });
    return { outcome: 'storing_failed', error };
  }

  async function passOn({ eventId, kind }: Feed): Promise<void> {
    await deps.sendNudge({ eventId, kind });
    await deps.feeds.clearNudge({ eventId, kind });
  }
}

/**
 * If the previous call was lost or failed, it may already have been charged for this data, so the cost is
 * unsettled until the marketplace's usage shows it.
 */
function certaintyOf(feed: Feed): 'settled' | 'unsettled' {
  return feed.call || feed.failures > 0 ? 'unsettled' : 'settled';
}

async function nextPoll(
  { budget, assumptions }: Pick<StoreNewsDeps, 'budget' | 'assumptions'>,
  feed: Feed & { rhythm: Rhythm },
  { at, state }: AnsweredCall,
) {
  const stretchMs = (await budget.read())?.stretchMs ?? 0;
  const freeWhenQuiet = isFreeWhenQuiet(state.plan, assumptions);
  const wishedMs = feed.latencySeconds * 1_000;
  const demand = {
    naturalMs: naturalSpacing(feed.rhythm, wishedMs, freeWhenQuiet),
    weight: feedWeight(feed, at),
  };
  return decideNextPoll({
    now: at,
    wishedMs,
    rhythm: feed.rhythm,
    failures: 0,
    lastPaidAt: feed.lastPaidAt,
    spacingMs: spacingOf(demand, stretchMs),
    freeWhenQuiet,
    isOutOfReach: feed.isOutOfReach,
  });
}

/** An ended event without new data is looked at again a day later. */
function restOn(now: number) {
  return { nextPollAt: now + restingLookMs, reason: 'over' };
}
