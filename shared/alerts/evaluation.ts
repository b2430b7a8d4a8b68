// An evaluation: how far the snapshots of one feed have been matched, and who is matching now.
import * as z from 'zod';
import { type FeedKind, feedKindSchema } from '#shared/polling/feed-kinds.ts';
import type { LastKnown } from '#shared/rules/history.ts';
import type { SeriesKey } from '#shared/rules/series.ts';

/**
 * Where the series in use stood when an hour began (epoch ms): a run reads raw snapshots from there on,
 * and knows the newest value of each series, however long ago it was.
 */
export interface HourMemory {
  hour: number;
  standings: Record<SeriesKey, LastKnown>;
}

/**
 * Where the series in use stood at the cursor: all that a run must know of the past whose series look
 * back on nothing but the value before.
 */
export type CursorMemory = Record<SeriesKey, LastKnown>;

/** How far one feed has been evaluated. Times are epoch milliseconds. */
export interface Evaluation {
  eventId: number;
  kind: FeedKind;
  /** The observation time of the last snapshot matched; absent before the first. */
  evaluatedThrough?: number | undefined;
  memory?: HourMemory;
  cursorMemory?: CursorMemory;
  /**
   * Counts the calls for an evaluation: the holder of the lease lets go only if none came since it last
   * looked, so a nudge that arrives during a run is never lost.
   */
  nudges: number;
  /** The earliest snapshot that was stored late and must be matched. */
  lateFrom?: number | undefined;
  /** Grows with each late snapshot. */
  lateCount?: number | undefined;
  /** Who is evaluating; absent while no run is under way. */
  lease?: string | undefined;
  leaseUntil?: number | undefined;
}

/** What the evaluate queue carries: only which feed; the cursor says where to go on. */
export const evaluateMessageSchema = z.object({ eventId: z.int(), kind: feedKindSchema });
export type EvaluateMessage = z.infer<typeof evaluateMessageSchema>;
