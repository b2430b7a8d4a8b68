// The only list of feed kinds, one row each, with their facts. functions/poll/feeds fetches each kind;
// shared/rules/sources reads its snapshots.
import * as z from 'zod';

interface FeedKindRow {
  /** The marketplace's rate limit for its calls (api.md, Limits). */
  bucket: string;
  /** The construct id of its schedule. With another id, a deployment replaces the schedule. */
  schedule: string;
  /** The name of its data in messages, and whether that name is a plural. */
  noun: string;
  isPlural: boolean;
  /** The field of GET /v1/usage that counts its pulls. */
  usageTotal: 'stats_pulls' | 'listings_pulls' | 'salesdata_pulls';
  /** The prefix of its series' keys. */
  seriesPrefix: `${string}/`;
  /** Whether a stored snapshot never changes; if not, a later poll of the same refresh adds to it. */
  isFinal: boolean;
  /**
   * Set if calls are expensive: the cheap kind whose snapshots show whether a rule is within reach. While
   * none is, this kind is polled rarely (arming.ts).
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

/** The kind whose endpoint looks up an event by the marketplace's own id; look-ups count as its calls. */
export const lookUpFeed = 'listings' satisfies FeedKind;

/** A value for each kind. */
export function forEachFeedKind<Value>(of: (kind: FeedKind) => Value): Record<FeedKind, Value> {
  const entries = feedKinds.map((kind) => [kind, of(kind)] as const);
  return Object.fromEntries(entries) as Record<FeedKind, Value>;
}

export function isFeedKind(value: unknown): value is FeedKind {
  return feedKinds.some((kind) => kind === value);
}

/** The kinds whose polling depends on snapshots of this kind. */
export function kindsArmedBy(kind: FeedKind): FeedKind[] {
  return feedKinds.filter((each) => feedKindRows[each].armedBy === kind);
}
