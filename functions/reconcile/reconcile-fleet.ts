// Reconcile's polling part; each step uses the results of the earlier ones. A step that fails is
// reported, and the other steps still run.

import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import type { NoticeStore } from '#shared/dynamo/notices.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import type { ReadLimits } from '#shared/polling/read-limits.ts';
import { budgetForecastPercent, pollLagMs } from '#shared/polling/vital-signs.ts';
import { timing } from '#shared/timing.ts';
import type { AccountCheck } from './check-account.ts';
import { alone } from './each-alone.ts';
import type { GiveTurns } from './give-turns.ts';
import { type Fleet, readWatched, type WatchedFeed } from './read-fleet.ts';
import { type OnStepFailed, runSteps } from './run-steps.ts';
import type { FeedWatch } from './watch-feeds.ts';

/** Undefined if the step was not due. */
type FeedStep = (feeds: readonly Feed[], now: number) => Promise<object | undefined>;

interface ReconcileFleetDeps {
  budget: Pick<BudgetStore, 'current'>;
  feeds: Pick<FeedStore, 'statuses'>;
  giveTurns: GiveTurns;
  marketState: Pick<MarketStateStore, 'read'>;
  notices: Pick<NoticeStore, 'unsent' | 'postpone'>;
  readLimits: ReadLimits;
  assumptions: BillingAssumptions;
  checkAccount: (
    fleet: Pick<Fleet, 'active' | 'share'>,
    now: number,
  ) => Promise<AccountCheck | undefined>;
  readCatalog: (
    watched: () => Promise<readonly WatchedFeed[]>,
    time: { now: number; deadlineMs: number },
  ) => Promise<number | undefined>;
  watchFeeds: (active: readonly Feed[], state: MarketState, now: number) => Promise<FeedWatch>;
  watchResting: FeedStep;
  healIndexes: (now: number) => Promise<object>;
  sweepSubscriptions: FeedStep;
  dropIdleSeries: FeedStep;
  tellBudget: (
    budget: Awaited<ReturnType<BudgetStore['current']>>,
    caps: Caps,
    now: number,
  ) => Promise<void>;
  sendNotice: (noticeId: string) => Promise<void>;
  onStepFailed: OnStepFailed;
}

/** The result of one run: its figures and what each step did. */
export interface FleetFigures {
  /** Of a large fleet computed from the part that was read. */
  activeFeeds: number;
  /** Of the feeds that were read. */
  pollLagMs: number;
  /** Missing when the budget's step failed. */
  budget?: { forecastPercent: number };
  [step: string]: unknown;
}

const noticesPerShard = 100;

/** @returns a function that runs every step and returns what each did. */
export function createReconcileFleet(deps: ReconcileFleetDeps) {
  return async function reconcileFleet(
    { active, resting, share }: Fleet,
    now: number,
  ): Promise<FleetFigures> {
    const watched = async () => (share === 1 ? [...active, ...resting] : readWatched(deps.feeds));
    const steps = {
      account: () => deps.checkAccount({ active, share }, now),
      feeds: async () => deps.watchFeeds(active, await deps.marketState.read(), now),
      resting: () => deps.watchResting(resting, now),
      subscriptions: () => deps.sweepSubscriptions(active, now),
      budget: () => settleBudget(deps, { active, share }, now),
      notices: () => handOverNotices(deps, now),
      series: () => deps.dropIdleSeries(active, now),
      indexes: () => deps.healIndexes(now),
      catalog: () => deps.readCatalog(watched, { now, deadlineMs: now + timing.catalogMs }),
    };
    return {
      activeFeeds: Math.round(active.length / share),
      pollLagMs: pollLagMs(active, now),
      ...(await runSteps(steps, deps.onStepFailed)),
    };
  };
}

async function settleBudget(
  deps: ReconcileFleetDeps,
  { active, share }: Pick<Fleet, 'active' | 'share'>,
  now: number,
) {
  const budget = await deps.budget.current(now);
  const { caps, exhausted } = await deps.readLimits(now);
  const { plan } = await deps.marketState.read();
  const freeWhenQuiet = isFreeWhenQuiet(plan, deps.assumptions);
  const given = await deps.giveTurns(active, {
    budget,
    caps,
    exhausted,
    freeWhenQuiet,
    share,
    now,
  });
  await deps.tellBudget(budget, caps, now);
  const forecastPercent = budgetForecastPercent(budget, caps, now);
  return {
    daySpent: budget.daySpent,
    periodSpent: budget.periodSpent,
    forecastPercent,
    ...given,
  };
}

async function handOverNotices(deps: ReconcileFleetDeps, now: number): Promise<number> {
  let handed = 0;
  for (let shard = 0; shard < shardCount; shard += 1) {
    for (const { noticeId } of await deps.notices.unsent(shard, now, noticesPerShard)) {
      await alone({ step: 'notices', ids: { noticeId } }, async () => {
        await deps.sendNotice(noticeId);
        handed += 1;
      });
      await alone({ step: 'notices', ids: { noticeId } }, () =>
        deps.notices.postpone(noticeId, now + timing.noticeAgainMs),
      );
    }
  }
  return handed;
}
