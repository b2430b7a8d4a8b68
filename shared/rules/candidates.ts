// Finds the triggers that one snapshot may move, and the other triggers of their rules. Does not decide on
// them.
import type { CatchUp } from './catch-up.ts';
import { feedKindOf, type SeriesKey } from './series.ts';
import type { SnapshotReadings } from './snapshot-readings.ts';
import type { Snapshot } from './sources/sources.ts';
import { hasPassedRearm, isReached, limitSharersOf, partnerIdOf, type Trigger } from './trigger.ts';
import type { TriggerIndex } from './trigger-index.ts';

/** A series that could not be read at the snapshot; its triggers are not found. */
export interface FaultySeries {
  series: SeriesKey;
  error: unknown;
}

export interface CandidatesInput {
  index: TriggerIndex;
  run: CatchUp;
  snapshot: Snapshot;
  /** The series of the event's triggers; those of other feeds are skipped. */
  series: readonly SeriesKey[];
}

/** @returns the triggers that the index finds, with this run's moves; unreadable series go to `faulty`. */
export async function findCandidates(
  input: CandidatesInput,
  readings: SnapshotReadings,
  faulty: FaultySeries[],
): Promise<Trigger[]> {
  const { index, run, snapshot } = input;
  const readValue = (series: SeriesKey) => {
    try {
      return readings.of(series).value;
    } catch (error) {
      faulty.push({ series, error });
      return null;
    }
  };
  const series = input.series.filter((key) => feedKindOf(key) === snapshot.feedKind);
  const queries = series.flatMap((key) => rangeQueries(index, key, readValue(key)));
  const found = (await Promise.all([index.unsettled(), ...queries])).flat();
  const candidates = new Map(found.map((trigger) => [trigger.triggerId, trigger]));
  for (const moved of run.moved()) {
    if (canMove(moved, readValue(moved.series))) candidates.set(moved.triggerId, moved);
  }
  return [...candidates.values()].filter(
    (trigger) => feedKindOf(trigger.series) === snapshot.feedKind,
  );
}

function rangeQueries(index: TriggerIndex, series: SeriesKey, value: number | null) {
  if (value === null) return [];
  return (['down', 'up'] as const).flatMap((direction) => [
    index.armedReachedBy({ series, direction, value }),
    index.firedPassedBy({ series, direction, value }),
  ]);
}

/** Whether an up-to-date index would have found the trigger. */
function canMove(trigger: Trigger, value: number | null): boolean {
  if (trigger.state === 'new' || trigger.state === 'pending') return true;
  if (value === null) return false;
  return trigger.state === 'armed' ? isReached(trigger, value) : hasPassedRearm(trigger, value);
}

export type Partners = ReadonlyMap<string, Trigger | null>;

/** The other triggers of the rules, where they matter, read from the index by id, all at once. */
export async function findPartners(
  index: TriggerIndex,
  triggers: readonly Trigger[],
): Promise<Partners> {
  const ids = triggers.flatMap((trigger) => [partnerIdOf(trigger), ...limitSharersOf(trigger)]);
  const unique = new Set(ids.filter((id) => id !== null));
  const found = [...unique].map(async (id) => [id, await index.find(id)] as const);
  return new Map(await Promise.all(found));
}

/** This run's own state of the partner wins over the index's. */
export function partnerOf(trigger: Trigger, run: CatchUp, partners: Partners): Trigger | null {
  const partnerId = partnerIdOf(trigger);
  return partnerId === null ? null : currentPartner(partnerId, run, partners);
}

/** The triggers that share its limits, each in its newest state. */
export function sharersOf(trigger: Trigger, run: CatchUp, partners: Partners): Trigger[] {
  return limitSharersOf(trigger)
    .map((id) => currentPartner(id, run, partners))
    .filter((sharer) => sharer !== null);
}

function currentPartner(id: string, run: CatchUp, partners: Partners): Trigger | null {
  const known = run.known(id);
  return known === undefined ? (partners.get(id) ?? null) : known;
}
