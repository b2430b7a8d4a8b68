// Stores what a poll brought, settles what it cost, gives the feed back and passes the news on. Every
// step is harmless when done again.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import { decideReach } from '#shared/polling/arming.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import { decideNextPoll } from '#shared/polling/cadence.ts';
import { feedWeight } from '#shared/polling/dispatch-order.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import { naturalSpacing, spacingOf } from '#shared/polling/pacing.ts';
import { learnRefreshes, type Rhythm } from '#shared/polling/rhythm.ts';
import type { Snapshot } from '#shared/rules/reading.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { BudgetStore } from '#shared/store/budget.ts';
import type { FeedStore } from '#shared/store/feeds.ts';
import type { SnapshotStore } from '#shared/store/snapshots.ts';
import type { Fetched } from './fetch.ts';
import type { LookAhead, Outlook } from './look-ahead.ts';
import type { SettleCall } from './settle-call.ts';

export interface StoredNews {
  newSnapshots: number;
  /** When the market refreshed last, of what the answer told, epoch milliseconds. */
  newestAt?: number;
  nextPollAt: number;
  nextReason: string;
}

export interface AnsweredCall {
  claim: string;
  reservation: string;
  /** When it went out, epoch milliseconds. */
  at: number;
  state: MarketState;
}

export type StoreNews = (feed: Feed, fetched: Fetched, call: AnsweredCall) => Promise<StoredNews>;

interface StoreNewsDeps {
  feeds: Pick<FeedStore, 'finishPoll' | 'clearNudge' | 'hasten' | 'setReach'>;
  snapshots: Pick<SnapshotStore, 'createAll' | 'amend'>;
  budget: Pick<BudgetStore, 'read'>;
  settleCall: SettleCall;
  lookAhead: LookAhead;
  sendNudge: (message: EvaluateMessage) => Promise<void>;
  assumptions: BillingAssumptions;
}

/** The use case of one answer. */
export function createStoreNews(deps: StoreNewsDeps): StoreNews {
  return async function storeNews(feed, fetched, call) {
    const newSnapshots = await storeSnapshots(fetched, call.at);
    const newest = fetched.snapshots.at(-1);
    const outlook = await outlookAt(newest);
    const cost = await deps.settleCall(feed, {
      ...{ claim: call.claim, at: call.at, reservation: call.reservation },
      ...{ pulls: fetched.pulls, reason: fetched.reason, state: certaintyOf(feed) },
      ...(newest && { refreshAt: newest.observedAt }),
    });
    const rhythm = learnRefreshes(feed.rhythm, fetched.refreshes, {
      polledAt: call.at,
      complete: fetched.isComplete,
    });
    const lastPaidAt = fetched.pulls > 0 ? call.at : feed.lastPaidAt;
    const distance = outlook ? (outlook.distance ?? undefined) : feed.distance;
    const seen = { ...feed, rhythm, lastPaidAt, distance, failures: 0 };
    const next = await nextPoll(seen, call);
    const owesNudge = hasNews(feed, fetched);
    const finished = await deps.feeds.finishPoll(feed, call.claim, {
      ...cost,
      ...{ rhythm, lastPaidAt, distance, failures: 0 },
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
      lastPolledAt: call.at,
      lastSnapshotAt: newest?.observedAt,
      ...(owesNudge && { owesNudge }),
      settles: true,
    });
    if (owesNudge) await passOn(feed);
    if (finished && finished.watchersChangedAt > call.at) await deps.feeds.hasten(feed, call.at);
    if (outlook && newest?.feedKind === 'stats') await armListings(feed, outlook, newest, call.at);
    return {
      newSnapshots,
      ...(newest && { newestAt: newest.observedAt }),
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
    };
  };

  async function storeSnapshots({ snapshots }: Fetched, now: number): Promise<number> {
    const created = await deps.snapshots.createAll(snapshots, now);
    const [only] = snapshots;
    // The same refresh again, with a filter that is new: the stored snapshot learns it.
    if (created === 0 && only?.feedKind === 'listings') await deps.snapshots.amend(only);
    return created;
  }

  async function outlookAt(newest: Snapshot | undefined): Promise<Outlook | undefined> {
    return newest?.feedKind === 'stats' ? deps.lookAhead(newest.eventId, newest) : undefined;
  }

  async function nextPoll(feed: Feed & { rhythm: Rhythm }, { at, state }: AnsweredCall) {
    const stretchMs = (await deps.budget.read())?.stretchMs ?? 0;
    const freeWhenQuiet = isFreeWhenQuiet(state.plan, deps.assumptions);
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

  async function passOn({ eventId, kind }: Feed): Promise<void> {
    await deps.sendNudge({ eventId, kind });
    await deps.feeds.clearNudge({ eventId, kind });
  }

  /** The cheap call arms the dear one: listings are looked at now if anything may be within reach. */
  async function armListings(
    { eventId }: Feed,
    { reaches }: Outlook,
    snapshot: MarketSnapshot,
    now: number,
  ): Promise<void> {
    if (reaches.length === 0) return;
    const listings = { eventId, kind: 'listings' } as const;
    const isOutOfReach = decideReach(reaches, snapshot) === 'out_of_reach';
    await deps.feeds.setReach(listings, isOutOfReach);
    if (!isOutOfReach) await deps.feeds.hasten(listings, now);
  }
}

/**
 * Who paid for what this answer brought is uncertain when the call before was lost or failed: it may
 * have been that one. The marketplace's usage tells.
 */
function certaintyOf(feed: Feed): 'settled' | 'unsettled' {
  return feed.call || feed.failures > 0 ? 'unsettled' : 'settled';
}

/** Something that the evaluation has not been told of: snapshots, or watchers who ask for a first look. */
function hasNews(feed: Feed, { snapshots }: Fetched): boolean {
  const isAsked = feed.watchersChangedAt > (feed.lastPolledAt ?? 0);
  return snapshots.length > 0 || isAsked || feed.owesNudge === true;
}
