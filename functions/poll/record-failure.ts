// Effects of a failed call on its own feed: when it is polled again, and what the call may have cost.
// market-failure.ts has the effects on all feeds.

import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import { decideNextPoll } from '#shared/polling/cadence.ts';
import { decideFailure, type Failure, possiblePulls } from '#shared/polling/failure.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKindRows } from '#shared/polling/feed-kinds.ts';
import { holdBucket } from '#shared/polling/market-state.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { restingLookMs, waitWhileMissing } from '#shared/polling/resting.ts';
import { FetchFailedError } from './fetch.ts';
import { createMarketFailure } from './market-failure.ts';
import type { RecordCallCost } from './record-call-cost.ts';

/** A call that failed. */
export interface FailedCall {
  feed: Feed;
  claim: string;
  reservation: string;
  /** When it was sent, and when it failed, epoch milliseconds. */
  at: number;
  now: number;
  error: unknown;
}

export type FailureResult =
  | { outcome: 'not_found' }
  | { outcome: 'failed'; failure: Failure; error: unknown };

interface RecordFailureDeps {
  feeds: Pick<FeedStore, 'finishPoll' | 'retire'>;
  marketState: Pick<MarketStateStore, 'change'>;
  recordCallCost: RecordCallCost;
  notify: Notify;
  tellEventGone: (feed: Feed, now: number) => Promise<void>;
  /** From 0 to below 1. */
  random: () => number;
}

/** Time between a refusal and the feed's next turn; until then the breaker allows one trial call. */
const refusedWaitMs = 60_000;
/** Feeds refused by the rate limit return spread over at least two dispatch runs. */
const leastSpreadMs = 120_000;

/** The use case of one failure. */
export function createRecordFailure(deps: RecordFailureDeps) {
  const market = createMarketFailure(deps);

  return async function recordFailure(call: FailedCall): Promise<FailureResult> {
    const failure = decideFailure(causeOf(call.error));
    switch (failure.kind) {
      case 'wait':
        return waitForBucket(call, failure);
      case 'gone':
        return lookAgain(call);
      case 'pause':
        await market.pause(call, failure);
        return giveBack(call, failure, refusedWaitMs);
      case 'fault':
        await market.countMarketFault(call);
        return backOff(call, failure);
      case 'bad_data':
        await market.tellBadData(call, failure);
        return backOff(call, failure);
      case 'ours':
        return backOff(call, failure);
    }
  };

  /**
   * A single "event not found" answer may be wrong, so a known event's feed ends only after a day of them, and
   * is then looked at rarely. Such answers are free. An event that was never known ends at once.
   */
  async function lookAgain(call: FailedCall): Promise<FailureResult> {
    const { feed, claim, now } = call;
    const shared = await recordCost(call);
    const missing = { since: feed.missing?.since ?? now, looks: (feed.missing?.looks ?? 0) + 1 };
    const wasKnown = feed.status === 'active' && feed.lastPolledAt !== undefined;
    const waitMs = wasKnown ? waitWhileMissing(missing.looks) : undefined;
    if (waitMs === undefined) {
      if (feed.status === 'active') await deps.tellEventGone(feed, now);
      await deps.feeds.retire(feed, 'not_found', now + restingLookMs);
      return { outcome: 'not_found' };
    }
    await deps.feeds.finishPoll(feed, claim, {
      ...{ ...shared, nextPollAt: now + waitMs, nextReason: 'not_found', missing },
      ...{ failures: feed.failures, settles: true },
    });
    return { outcome: 'not_found' };
  }

  /**
   * Slows all workers. The feed is released and polled later: a message that stayed in the queue
   * would be redelivered until it ends in the DLQ.
   */
  async function waitForBucket(
    call: FailedCall,
    failure: Extract<Failure, { kind: 'wait' }>,
  ): Promise<FailureResult> {
    const { feed, now } = call;
    const until = now + failure.waitMs;
    await deps.marketState.change((state) =>
      holdBucket(state, feedKindRows[feed.kind].bucket, until),
    );
    return giveBack(call, failure, failure.waitMs + spreadOver(failure.waitMs, deps.random()));
  }

  async function backOff(call: FailedCall, failure: Failure): Promise<FailureResult> {
    const { feed, claim, now, error } = call;
    const failures = feed.failures + 1;
    const shared = await recordCost(call);
    const next = decideNextPoll({
      now,
      wishedMs: feed.latencySeconds * 1_000,
      rhythm: feed.rhythm,
      failures,
      freeWhenQuiet: true,
    });
    await deps.feeds.finishPoll(feed, claim, {
      ...shared,
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
      failures,
      settles: true,
    });
    return { outcome: 'failed', failure, error };
  }

  /** The feed is not at fault, so its failure count stays and it is polled again later. */
  async function giveBack(
    call: FailedCall,
    failure: Failure,
    waitMs: number,
  ): Promise<FailureResult> {
    const { feed, claim, now, error } = call;
    const shared = await recordCost(call);
    await deps.feeds.finishPoll(feed, claim, {
      nextPollAt: now + waitMs,
      nextReason: failure.kind,
      failures: feed.failures,
      ...shared,
      settles: true,
    });
    return { outcome: 'failed', failure, error };
  }

  /** The failed call counts at its upper bound until the marketplace's usage shows the real cost. */
  function recordCost({ feed, claim, at, reservation, error }: FailedCall) {
    return deps.recordCallCost(feed, {
      ...{ claim, at, reservation },
      pulls: error instanceof FetchFailedError ? error.pulls : possiblePulls(error),
      reason: 'answer_lost',
      state: 'unsettled',
    });
  }
}

/** Feeds that were refused together must not return together. */
function spreadOver(waitMs: number, random: number): number {
  return Math.floor(random * Math.max(waitMs, leastSpreadMs));
}

function causeOf(error: unknown): unknown {
  return error instanceof FetchFailedError ? error.cause : error;
}
