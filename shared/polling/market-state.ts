// The state of the marketplace that all workers share: whether it may be called, how often, and the account's
// plan. Decides who may call; calls nothing.
import { timing } from '#shared/timing.ts';
import { type FeedKind, feedKindRows } from './feed-kinds.ts';
import { type MarketClock, takeOffset } from './service-clock.ts';
import { runsTogether } from './spread.ts';

/** Why all charged polls wait until the marketplace accepts one again. */
export const pauseReasons = ['payment', 'authentication', 'subscription'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** The stored state of the marketplace. Times are epoch milliseconds. */
export interface MarketState {
  id: string;
  /** Grows with every write. */
  version: number;
  /** Absent while charged calls are accepted. */
  pause?:
    | {
        reason: PauseReason;
        since: number;
        /** The marketplace's own code, such as insufficient_balance. */
        code?: string | undefined;
        topUpUrl?: string | undefined;
      }
    | undefined;
  /** Server faults in a row over all feeds; until `openUntil` only a trial call is allowed. */
  faults: number;
  openUntil?: number | undefined;
  openedAt?: number | undefined;
  /** When the last trial call during a pause or an open breaker was allowed. */
  trialAt?: number | undefined;
  /** By bucket: the time before which it may not be called (429). */
  notBefore: Record<string, number>;
  /** Calls taken from a bucket's current window; and what the period had taken before each of dispatch's last runs. */
  windows: Record<string, { startsAt: number; taken: number }>;
  /** The catalog of GET /v1/account. */
  limits: Record<string, { limit: number; windowSeconds: number }>;
  plan?: string | undefined;
  accountReadAt?: number | undefined;
  /** The pulls already charged in the period in which we first read the account. */
  usageBase?: { periodStart: number; pulls: number } | undefined;
  csvReadAt?: number | undefined;
  /** When dispatch last left due feeds waiting because a cap or their owners’ shares were used up. */
  budgetHeldAt?: number | undefined;
  /** Absent until an answer has given the service's time. */
  clock?: MarketClock | undefined;
}

export const newMarketState: MarketState = {
  id: 'marketplace',
  version: 0,
  faults: 0,
  notBefore: {},
  windows: {},
  limits: {},
};

/** Faults in a row, of any feeds, that open the breaker. */
const faultsToOpen = 5;
const firstOpenMs = 60_000;
const longestOpenMs = 10 * 60_000;
/**
 * The time between two trial calls during a pause. A refused trial is free; an accepted one is a normal poll.
 */
const trialEveryMs = 5 * 60_000;
/** The part of a bucket's window for dispatch; the rest is for pages, searches and retries. */
const dispatchedShare = 0.8;
/** The limit from facts.md, until the account is read. */
const usualLimit = { limit: 500, windowSeconds: 60 };

/** `trial`: one poll is allowed, to test whether the marketplace accepts calls again. */
export type MarketAccess =
  | { kind: 'open' }
  | { kind: 'trial' }
  | { kind: 'closed'; reason: 'paused' | 'breaker_open' | 'rate_limited'; until: number };

/** Whether feeds of a kind may be dispatched. */
export function decideMarketAccess(state: MarketState, kind: FeedKind, now: number): MarketAccess {
  const notBefore = state.notBefore[feedKindRows[kind].bucket] ?? 0;
  if (notBefore > now) return { kind: 'closed', reason: 'rate_limited', until: notBefore };
  const trialAt = state.trialAt ?? 0;
  if (state.pause) {
    const until = Math.max(state.pause.since, trialAt) + trialEveryMs;
    return until <= now ? { kind: 'trial' } : { kind: 'closed', reason: 'paused', until };
  }
  if (state.openUntil === undefined) return { kind: 'open' };
  const until = trialAt > state.openUntil ? trialAt + firstOpenMs : state.openUntil;
  return until <= now ? { kind: 'trial' } : { kind: 'closed', reason: 'breaker_open', until };
}

/** How many calls of a kind the bucket's limit allows now. */
export function callsLeft(state: MarketState, kind: FeedKind, now: number): number {
  const bucket = feedKindRows[kind].bucket;
  const { limit, windowSeconds } = state.limits[bucket] ?? usualLimit;
  const window = state.windows[bucket];
  const isOver = !window || now >= window.startsAt + windowSeconds * 1_000;
  return Math.max(0, Math.floor(limit * dispatchedShare) - (isOver ? 0 : window.taken));
}

/**
 * Notes the pulls that the period had taken before this run, in the run's own window. The last runs have one each, so
 * the pulls of any five minutes are known.
 */
export function noteRun(state: MarketState, taken: number, now: number): MarketState {
  const run = Math.floor(now / timing.dispatchEveryMs);
  const startsAt = run * timing.dispatchEveryMs;
  const name = `run_${run % runsTogether}`;
  // Another kind's run of this minute has noted it.
  if (state.windows[name]?.startsAt === startsAt) return state;
  return { ...state, windows: { ...state.windows, [name]: { startsAt, taken } } };
}

/** The pulls that the last runs took, when the period has taken so many now. */
export function takenByRuns({ windows }: MarketState, taken: number, now: number): number {
  const since = now - runsTogether * timing.dispatchEveryMs;
  const before = Object.entries(windows)
    .filter(([name, { startsAt }]) => name.startsWith('run_') && startsAt > since)
    .map(([, window]) => window.taken);
  // Calls that were under way then may have been free: so the least counts.
  return taken - Math.min(taken, ...before);
}

/** The state after `calls` are taken from the kind's window; a trial is recorded too. */
export function takeCalls(
  state: MarketState,
  kind: FeedKind,
  { calls, isTrial, now }: { calls: number; isTrial: boolean; now: number },
): MarketState {
  const bucket = feedKindRows[kind].bucket;
  const { windowSeconds } = state.limits[bucket] ?? usualLimit;
  const window = state.windows[bucket];
  const isOver = !window || now >= window.startsAt + windowSeconds * 1_000;
  const next = isOver
    ? { startsAt: now, taken: calls }
    : { ...window, taken: window.taken + calls };
  return {
    ...state,
    windows: { ...state.windows, [bucket]: next },
    ...(isTrial && { trialAt: now }),
  };
}

/** Blocks all calls of a bucket before `until`. */
export function holdBucket(state: MarketState, bucket: string, until: number): MarketState {
  const notBefore = Math.max(state.notBefore[bucket] ?? 0, until);
  return { ...state, notBefore: { ...state.notBefore, [bucket]: notBefore } };
}

/** Pauses all charged polls. A repeated refusal changes neither the pause nor its start. */
export function pauseFor(
  state: MarketState,
  pause: NonNullable<MarketState['pause']>,
): MarketState {
  return state.pause?.reason === pause.reason ? state : { ...state, pause };
}

/** Counts a server fault; several in a row open the breaker, twice as long after each failed trial. */
export function countFault(state: MarketState, now: number): MarketState {
  const faults = state.faults + 1;
  if (faults < faultsToOpen) return { ...state, faults };
  const openMs = Math.min(firstOpenMs * 2 ** (faults - faultsToOpen), longestOpenMs);
  const openUntil = Math.max(state.openUntil ?? 0, now + openMs);
  return { ...state, faults, openUntil, openedAt: state.openedAt ?? now };
}

/** Adds one measurement of the service's clock; returns the same state if nothing changes. */
export function noteOffset(state: MarketState, measuredMs: number | undefined): MarketState {
  const clock: MarketClock | undefined = takeOffset(state.clock, measuredMs);
  return clock === undefined || clock === state.clock ? state : { ...state, clock };
}

/** After an answer, all faults and pauses end. */
export function countAnswer(state: MarketState): MarketState {
  if (state.faults === 0 && !state.pause) return state;
  const { pause: _pause, openUntil: _openUntil, openedAt: _openedAt, ...rest } = state;
  return { ...rest, faults: 0 };
}
