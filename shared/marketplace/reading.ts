/**
 * The shapes that the client reads. Fields that this project needs are checked against the
 * contract; any other field is read if it is valid and left out if not. So a renamed or new field
 * never fails an answer that has the needed fields. The contract itself is in contract/.
 */
import * as z from 'zod';
import {
  accountSchema,
  errorEnvelopeSchema,
  eventAddJobSchema,
  eventAddSubmittedSchema,
  eventSchema,
  legacyListingSchema,
  legacyListingsSchema,
  legacySaleSchema,
  legacySalesBatchSchema,
  legacySearchResultSchema,
  listingSchema,
  listingsPageSchema,
  paymentRequiredSchema,
  planSchema,
  rateLimitSchema,
  salesBatchSchema,
  salesPageSchema,
  searchPageSchema,
  shSaleSchema,
  statsPageSchema,
  statsSnapshotSchema,
  usageSchema,
  usageTotalsSchema,
  vsSaleSchema,
  zoneBreakdownSchema,
} from './contract.ts';

/** A field that this project does not need: left out when invalid. */
function spare<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined);
}

type Spared<Shape extends z.ZodRawShape, Needed extends keyof Shape> = {
  [Field in keyof Shape]: Field extends Needed
    ? Shape[Field]
    : z.ZodCatch<z.ZodOptional<Shape[Field]>>;
};

/** The object with only the needed fields required; unknown fields pass through. */
function needing<Shape extends z.ZodRawShape, Needed extends keyof Shape & string>(
  schema: z.ZodObject<Shape>,
  ...needed: readonly Needed[]
): z.ZodObject<Spared<Shape, Needed>, z.core.$loose> {
  const names: ReadonlySet<string> = new Set(needed);
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      names.has(name) ? field : spare(field as z.ZodType),
    ]),
  );
  return z.looseObject(shape as Spared<Shape, Needed>);
}

/**
 * A page whose rows are read one by one: a row without the needed fields is left out and reported
 * in `oddRows`. A page without any readable row breaks the contract.
 */
function rowByRow<Page extends z.ZodObject<{ data: z.ZodArray<z.ZodType> }>>(page: Page) {
  const row = page.shape.data.element;
  const shell = page.extend({ data: z.array(z.unknown()) });
  return shell.transform((value, context): z.infer<Page> & { oddRows: string[] } => {
    const rows: unknown[] = [];
    const oddRows: string[] = [];
    const issues: z.core.$ZodIssue[] = [];
    for (const [index, raw] of (value.data as unknown[]).entries()) {
      const { success, data, error } = row.safeParse(raw);
      const lostZones = success ? zonesIn(raw) - zonesIn(data) : 0;
      if (lostZones > 0) oddRows.push(`data[${index}].zones: ${lostZones} of them`);
      if (success) {
        rows.push(data);
        continue;
      }
      const [first] = error.issues;
      oddRows.push(`data[${index}].${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
      issues.push(...error.issues.map((each) => ({ ...each, path: [index, ...each.path] })));
    }
    if (rows.length === 0) {
      for (const { path, message } of issues) {
        context.addIssue({ code: 'custom', path: ['data', ...path], message });
      }
    }
    // The page's own row schema has parsed each row.
    return { ...value, data: rows, oddRows } as z.infer<Page> & { oddRows: string[] };
  });
}

function zonesIn(row: unknown): number {
  const { zones } = Object(row) as { zones?: unknown };
  return Array.isArray(zones) ? zones.length : 0;
}

/** The readable members of a list; refuses a list whose members are all unreadable. */
function readable<Member>(schema: z.ZodType<Member>) {
  return z.array(z.unknown()).transform((found, context) => {
    const results = found.map((raw) => schema.safeParse(raw));
    const read = results.flatMap((result) => (result.success ? [result.data] : []));
    if (read.length > 0) return read;
    for (const [index, { error }] of results.entries()) {
      for (const { path, message } of error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: [index, ...path], message });
      }
    }
    return read;
  });
}

const page = ['data', 'has_more', 'next_cursor'] as const;
const prices = ['avg_price', 'median_price', 'get_in', 'get_in_qty2plus'] as const;

/** A rule may watch any metric, so each of them is needed. */
const snapshot = needing(
  statsSnapshotSchema,
  ...(['timestamp', 'total_listings_active', 'listing_fill_rate', 'zones'] as const),
  ...prices,
).extend({ zones: readable(needing(zoneBreakdownSchema, 'zone_name', ...prices)) });
export type StatsSnapshot = z.infer<typeof snapshot>;

export const readStatsPage = rowByRow(
  needing(statsPageSchema, ...page).extend({ data: z.array(snapshot) }),
);

const seats = ['listing_id', 'zone', 'section', 'row', 'quantity', 'price'] as const;
const listing = needing(listingSchema, ...seats);
export type Listing = z.infer<typeof listing>;

const listingsPage = needing(listingsPageSchema, ...page).extend({ data: z.array(listing) });
export const readListingsPage = rowByRow(listingsPage);

/** The refresh time tells whether the data is new, so a first page must have it. */
export const readFirstListingsPage = rowByRow(
  listingsPage.extend({ last_refreshed_at: listingsPageSchema.shape.last_refreshed_at.unwrap() }),
);

export const readLegacyListings = needing(legacyListingsSchema, 'listings').extend({
  listings: z.array(needing(legacyListingSchema, ...seats)),
});
export type LegacyListings = z.infer<typeof readLegacyListings>;

const saleFields = ['timestamp', 'quantity', 'price', 'zone', 'section', 'row'] as const;
const sale = z.discriminatedUnion('source', [
  needing(shSaleSchema, 'source', ...saleFields),
  needing(vsSaleSchema, 'source', ...saleFields).extend({ zone: z.string() }),
]);
export type Sale = z.infer<typeof sale>;

export const readSalesPage = needing(salesPageSchema, ...page).extend({ data: z.array(sale) });
export const readLegacySales = z.array(needing(legacySaleSchema, ...saleFields));

/** The reason why an event has no rows, as the service words it. */
const batchErrors = z.record(z.string(), z.string());
export const readSalesBatch = needing(salesBatchSchema, 'results', 'errors').extend({
  results: z.record(z.string(), z.array(sale)),
  errors: batchErrors,
});
export type SalesBatch = z.infer<typeof readSalesBatch>;
export const readLegacySalesBatch = needing(legacySalesBatchSchema, 'results', 'errors').extend({
  results: z.record(z.string(), readLegacySales),
  errors: batchErrors,
});
export type LegacySalesBatch = z.infer<typeof readLegacySalesBatch>;

/**
 * An event of the catalog; also reads the daily CSV's rows. The date is validated later, per event:
 * an invalid date must not fail the whole page.
 */
export const readEvent = needing(eventSchema, 'event_id', 'event_name', 'event_date').extend({
  event_date: z.string(),
});
export type MarketplaceEvent = z.infer<typeof readEvent>;
export const readSearchPage = rowByRow(
  needing(searchPageSchema, ...page).extend({ data: z.array(readEvent) }),
);

const legacyEvent = needing(
  legacySearchResultSchema.shape.items.element,
  ...(['event_id', 'event_name', 'event_date'] as const),
);
const legacyResult = needing(legacySearchResultSchema, 'items').extend({
  items: z.array(legacyEvent),
});
export type LegacySearchResult = z.infer<typeof legacyResult>;
export const readLegacySearch = z.tuple([legacyResult]);

/** Buckets by name: a renamed or new bucket does not fail the account. */
const rateLimits = z.record(z.string(), spare(rateLimitSchema));
export type RateLimits = z.infer<typeof rateLimits>;
export const readAccount = needing(accountSchema, 'plans', 'rate_limits').extend({
  plans: z.array(needing(planSchema, 'id', 'status')),
  rate_limits: rateLimits,
});
export type Account = z.infer<typeof readAccount>;

export const readUsage = needing(usageSchema, 'period_start', 'period_end', 'totals').extend({
  totals: needing(usageTotalsSchema, 'salesdata_pulls', 'listings_pulls', 'stats_pulls'),
});
export type Usage = z.infer<typeof readUsage>;

export const readEventAddSubmitted = needing(eventAddSubmittedSchema, 'job_id');
export type EventAddSubmitted = z.infer<typeof readEventAddSubmitted>;
export const readEventAddJob = needing(eventAddJobSchema, 'status');
export type EventAddJob = z.infer<typeof readEventAddJob>;

const envelope = errorEnvelopeSchema.shape.error;
export const readErrorEnvelope = z.looseObject({ error: needing(envelope, 'code') });
export const readPaymentRequired = needing(paymentRequiredSchema, 'error');
