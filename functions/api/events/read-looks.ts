// The looks at an event in a range: the polls that brought a snapshot or cost a pull. A poll that did neither left
// no trace but in the feed's count of the day.
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { ledgerDays } from '#shared/polling/pull.ts';

/** One look: when it was sent, epoch milliseconds, the snapshots that it brought, and what it cost. */
export interface CountedLook {
  at: number;
  snapshots: number;
  pulls: number;
}

/** The newest looks are given; a day at one in two minutes has 720. */
export const mostLooks = 600;

/** Oldest first. It reads the event's rows of the ledger, one query a day. */
export async function readLooks(
  { pulls }: Pick<Stores, 'pulls'>,
  looks: readonly LookedAt[],
  { eventId, from, to }: { eventId: number; from: number; to: number },
): Promise<CountedLook[]> {
  const feed = { eventId, kind: metricsFeed } as const;
  const paid = await Promise.all(ledgerDays(from, to).map((day) => pulls.ofFeed(day, feed)));
  const found = new Map<number, CountedLook>();
  const at = (time: number): CountedLook => {
    const known = found.get(time) ?? { at: time, snapshots: 0, pulls: 0 };
    found.set(time, known);
    return known;
  };
  for (const { look } of looks) if (look) at(look.at).snapshots += 1;
  for (const row of paid.flat()) at(row.pulledAt).pulls += row.pulls;
  return [...found.values()]
    .filter((row) => row.at >= from && row.at <= to)
    .sort((a, b) => a.at - b.at)
    .slice(-mostLooks);
}
