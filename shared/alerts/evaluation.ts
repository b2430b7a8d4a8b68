// An evaluation: how far the snapshots of one feed have been matched, and which run holds the lease.
import * as z from 'zod';
import { type FeedKind, feedKindSchema } from '#shared/polling/feed-kinds.ts';
import type { LastKnown } from '#shared/rules/history.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import { mostShards } from '#shared/watchlist/event-shards.ts';
import type { PossibleRepeats } from './possible-repeat.ts';

/**
 * The last known values of the series in use at the start of an hour (epoch ms). A run reads raw snapshots
 * from that hour on, and still knows the newest value of each series, however old.
 */
export interface HourMemory {
  hour: number;
  standings: Record<SeriesKey, LastKnown>;
}

/**
 * The last known values of the series in use at the cursor. It is enough history for a run whose series need
 * only the previous value.
 */
export type CursorMemory = Record<SeriesKey, LastKnown>;

/** How far one feed has been evaluated for the triggers of one shard. Times are epoch milliseconds. */
export interface Evaluation {
  eventId: number;
  kind: FeedKind;
  /** The event's shard; absent for the first, which has what belongs to the feed as a whole: living messages. */
  shard?: number | undefined;
  /** The observation time of the last snapshot matched; absent before the first. */
  evaluatedThrough?: number | undefined;
  memory?: HourMemory;
  cursorMemory?: CursorMemory;
  /** The alerts raised so far; about right after a crash. */
  alerts?: number | undefined;
  /**
   * Counts the nudges. The run releases its lease only if no nudge came since it last looked, so a nudge
   * during a run is never lost.
   */
  nudges: number;
  /** The earliest snapshot that was stored late and must be matched. */
  lateFrom?: number | undefined;
  /** Grows with each late snapshot. */
  lateCount?: number | undefined;
  /**
   * Grows with each message that is kept up to date by this feed's snapshots; absent if there is none. It costs an
   * evaluation no request to know that.
   */
  livingMarks?: number | undefined;
  /** When the last run of edits that was asked for is due. */
  editsDueAt?: number | undefined;
  /** Present after a restore, as long as alerts of this feed may repeat earlier ones. */
  repeats?: PossibleRepeats;
  /** The run that holds the lease; absent while no run is active. */
  lease?: string | undefined;
  leaseUntil?: number | undefined;
}

/** A message of the evaluate queue: only the feed and the shard; the cursor says where to continue. */
export const evaluateMessageSchema = z.object({
  eventId: z.int(),
  kind: feedKindSchema,
  /** The event's shard; absent for the first, whose evaluation nudges the others when there are new snapshots. */
  shard: z.int().positive().max(mostShards).optional(),
  /** Evaluations in a row that failed, of a message that looks again soon after. */
  tries: z.int().min(0).optional(),
});
export type EvaluateMessage = z.infer<typeof evaluateMessageSchema>;
