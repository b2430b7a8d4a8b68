// An evaluation: how far the snapshots of one feed have been matched, and who is matching now.
import { any, type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import * as z from 'zod';
import { feedKindSchema, feedKinds } from '#shared/polling/feed.ts';
import type { Standing } from '#shared/rules/history.ts';
import type { SeriesKey } from '#shared/rules/series.ts';

/**
 * Where the series in use stood when an hour began (epoch ms): a run reads raw snapshots from there on,
 * and knows the newest value of each series, however long ago it was.
 */
export interface HourMemory {
  hour: number;
  standings: Record<SeriesKey, Standing>;
}

/**
 * Where the series in use stood at the cursor: all that a run must know of the past whose series look
 * back on nothing but the value before.
 */
export type CursorMemory = Record<SeriesKey, Standing>;

/**
 * `evaluatedThrough` is the observation time (epoch ms) of the last snapshot matched. `nudges` counts
 * the calls for an evaluation: whoever holds the lease lets go only if none came since it last looked,
 * so a nudge that arrives during a run is never lost.
 */
export const evaluationSchema = item({
  eventId: number().key(),
  kind: string()
    .enum(...feedKinds)
    .key(),
  evaluatedThrough: number().optional(),
  memory: any().castAs<HourMemory>().optional(),
  cursorMemory: any().castAs<CursorMemory>().optional(),
  nudges: number(),
  /** The earliest snapshot that was stored late and is to be matched; with `lateCount`, which grows with each. */
  lateFrom: number().optional(),
  lateCount: number().optional(),
  lease: string().optional(),
  leaseUntil: number().optional(),
});

export type Evaluation = FormattedValue<typeof evaluationSchema>;

/** What the evaluate queue carries: only which feed; the cursor says where to go on. */
export const evaluateMessageSchema = z.object({ eventId: z.int(), kind: feedKindSchema });
export type EvaluateMessage = z.infer<typeof evaluateMessageSchema>;
