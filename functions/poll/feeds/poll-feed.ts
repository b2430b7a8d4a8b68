// The description of a feed kind for poll: how to fetch it, and how to store a snapshot that can't be stored whole.
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { SnapshotStore } from '#shared/dynamo/snapshots.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { BillingAssumptions } from '#shared/polling/assumptions.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { FetchFeed } from '../fetch.ts';

/** The dependencies of every fetch. */
export interface FetchParts {
  stores: {
    snapshots: {
      newest: (feed: EvaluationKey) => Promise<Snapshot | undefined>;
      between: (feed: EvaluationKey, from: number, through: number) => Promise<Snapshot[]>;
    };
    triggers: { seriesOf: (eventId: number) => Promise<SeriesKey[]> };
  };
  readMarketplace: () => Promise<Pick<MarketplaceClient, FeedKind>>;
  assumptions: BillingAssumptions;
  now: () => number;
}

export type SnapshotWrites = Pick<SnapshotStore, 'create' | 'replace'>;

export interface PollFeed {
  createFetch: (parts: FetchParts) => FetchFeed;
  /**
   * Stores the storable part of a snapshot. Absent for a kind whose snapshots have no parts.
   * @returns what was left out, as a sentence; undefined when nothing could be stored.
   */
  storePart?: (
    snapshots: SnapshotWrites,
    snapshot: Snapshot,
    now: number,
  ) => Promise<string | undefined>;
}
