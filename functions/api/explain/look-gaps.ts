// The times in which no poll succeeded for longer than a watch's latency allows, and why. Each stored snapshot
// names the poll that brought it and the successful poll before, so a gap is known once a poll succeeds again.
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { heldByBudget, type Look } from '#shared/polling/look.ts';
import type { GapReason, Reason } from './look-reasons.ts';

/** Times are epoch milliseconds. */
export interface Gap {
  kind: FeedKind;
  from: number;
  to: number;
  reason: Reason<GapReason>;
}

interface GapsInput {
  kind: FeedKind;
  looks: readonly LookedAt[];
  /** The feed as it is now. */
  feed: Feed | undefined;
  latencySeconds: number;
  range: { from: number; to: number };
  /** The watch did not exist yet, so its rules were not matched. */
  watchMadeAt: number;
  now: number;
}

/** A poll is claimed by the minute, so shorter waits are none. */
const slackMs = 5 * 60_000;

/** Oldest first. */
export function gapsIn(input: GapsInput): Gap[] {
  const { kind, looks, range, watchMadeAt, latencySeconds } = input;
  const polls = new Map(looks.flatMap(({ look }) => (look ? [[look.at, look] as const] : [])));
  const open = openLook(input);
  const found = [...polls.values(), ...(open ? [open] : [])].flatMap((look) => {
    if (look.before === undefined) return [];
    const gap = { from: Math.max(look.before, watchMadeAt), to: look.at };
    const isLong = gap.to - gap.from > longestWaitMs(latencySeconds);
    const isInRange = gap.to > range.from && gap.from < range.to;
    return isLong && isInRange ? [{ kind, ...gap, reason: whyNoPoll(look) }] : [];
  });
  return found.sort((a, b) => a.from - b.from);
}

function longestWaitMs(latencySeconds: number): number {
  return Math.max(2_000 * latencySeconds, 1_000 * latencySeconds + slackMs);
}

/** The time since the last poll, as far as it is in the range. */
function openLook({ feed, now, range }: GapsInput): Look | undefined {
  if (feed?.status !== 'active' || feed.lastPolledAt === undefined) return undefined;
  const { lastPolledAt: before, nextReason: reason, nextWhy: why, failures } = feed;
  return {
    ...{ at: Math.min(now, range.to), before, failures },
    ...(reason !== undefined && { reason }),
    ...(why !== undefined && { why }),
  };
}

/** The reasons of a feed's next poll that name something else than its cadence. */
const waits: Readonly<Record<string, GapReason>> = {
  stretched_by_budget: 'budget_stretched',
  [heldByBudget]: 'budget_stretched',
  out_of_reach: 'out_of_reach',
  ...{ paused: 'market_closed', breaker_open: 'market_closed', rate_limited: 'market_closed' },
  ...{ wait: 'market_closed', pause: 'market_closed' },
};

function whyNoPoll({ reason = '', why, failures = 0 }: Look): Reason<GapReason> {
  if (failures > 0) return { code: 'polls_failed', values: { failures: String(failures) } };
  const code = waits[reason] ?? 'not_taken';
  if (code === 'budget_stretched' && why !== undefined) {
    return { code: 'budget_turn', values: { why } };
  }
  return { code, values: {} };
}
