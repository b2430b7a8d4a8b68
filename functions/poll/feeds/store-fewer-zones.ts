// Stores a stats snapshot without the zones that can't be stored.
import { isTransient } from '#shared/lambda/transient.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { SnapshotWrites } from './poll-feed.ts';

/** Maximum number of tries for one snapshot: enough to find three faulty zones among thousands. */
const mostTries = 64;

/** @returns which zones were left out; undefined when even a snapshot without zones can't be stored. */
export async function storeFewerZones(
  snapshots: SnapshotWrites,
  snapshot: Snapshot,
  now: number,
): Promise<string | undefined> {
  if (snapshot.feedKind !== metricsFeed) return undefined;
  const zones = Object.entries(snapshot.zones);
  const base = { ...snapshot, zones: {} };
  if (zones.length === 0 || !(await isStored(() => snapshots.create(base, now)))) return undefined;
  const kept = await largestStorable(zones, (some) =>
    isStored(() => snapshots.replace({ ...snapshot, zones: Object.fromEntries(some) }, now)),
  );
  const left = zones.filter(([name]) => !kept.some(([each]) => each === name));
  const names = left.slice(0, 3).map(([name]) => JSON.stringify(name.slice(0, 40).toWellFormed()));
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : '';
  return `These zones could not be stored and were left out: ${names.join(', ')}${more}.`;
}

/** @returns whether it was stored; a transient failure is thrown. */
async function isStored(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    return false;
  }
}

/** Halves a failing list until each faulty item is alone; every call stores the items kept so far. */
async function largestStorable<Item>(
  items: readonly Item[],
  store: (some: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  let kept: Item[] = [];
  let tries = 0;
  const open: (readonly Item[])[] = [items];
  for (let group = open.shift(); group && tries < mostTries; group = open.shift()) {
    tries += 1;
    if (await store([...kept, ...group])) {
      kept = [...kept, ...group];
      continue;
    }
    if (group.length === 1) continue;
    const middle = group.length >> 1;
    open.unshift(group.slice(0, middle), group.slice(middle));
  }
  return kept;
}
