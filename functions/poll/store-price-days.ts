// Adds the snapshots of an answer to the days of prices that charts are drawn from.
import type { PriceDayStore } from '#shared/dynamo/price-days.ts';
import type { SnapshotStore } from '#shared/dynamo/snapshots.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { DAY_MS } from '#shared/rules/window.ts';
import type { Fetched } from './fetch.ts';

/** `feed` is as it was before the answer, `now` when the call was sent, epoch milliseconds. */
export type StorePriceDays = (
  feed: Pick<Feed, 'eventId' | 'kind' | 'lastSnapshotAt'>,
  fetched: Pick<Fetched, 'snapshots' | 'late'>,
  now: number,
) => Promise<void>;

interface StorePriceDaysDeps {
  priceDays: Pick<PriceDayStore, 'addAll'>;
  snapshots: Pick<SnapshotStore, 'between'>;
}

/** A repeat changes nothing. What can't be stored is reported and left out: a chart lacks it, no alert does. */
export function createStorePriceDays({ priceDays, snapshots }: StorePriceDaysDeps): StorePriceDays {
  return async function storePriceDays(feed, { snapshots: news, late = [] }, now) {
    const rows = [...late, ...news].filter(isStats);
    if (rows.length === 0) return;
    const { eventId, kind, lastSnapshotAt = Number.NEGATIVE_INFINITY } = feed;
    const readStored = async (startsAt: number) => {
      if (lastSnapshotAt < startsAt) return [];
      return (await snapshots.between({ eventId, kind }, startsAt, startsAt + DAY_MS - 1)).filter(
        isStats,
      );
    };
    try {
      await priceDays.addAll(eventId, rows, { readStored, now });
    } catch (error) {
      if (isTransient(error)) throw error;
      const reason = `The prices of a day could not be stored: ${reasonOf(error)}`;
      reportFault({ thing: 'market_row', reason, ids: { eventId }, error });
    }
  };
}

function isStats(snapshot: Snapshot): snapshot is MarketSnapshot {
  return snapshot.feedKind === 'stats';
}
