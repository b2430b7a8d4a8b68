/**
 * What one snapshot does to an event's triggers: asks the index for those that it can move, decides
 * on each. Writes nothing but the memory of its own run.
 */
import { type Decision, decideTrigger, type HoldReason, type Silenced } from './decide.ts';
import type { SnapshotFacts } from './gates.ts';
import type { History } from './history.ts';
import type { ListingMatch } from './listings-snapshot.ts';
import { type Reading, readSeries, type Snapshot } from './reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from './series.ts';
import {
  hasPassedRearm,
  isReached,
  partnerIdOf,
  type Trigger,
  type TriggerCondition,
} from './trigger.ts';
import type { TriggerIndex } from './trigger-index.ts';

export interface Move {
  /** As it was. */
  trigger: Trigger;
  decision: Exclude<Decision, { kind: 'hold' }>;
}

/** A trigger that the snapshot reached and that keeps silent, and why. */
export interface Held {
  trigger: Trigger;
  reason: HoldReason;
}

/** A firing that was kept back, and the trigger as it was. */
export interface SilencedFiring extends Silenced {
  trigger: Trigger;
}

/** A trigger that could not be decided on. */
export interface Faulty {
  trigger: Trigger;
  error: unknown;
}

/** A series that could not be read at the snapshot, so that none of its triggers was found. */
export interface FaultySeries {
  series: SeriesKey;
  error: unknown;
}

export interface Matches {
  /** Main triggers before the further ones of their rules. */
  moves: Move[];
  held: Held[];
  silenced: SilencedFiring[];
  /** Each is left as it was, and keeps no other from being decided on. */
  faulty: Faulty[];
  faultySeries: FaultySeries[];
}

/**
 * What a catch-up over several snapshots did so far. It outranks the index, which may lag behind:
 * a trigger moved at one snapshot is matched at the next even if the index still has it elsewhere.
 */
export class CatchUp {
  readonly #moved = new Map<string, Trigger | null>();
  /** `observedAt` of the newest snapshot matched; older ones change nothing. */
  through: number;

  /** @param through where earlier runs have come to, epoch milliseconds. */
  constructor(through = Number.NEGATIVE_INFINITY) {
    this.through = through;
  }

  /** Notes a trigger as it is now; null when it is gone. A writer that lost to another says so here. */
  note(triggerId: string, trigger: Trigger | null): void {
    this.#moved.set(triggerId, trigger);
  }

  /** The trigger as this run knows it, or as it was found. */
  current(found: Trigger): Trigger | null {
    return this.#moved.has(found.triggerId) ? (this.#moved.get(found.triggerId) ?? null) : found;
  }

  /** As `current`, of a trigger that was not found yet; undefined when this run knows nothing of it. */
  known(triggerId: string): Trigger | null | undefined {
    return this.#moved.get(triggerId);
  }

  moved(): Trigger[] {
    return [...this.#moved.values()].filter((trigger) => trigger !== null);
  }
}

export interface MatchInput {
  index: TriggerIndex;
  run: CatchUp;
  snapshot: Snapshot;
  /** The event's values, this snapshot's included (`remember`). */
  history: History;
  /** The series that the event's triggers are on; those of another feed are passed over. */
  series: readonly SeriesKey[];
  /** Whether no newer snapshot of the feed is stored: new triggers are held against that one. */
  isNewest: boolean;
  /** Epoch milliseconds, null while unknown. */
  eventStartsAt: number | null;
  /** The present, epoch milliseconds. @default no time is of the future */
  now?: number | undefined;
  /** The newest snapshot of the other feed, for conditions that ask for it. */
  otherFeed?: Snapshot | null;
}

/**
 * Matches one snapshot. Costs two range queries per series and direction, and one decision per
 * trigger that they find: nothing for the triggers that the snapshot does not reach. Notes every move
 * in `run`. A snapshot at or before `run.through` matches nothing.
 */
export async function matchSnapshot(input: MatchInput): Promise<Matches> {
  const { run, snapshot } = input;
  const matches: Matches = { moves: [], held: [], silenced: [], faulty: [], faultySeries: [] };
  if (snapshot.observedAt <= run.through) return matches;
  run.through = snapshot.observedAt;
  const readings = new Readings(input);
  const candidates = await findCandidates(input, readings, matches.faultySeries);
  const partners = await findPartners(input.index, candidates);
  for (const candidate of candidates.sort(mainFirst)) {
    const trigger = run.current(candidate);
    if (trigger === null) continue;
    try {
      matchTrigger(input, { trigger, readings, partners }, matches);
    } catch (error) {
      matches.faulty.push({ trigger, error });
    }
  }
  return matches;
}

interface Candidate {
  trigger: Trigger;
  readings: Readings;
  partners: Partners;
}

function matchTrigger(
  input: MatchInput,
  { trigger, readings, partners }: Candidate,
  matches: Matches,
): void {
  const { run } = input;
  const partner = partnerOf(trigger, run, partners);
  const { silenced, ...decision } = decide(input, readings, trigger, partner);
  if (silenced) matches.silenced.push({ trigger, ...silenced });
  if (decision.kind === 'hold') {
    matches.held.push({ trigger, reason: decision.reason });
    return;
  }
  note(run, trigger, decision);
  matches.moves.push({ trigger, decision });
}

function note(run: CatchUp, trigger: Trigger, decision: Move['decision']): void {
  run.note(trigger.triggerId, decision.kind === 'retire' ? null : decision.next);
  if (decision.kind !== 'fire' || decision.further === null) return;
  run.note(decision.further.triggerId, decision.further);
}

function mainFirst(a: Trigger, b: Trigger): number {
  return Number(a.role === 'further') - Number(b.role === 'further');
}

/** The series of one snapshot, each read once. */
class Readings {
  readonly #input: MatchInput;
  readonly #read = new Map<SeriesKey, Reading>();

  constructor(input: MatchInput) {
    this.#input = input;
  }

  of(series: SeriesKey): Reading {
    const known = this.#read.get(series);
    if (known) return known;
    const { snapshot, otherFeed, history } = this.#input;
    const isOther = feedKindOf(series) !== snapshot.feedKind;
    const reading = readSeries(series, isOther ? (otherFeed ?? snapshot) : snapshot, history);
    this.#read.set(series, reading);
    return reading;
  }

  holds(condition: TriggerCondition): boolean {
    if ('all' in condition) return condition.all.every((part) => this.holds(part));
    if ('any' in condition) return condition.any.some((part) => this.holds(part));
    const { value } = this.of(condition.series);
    return value !== null && isReached(condition, value);
  }
}

async function findCandidates(
  input: MatchInput,
  readings: Readings,
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

/** What the index would have found, had it caught up. */
function canMove(trigger: Trigger, value: number | null): boolean {
  if (trigger.state === 'new' || trigger.state === 'pending') return true;
  if (value === null) return false;
  return trigger.state === 'armed' ? isReached(trigger, value) : hasPassedRearm(trigger, value);
}

function decide(
  input: MatchInput,
  readings: Readings,
  trigger: Trigger,
  partner: Trigger | null,
): Decision {
  const { value, ...reading } = readings.of(trigger.series);
  const { observedAt } = input.snapshot;
  const { isNewest, eventStartsAt, now } = input;
  const facts: SnapshotFacts = {
    ...reading,
    ...{ observedAt, isNewest, eventStartsAt, now },
    partner,
    listings: listingsOf(input.snapshot, trigger.series),
    holds: (condition) => readings.holds(condition),
  };
  return decideTrigger(trigger, value, facts);
}

type Partners = ReadonlyMap<string, Trigger | null>;

/** The other triggers of rules that repeat, all at once: the index is asked for each by its id. */
async function findPartners(index: TriggerIndex, triggers: readonly Trigger[]): Promise<Partners> {
  const ids = triggers.map(partnerIdOf).filter((id) => id !== null);
  const found = ids.map(async (id) => [id, await index.find(id)] as const);
  return new Map(await Promise.all(found));
}

/** What this run did to the partner counts before what was found. */
function partnerOf(trigger: Trigger, run: CatchUp, partners: Partners): Trigger | null {
  const partnerId = partnerIdOf(trigger);
  if (partnerId === null) return null;
  const known = run.known(partnerId);
  return known === undefined ? (partners.get(partnerId) ?? null) : known;
}

/** Listings are named by the rules that ask for a listing, not by those that count them. */
function listingsOf(snapshot: Snapshot, series: SeriesKey): readonly ListingMatch[] {
  if (snapshot.feedKind !== 'listings') return [];
  const { base } = parseSeries(series);
  if (base.kind !== 'listings' || base.measure !== 'new_cheapest') return [];
  return Object.hasOwn(snapshot.filters, base.filter)
    ? (snapshot.filters[base.filter]?.matches ?? [])
    : [];
}

/** Snapshots in time order, the first of any that share a time: as a store would hand them out. */
export function inTimeOrder<T extends Snapshot>(snapshots: readonly T[]): T[] {
  const byTime = new Map<number, T>();
  for (const snapshot of snapshots) {
    if (!byTime.has(snapshot.observedAt)) byTime.set(snapshot.observedAt, snapshot);
  }
  return [...byTime.values()].sort((a, b) => a.observedAt - b.observedAt);
}
