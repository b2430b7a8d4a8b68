// How a snapshot is stored in the Snapshots table, and when a stored one is readable. An unreadable snapshot
// is left out: its neighbours are enough.

import { reportFault } from '#shared/fault-report.ts';
import { isMoment } from '#shared/moment.ts';
import { type FeedKind, isFeedKind } from '#shared/polling/feed-kinds.ts';
import type { ListingsSnapshot } from '#shared/rules/listings-snapshot.ts';
import { isPriceMetricName } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { isPrice } from '#shared/rules/units.ts';
import { fromNameKeys, toNameKeys } from './name-keys.ts';

/** DynamoDB's limit is 400 KB per item; the attributes besides zones and matches fit in what this leaves. */
const mostBytes = 300_000;

/** How one kind's snapshots are stored. Methods, so that each kind sees only its own snapshots. */
interface SnapshotForm<Seen extends Snapshot> {
  stored(snapshot: Seen): Seen;
  /** The original snapshot. */
  restored(stored: Seen): Seen;
  /** Whether a stored object has everything that its readers need. */
  isReadable(value: Partial<Seen>): boolean;
  /** The earlier snapshot plus what a later poll of the same refresh adds; undefined if it adds nothing. */
  amended(before: Seen, later: Seen): Seen | undefined;
}

const stats: SnapshotForm<MarketSnapshot> = {
  stored: (snapshot) => ({ ...snapshot, zones: toNameKeys(zonesWithRoom(snapshot)) }),
  restored: (stored) => ({ ...stored, zones: fromNameKeys(stored.zones) }),
  isReadable: ({ metrics, zones }) =>
    areMetrics(metrics) && isObject(zones) && Object.values(zones).every(areMetrics),
  amended: () => undefined,
};

const listings: SnapshotForm<ListingsSnapshot> = {
  stored: (snapshot) => snapshot,
  restored: (stored) => stored,
  isReadable: ({ filters }) => isObject(filters) && Object.values(filters).every(isSummary),
  amended(before, later) {
    const filters = { ...later.filters, ...before.filters };
    const isMore = Object.keys(filters).length > Object.keys(before.filters).length;
    return isMore ? { ...before, filters } : undefined;
  },
};

const forms: Record<FeedKind, SnapshotForm<Snapshot>> = { stats, listings };

/** A snapshot in its stored form. */
export function storedSnapshot(snapshot: Snapshot): Snapshot {
  return forms[snapshot.feedKind].stored(snapshot);
}

/** The original snapshot. */
export function restoredSnapshot(stored: Snapshot): Snapshot {
  return forms[stored.feedKind].restored(stored);
}

/** A stored snapshot plus what a later poll of the same refresh adds; undefined if it adds nothing. */
export function amended(before: Snapshot, later: Snapshot): Snapshot | undefined {
  return before.feedKind === later.feedKind
    ? forms[before.feedKind].amended(before, later)
    : undefined;
}

/** Whether a stored value is a snapshot that all its readers can use. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (!isObject(value)) return false;
  const { feedKind, eventId, observedAt } = value as Partial<Snapshot>;
  if (!Number.isSafeInteger(eventId) || !isMoment(observedAt) || !isFeedKind(feedKind))
    return false;
  return forms[feedKind].isReadable(value);
}

/** Zones beyond `mostBytes` don't fit in one item: they are left out and reported. */
function zonesWithRoom(snapshot: MarketSnapshot): MarketSnapshot['zones'] {
  const zones = Object.entries(snapshot.zones);
  const kept: typeof zones = [];
  let bytes = 0;
  for (const zone of zones) {
    bytes += Buffer.byteLength(JSON.stringify(zone));
    if (bytes <= mostBytes) kept.push(zone);
  }
  if (kept.length < zones.length) {
    const { eventId, observedAt } = snapshot;
    const reason = `${zones.length - kept.length} zones left out: one snapshot has no room for them`;
    reportFault({ thing: 'market_row', reason, ids: { eventId, observedAt } });
  }
  return Object.fromEntries(kept);
}

function areMetrics(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, number]) =>
    isPriceMetricName(name) ? isPriceOrNull(number) : isNumberOrNull(number),
  );
}

function isSummary(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { count, cheapestCents, newCheapestCents, matches } = value as Record<string, unknown>;
  return (
    Number.isFinite(count) &&
    isPriceOrNull(cheapestCents) &&
    isPriceOrNull(newCheapestCents) &&
    Array.isArray(matches) &&
    matches.every(isMatch)
  );
}

const matchTexts = ['key', 'zone', 'section', 'row'] as const;

function isMatch(value: unknown): boolean {
  if (!isObject(value)) return false;
  const read = (name: string): unknown => Reflect.get(value, name);
  return (
    matchTexts.every((name) => typeof read(name) === 'string') &&
    Number.isFinite(read('quantity')) &&
    isPrice(read('priceCents'))
  );
}

function isPriceOrNull(value: unknown): boolean {
  return value === null || isPrice(value);
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
