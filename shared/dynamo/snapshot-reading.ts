// How a snapshot lies in the Snapshots table, and when a stored one can be read. A snapshot that can't is
// left out: the ones before and after it tell enough.

import { reportFault } from '#shared/lambda/fault-report.ts';
import type { ListingsSnapshot } from '#shared/rules/listings-snapshot.ts';
import type { Snapshot } from '#shared/rules/reading.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { fromNameKeys, toNameKeys } from './name-keys.ts';

/** DynamoDB takes 400 KB an item; what stands beside the zones and matches takes far less than the rest. */
const mostBytes = 300_000;

/** A snapshot as it is stored; zones that one item has no room for are left out, and reported. */
export function storedSnapshot(snapshot: Snapshot): Snapshot {
  if (snapshot.feedKind !== 'stats') return snapshot;
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
  return { ...snapshot, zones: toNameKeys(Object.fromEntries(kept)) };
}

/** The snapshot as it was before it was stored. */
export function restoredSnapshot(stored: Snapshot): Snapshot {
  if (stored.feedKind !== 'stats') return stored;
  return { ...stored, zones: fromNameKeys(stored.zones) };
}

/** Whether a stored value is a snapshot that everything which reads one can read. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (!isObject(value)) return false;
  const { feedKind, eventId, observedAt } = value as Partial<Snapshot>;
  if (!Number.isSafeInteger(eventId) || !isTime(observedAt)) return false;
  if (feedKind === 'stats') {
    const { metrics, zones } = value as Partial<MarketSnapshot>;
    return areMetrics(metrics) && isObject(zones) && Object.values(zones).every(areMetrics);
  }
  if (feedKind !== 'listings') return false;
  const { filters } = value as Partial<ListingsSnapshot>;
  return isObject(filters) && Object.values(filters).every(isSummary);
}

function areMetrics(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isNumberOrNull);
}

function isSummary(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { count, cheapestCents, newCheapestCents, matches } = value as Record<string, unknown>;
  return (
    Number.isFinite(count) &&
    isNumberOrNull(cheapestCents) &&
    isNumberOrNull(newCheapestCents) &&
    Array.isArray(matches) &&
    matches.every(isMatch)
  );
}

const matchTexts = ['key', 'zone', 'section', 'row'] as const;
const matchNumbers = ['quantity', 'priceCents'] as const;

function isMatch(value: unknown): boolean {
  if (!isObject(value)) return false;
  const read = (name: string): unknown => Reflect.get(value, name);
  return (
    matchTexts.every((name) => typeof read(name) === 'string') &&
    matchNumbers.every((name) => Number.isFinite(read(name)))
  );
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= 8_640_000_000_000_000;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
