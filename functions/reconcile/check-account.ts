// Compares our records with the marketplace's, once an hour: limits and plan from GET /v1/account, pulls
// from GET /v1/usage. Settles calls whose answer was lost, and tells the operator about differences.

import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import type { PullStore } from '#shared/dynamo/pulls.ts';
import type { Account, Usage } from '#shared/marketplace/reading/account.ts';
import { dayStartOf } from '#shared/moment.ts';
import { calendarMonth, type Period } from '#shared/polling/budget.ts';
import { feedKindRows, feedKinds } from '#shared/polling/feed-kinds.ts';
import { countByKind, type LedgerDay, pullsOfDay } from '#shared/polling/ledger-day.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { driftText } from '#shared/polling/notice-texts.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { costOfLostCalls, isDrift } from '#shared/polling/usage-drift.ts';
import type { Fleet } from './read-fleet.ts';

export interface AccountCheck {
  ledgerPulls: number;
  usagePulls: number;
  drift: boolean;
}

interface CheckAccountDeps {
  readAccount: () => Promise<Account>;
  readUsage: () => Promise<Usage>;
  marketState: Pick<MarketStateStore, 'read' | 'change'>;
  pulls: Pick<PullStore, 'days' | 'correct'>;
  budget: Pick<BudgetStore, 'current' | 'recount'>;
  notify: Notify;
}

const everyMs = 3_600_000;
/** Rows of closed days that one run adds up: some seconds. */
const mostRows = 100_000;

/**
 * The use case; free of charge. It takes the feeds, so that running calls don't count as differences.
 * @returns undefined when the last check was less than an hour ago, or while closed days are yet to be added up.
 */
export function createCheckAccount(deps: CheckAccountDeps) {
  return async function checkAccount(
    { active, share }: Pick<Fleet, 'active' | 'share'>,
    now: number,
  ): Promise<AccountCheck | undefined> {
    const state = await deps.marketState.read();
    if (now - (state.accountReadAt ?? 0) < everyMs) return undefined;
    const account = await deps.readAccount();
    const usage = await deps.readUsage();
    const period = { start: Date.parse(usage.period_start), end: Date.parse(usage.period_end) };
    const ourPeriod = inOurTime(period, state);
    const days = await deps.pulls.days(ourPeriod.start, now, { storing: { mostRows } });
    // The next run counts the other days.
    if (!days) return undefined;
    const counted = await settleLostCalls(deps, days, { usage, now });
    const base = baseOf(state, period, usage, counted.pulls);
    await deps.marketState.change((current) => ({
      ...withAccount(current, account),
      usageBase: { periodStart: period.start, pulls: base },
      accountReadAt: now,
    }));
    const running = active.filter(({ call }) => call !== undefined).length;
    const underWay = Math.round(running / share);
    const mayRun = running > 0 || share < 1;
    await recount(deps, { days: counted.days, period: ourPeriod, mayRun, now });
    const usagePulls = pullsOf(usage) - base;
    const drift = isDrift({ ledger: counted.pulls, usage: usagePulls, underWay });
    if (drift) {
      const text = driftText({ ledger: counted.pulls, usage: usagePulls });
      await deps.notify(operatorNotice(text, ledgerDay(now), now));
    }
    return { ledgerPulls: counted.pulls, usagePulls, drift };
  };
}

function withAccount(state: MarketState, account: Account): MarketState {
  const limits = Object.entries(account.rate_limits).flatMap(([bucket, value]) => {
    if (value === undefined) return [];
    return [[bucket, { limit: value.limit, windowSeconds: value.window_seconds }] as const];
  });
  const plan = (account.plans.find(({ status }) => status === 'active') ?? account.plans[0])?.id;
  return { ...state, limits: Object.fromEntries(limits), ...(plan !== undefined && { plan }) };
}

/** The period is by the service's clock; the ledger's rows are by ours. */
function inOurTime({ start, end }: Period, { clock }: MarketState): Period {
  const { offsetMs = 0 } = clock ?? {};
  return { start: start - offsetMs, end: end - offsetMs };
}

interface CountedLedger {
  /** All pulls by day, in time order. */
  days: { day: string; pulls: number }[];
  pulls: number;
}

/** Calls whose answer was lost get the cost that the usage shows. */
async function settleLostCalls(
  deps: CheckAccountDeps,
  days: readonly LedgerDay[],
  { usage, now }: { usage: Usage; now: number },
): Promise<CountedLedger> {
  const byKind = countByKind(days);
  const corrected = new Map<string, number>();
  for (const kind of feedKinds) {
    const usagePulls = usage.totals[feedKindRows[kind].usageTotal];
    for (const [callId, pulls] of costOfLostCalls(usagePulls, byKind[kind])) {
      corrected.set(callId, pulls);
    }
  }
  const after = days.map((day) => ({
    ...day,
    lost: day.lost.map((row) => ({ ...row, pulls: corrected.get(row.callId) ?? row.pulls })),
  }));
  const before = days.flatMap(({ lost }) => lost);
  const changed = after
    .flatMap(({ lost }) => lost)
    .filter(({ pulls }, index) => pulls !== before[index]?.pulls);
  await deps.pulls.correct(changed, now);
  const counted = after.map((day) => ({ day: day.day, pulls: pullsOfDay(day) }));
  return { days: counted, pulls: counted.reduce((sum, { pulls }) => sum + pulls, 0) };
}

function pullsOf({ totals }: Usage): number {
  return totals.stats_pulls + totals.listings_pulls + totals.salesdata_pulls;
}

/** Pulls charged before this deployment started are not a difference; a new period starts at zero. */
function baseOf(state: MarketState, period: Period, usage: Usage, ledgerPulls: number): number {
  if (!state.usageBase) return Math.max(0, pullsOf(usage) - ledgerPulls);
  return state.usageBase.periodStart === period.start ? state.usageBase.pulls : 0;
}

/**
 * Copies the ledger's sums to the budget. A running call may have no row yet, so as long as one may be running, which
 * is always so in a fleet that is not read as a whole, the sums may only rise.
 */
async function recount(
  deps: CheckAccountDeps,
  counts: { days: CountedLedger['days']; period: Period; mayRun: boolean; now: number },
): Promise<void> {
  const before = await deps.budget.current(counts.now);
  const today = dayStartOf(counts.now);
  // The ledger begins with the period, and a calendar month begins at midnight, so whole days are added up.
  const sumSince = (from: number) =>
    counts.days.reduce((sum, { day, pulls }) => sum + (day >= ledgerDay(from) ? pulls : 0), 0);
  // Accounts without a billing period get a window of the last 30 days (api.md, Usage).
  const isRolling = counts.period.end <= counts.now + everyMs;
  const period = isRolling ? calendarMonth(counts.now) : counts.period;
  const counted = { daySpent: sumSince(today), periodSpent: sumSince(period.start) };
  const isLower = counted.daySpent < before.daySpent || counted.periodSpent < before.periodSpent;
  if (isLower && counts.mayRun) return;
  await deps.budget.recount(before, { ...counted, period });
}
