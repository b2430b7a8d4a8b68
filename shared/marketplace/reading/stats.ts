/** How the client reads snapshots. */
import * as z from 'zod';
import { statsPageSchema, statsSnapshotSchema, zoneBreakdownSchema } from '../contract/stats.ts';
import { needing } from './needed-fields.ts';
import { pageNeeds, readable, rowByRow } from './readable-rows.ts';

const prices = ['avg_price', 'median_price', 'get_in', 'get_in_qty2plus'] as const;

/** A rule may watch any metric, so each of them is needed. */
const snapshot = needing(
  statsSnapshotSchema,
  ...(['timestamp', 'total_listings_active', 'listing_fill_rate', 'zones'] as const),
  ...prices,
).extend({ zones: readable(needing(zoneBreakdownSchema, 'zone_name', ...prices)) });
export type StatsSnapshot = z.infer<typeof snapshot>;

export const readStatsPage = rowByRow(
  needing(statsPageSchema, ...pageNeeds).extend({ data: z.array(snapshot) }),
);
