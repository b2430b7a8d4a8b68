// Poll: fetches what is new of one feed, stores it, notes what it cost, and gives the feed back.
// Every step is harmless when done again, so a crash after any of them only repeats it.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { StatsSnapshot } from '#shared/marketplace/contract.ts';
import { NotFoundError } from '#shared/marketplace/errors.ts';
import { decideNextPoll } from '#shared/polling/cadence.ts';
import type { Feed, PollMessage } from '#shared/polling/feed.ts';
import { type MarketSnapshot, snapshotFromStats } from '#shared/rules/snapshot.ts';
import type { FeedStore } from '#shared/store/feeds.ts';
import type { PullStore } from '#shared/store/pulls.ts';
import type { SnapshotStore } from '#shared/store/snapshots.ts';

/** What one fetch brought and cost. */
export interface FetchedStats {
  rows: StatsSnapshot[];
  pulls: number;
  reason: string;
}

/** Fetches every snapshot after `after` (epoch ms; undefined: the whole history), all pages. */
export type FetchStats = (
  eventId: number,
  after: number | undefined,
  budgetMs: number,
) => Promise<FetchedStats>;

export type PollResult =
  | { outcome: 'polled'; pulls: number; newSnapshots: number }
  | { outcome: 'stale_claim' }
  | { outcome: 'not_found' }
  | { outcome: 'failed'; error: unknown };

interface PollDeps {
  feeds: Pick<FeedStore, 'find' | 'finishPoll' | 'retire'>;
  snapshots: Pick<SnapshotStore, 'createAll'>;
  pulls: Pick<PullStore, 'create'>;
  fetchStats: FetchStats;
  sendNudge: (message: EvaluateMessage) => Promise<void>;
}

/** Time kept back from the fetch for storing what it brought. */
const storingMs = 20_000;

/** The poll use case. A failed fetch is recorded on the feed, which then backs off by itself. */
export function createPoll(deps: PollDeps) {
  return async function poll(
    { eventId, kind, claim }: PollMessage,
    clock: { now: () => number; remainingMs: () => number },
  ): Promise<PollResult> {
    const feed = await deps.feeds.find(eventId, kind);
    if (feed?.status !== 'active' || feed.claim !== claim) return { outcome: 'stale_claim' };
    const polledAt = clock.now();
    let fetched: FetchedStats;
    try {
      fetched = await deps.fetchStats(
        eventId,
        feed.lastSnapshotAt,
        clock.remainingMs() - storingMs,
      );
    } catch (error) {
      return recordFailure(deps, feed, claim, { error, polledAt });
    }
    return store(deps, feed, claim, { fetched, polledAt });
  };
}

async function store(
  deps: PollDeps,
  feed: Feed,
  claim: string,
  { fetched, polledAt }: { fetched: FetchedStats; polledAt: number },
): Promise<PollResult> {
  const { eventId } = feed;
  const snapshots = inTimeOrder(eventId, fetched.rows);
  const newest = snapshots.at(-1)?.observedAt ?? feed.lastSnapshotAt;
  if (fetched.pulls > 0 && newest !== undefined)
    await notePull(deps, feed, fetched, newest, polledAt);
  const newSnapshots = await deps.snapshots.createAll(snapshots, polledAt);
  if (snapshots.length > 0 || feed.watchersChangedAt > (feed.lastPolledAt ?? 0)) {
    await deps.sendNudge({ eventId, kind: feed.kind });
  }
  await deps.feeds.finishPoll(feed, claim, {
    lastPolledAt: polledAt,
    lastSnapshotAt: newest,
    failures: 0,
    nextPollAt: decideNextPoll({ ...feed, failures: 0 }, polledAt).nextPollAt,
  });
  return { outcome: 'polled', pulls: fetched.pulls, newSnapshots };
}

async function notePull(
  deps: PollDeps,
  feed: Feed,
  { pulls, reason }: FetchedStats,
  refreshAt: number,
  pulledAt: number,
): Promise<void> {
  const { eventId, kind } = feed;
  await deps.pulls.create({ eventId, kind, refreshAt, pulls, reason, pulledAt });
}

async function recordFailure(
  deps: PollDeps,
  feed: Feed,
  claim: string,
  { error, polledAt }: { error: unknown; polledAt: number },
): Promise<PollResult> {
  if (error instanceof NotFoundError && error.subject === 'event') {
    await deps.feeds.retire(feed, 'not_found');
    return { outcome: 'not_found' };
  }
  const failures = feed.failures + 1;
  await deps.feeds.finishPoll(feed, claim, {
    failures,
    nextPollAt: decideNextPoll({ ...feed, failures }, polledAt).nextPollAt,
  });
  return { outcome: 'failed', error };
}

/** The service promises no order (facts.md), and may send a snapshot twice while it is written. */
function inTimeOrder(eventId: number, rows: readonly StatsSnapshot[]): MarketSnapshot[] {
  const byTime = new Map(
    rows.map((row) => snapshotFromStats(eventId, row)).map((s) => [s.observedAt, s]),
  );
  return [...byTime.values()].sort((a, b) => a.observedAt - b.observedAt);
}
