/**
 * Matches one snapshot against an event's triggers: asks the index for those that may move, and decides on
 * each. Writes only to the memory of its run.
 */
import {
  type CandidatesInput,
  type FaultySeries,
  findCandidates,
  findPartners,
  type Partners,
  partnerOf,
  sharersOf,
} from './candidates.ts';
import type { CatchUp } from './catch-up.ts';
import { type Decision, decideTrigger, type Silenced, type SilenceReason } from './decide.ts';
import type { History } from './history.ts';
import { isLoneListing } from './lone-listing.ts';
import { parseSeries } from './series.ts';
import { type NewestSnapshots, SnapshotReadings } from './snapshot-readings.ts';
import { listingsOf, type Snapshot } from './sources/sources.ts';
import type { Trigger } from './trigger.ts';
import type { SnapshotFacts } from './trigger-limits.ts';

export interface Transition {
  /** As it was. */
  trigger: Trigger;
  decision: Exclude<Decision, { kind: 'hold' }>;
}

/** A trigger that the snapshot reached but that stays silent, and why. */
export interface SilentTrigger {
  trigger: Trigger;
  reason: SilenceReason;
}

/** A firing that a limit stopped, and the trigger before it. */
export interface SilencedFiring extends Silenced {
  trigger: Trigger;
}

/** A trigger whose decision threw an error. */
export interface Faulty {
  trigger: Trigger;
  error: unknown;
}

export interface Matches {
  /** Main triggers come before the further triggers of their rules. */
  moves: Transition[];
  held: SilentTrigger[];
  silenced: SilencedFiring[];
  /** Each stays unchanged, and the other triggers are still decided. */
  faulty: Faulty[];
  faultySeries: FaultySeries[];
}

export interface MatchInput extends CandidatesInput {
  /** The event's values, including this snapshot's (`remember`). */
  history: History;
  /** Whether no newer snapshot of the feed is stored. Only then may it be older than a new trigger. */
  isNewest: boolean;
  /** Epoch milliseconds, null while unknown. */
  eventStartsAt: number | null;
  /** Now, epoch milliseconds. @default no time counts as future */
  now?: number | undefined;
  /** The newest snapshots of the other feeds, for conditions on their series. */
  otherFeeds?: NewestSnapshots;
}

/**
 * Matches one snapshot. Costs two range queries per series and direction, and one decision per trigger
 * found; triggers that the snapshot does not reach cost nothing. Notes every move in `run`. A snapshot at or
 * before `run.through` matches nothing.
 */
export async function matchSnapshot(input: MatchInput): Promise<Matches> {
  const { run, snapshot } = input;
  const matches: Matches = { moves: [], held: [], silenced: [], faulty: [], faultySeries: [] };
  if (snapshot.observedAt <= run.through) return matches;
  run.through = snapshot.observedAt;
  const readings = new SnapshotReadings(input);
  const candidates = await findCandidates(input, readings, matches.faultySeries);
  const partners = await findPartners(input.index, candidates);
  for (const candidate of candidates.sort(mainFirst)) {
    // A trigger that was also read by id is newer than the index, and its write is conditional on that read.
    const trigger = run.current(partners.get(candidate.triggerId) ?? candidate);
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
  readings: SnapshotReadings;
  partners: Partners;
}

function matchTrigger(
  input: MatchInput,
  { trigger, readings, partners }: Candidate,
  matches: Matches,
): void {
  const { run } = input;
  const others = {
    partner: partnerOf(trigger, run, partners),
    sharers: sharersOf(trigger, run, partners),
  };
  const { silenced, ...decision } = decide(input, readings, trigger, others);
  if (silenced) matches.silenced.push({ trigger, ...silenced });
  if (decision.kind === 'hold') {
    matches.held.push({ trigger, reason: decision.reason });
    return;
  }
  note(run, trigger, decision);
  matches.moves.push({ trigger, decision });
}

function note(run: CatchUp, trigger: Trigger, decision: Transition['decision']): void {
  run.note(trigger.triggerId, decision.kind === 'retire' ? null : decision.next);
  if (decision.kind !== 'fire' || decision.further === null) return;
  run.note(decision.further.triggerId, decision.further);
}

function mainFirst(a: Trigger, b: Trigger): number {
  return Number(a.role === 'further') - Number(b.role === 'further');
}

function decide(
  input: MatchInput,
  readings: SnapshotReadings,
  trigger: Trigger,
  others: Pick<SnapshotFacts, 'partner' | 'sharers'>,
): Decision {
  const { value, ...reading } = readings.of(trigger.series);
  const { base } = parseSeries(trigger.series);
  const { observedAt } = input.snapshot;
  const { isNewest, eventStartsAt, now } = input;
  const facts: SnapshotFacts = {
    ...reading,
    ...{ observedAt, isNewest, eventStartsAt, now },
    ...others,
    listings: listingsOf(base, input.snapshot),
    isLone: () => isLoneListing(base, input.snapshot, input.history),
    holds: (condition) => readings.holds(condition),
  };
  return decideTrigger(trigger, value, facts);
}

/** Snapshots in time order; of several at one time only the first, as a store would return them. */
export function inTimeOrder<T extends Snapshot>(snapshots: readonly T[]): T[] {
  const byTime = new Map<number, T>();
  for (const snapshot of snapshots) {
    if (!byTime.has(snapshot.observedAt)) byTime.set(snapshot.observedAt, snapshot);
  }
  return [...byTime.values()].sort((a, b) => a.observedAt - b.observedAt);
}
