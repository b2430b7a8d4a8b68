// The kinds of feeds, and what is known of each without any call: a row each, and the only list of them.
// How a kind is fetched is in functions/poll/feeds; how its snapshots are read is in shared/rules/sources.
import * as z from 'zod';

interface FeedKindRow {
  /** The marketplace's rate limit that its calls count in (api.md, Limits). */
  bucket: string;
  /** The construct id of its schedule. With another id, a deployment replaces the schedule. */
  schedule: string;
  /** What its data is called in messages, and whether that noun is a plural. */
  noun: string;
  isPlural: boolean;
  /** The field of GET /v1/usage that counts its pulls. */
  usageTotal: 'stats_pulls' | 'listings_pulls' | 'salesdata_pulls';
  /** What the keys of its series begin with. */
  seriesPrefix: `${string}/`;
  /** Whether a stored snapshot stays as it is; otherwise a later look at the same refresh adds to it. */
  isFinal: boolean;
  /**
   * Set where calls are expensive: the cheap kind whose snapshots tell whether a rule is within reach.
   * While none is, this kind is polled rarely (arming.ts).
   */
  armedBy?: string;
}

const rows = {
  stats: {
    bucket: 'events_stats',
    schedule: 'Stats',
    noun: 'price data',
    isPlural: false,
    usageTotal: 'stats_pulls',
    seriesPrefix: 'stats/',
    isFinal: true,
  },
  listings: {
    bucket: 'listings',
    schedule: 'Listings',
    noun: 'listings',
    isPlural: true,
    usageTotal: 'listings_pulls',
    seriesPrefix: 'listings/',
    isFinal: false,
    armedBy: 'stats',
  },
} as const satisfies Record<string, FeedKindRow>;

export type FeedKind = keyof typeof rows;

export const feedKinds = Object.keys(rows) as readonly FeedKind[];
export const feedKindSchema = z.enum(feedKinds);

export const feedKindRows: Readonly<
  Record<FeedKind, FeedKindRow & { readonly armedBy?: FeedKind }>
> = rows;

/** The kind whose snapshots have the event's metrics and zones. */
export const metricsFeed = 'stats' satisfies FeedKind;

/** The kind whose endpoint finds an event by the marketplace's own id: look-ups count as its calls. */
export const lookUpFeed = 'listings' satisfies FeedKind;

/** A value for each kind. */
export function forEachFeedKind<Value>(of: (kind: FeedKind) => Value): Record<FeedKind, Value> {
  const entries = feedKinds.map((kind) => [kind, of(kind)] as const);
  return Object.fromEntries(entries) as Record<FeedKind, Value>;
}

export function isFeedKind(value: unknown): value is FeedKind {
  return feedKinds.some((kind) => kind === value);
}

/** The kinds that snapshots of this kind arm. */
export function kindsArmedBy(kind: FeedKind): FeedKind[] {
  return feedKinds.filter((each) => feedKindRows[each].armedBy === kind);
}
