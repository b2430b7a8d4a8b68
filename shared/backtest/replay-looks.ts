// Replays triggers over the looks at an event: what each trigger decided at each snapshot, and why. Uses the
// functions that match live snapshots. Where a stored alert shows that the trigger decided otherwise, the stored
// alert wins, and the replay goes on from there.
import { CatchUp } from '#shared/rules/catch-up.ts';
import type { Decision } from '#shared/rules/decide.ts';
import type { LoadedHistory } from '#shared/rules/history.ts';
import { matchSnapshot } from '#shared/rules/match.ts';
import { rememberBases } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import { type NewestSnapshots, SnapshotReadings } from '#shared/rules/snapshot-readings.ts';
import { baseKeyOf, currentOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import { fire } from '#shared/rules/transitions.ts';
import { seriesAskedFor, type Trigger } from '#shared/rules/trigger.ts';
import type { TriggerIndex } from '#shared/rules/trigger-index.ts';

/** The numbers of a stored alert that say how its trigger went on. */
export interface StoredFiring {
  triggerId: string;
  observedAt: number;
  value: number;
  base: number;
  baseline: number | null;
}

export interface ReplayInput {
  /** As they were before the first snapshot. */
  triggers: readonly Trigger[];
  /** Of one feed, in time order. */
  snapshots: readonly Snapshot[];
  /** The values before the first snapshot; the replay adds its own. */
  history: LoadedHistory;
  /** Epoch milliseconds, null while unknown. */
  eventStartsAt: number | null;
  /** The newest snapshots of the other feeds at a time (epoch ms). */
  otherFeeds?: (at: number) => NewestSnapshots;
  /** Every alert that these triggers raised at these snapshots. */
  stored: readonly StoredFiring[];
  /** Whether the watch was paused when a snapshot was seen: then it raised no alert, and the trigger stayed. */
  isPaused?: (snapshot: Snapshot) => boolean;
  /** Snapshots after this time were not evaluated yet; their alerts may still come. */
  evaluatedThrough: number;
}

/** What one trigger decided at one snapshot. */
export interface Decided {
  /** As it was before. */
  trigger: Trigger;
  decision: Decision | { kind: 'failed'; error: unknown } | { kind: 'waits' };
  /** `alerted`: an alert is stored. `missing`: it should have alerted, and no alert is stored. */
  outcome: 'as_decided' | 'alerted' | 'missing';
}

/** One snapshot with the decisions by trigger id. */
export interface ReplayedLook {
  snapshot: Snapshot;
  readings: SnapshotReadings;
  decided: ReadonlyMap<string, Decided>;
}

/** Calls `visit` for each snapshot, oldest first; what it needs of the readings it must read at once. */
export async function replayLooks(
  input: ReplayInput,
  visit: (look: ReplayedLook) => void,
): Promise<void> {
  const { snapshots, history, eventStartsAt, otherFeeds } = input;
  const index = new EveryTrigger(input.triggers);
  const bases = basesOf(input);
  const stored = new Map(input.stored.map((firing) => [placeOf(firing), firing]));
  for (const [place, snapshot] of snapshots.entries()) {
    rememberBases(history, snapshot, bases);
    const others = otherFeeds && { otherFeeds: otherFeeds(snapshot.observedAt) };
    const before = index.unsettled();
    const matches = await matchSnapshot({
      ...{ index, run: new CatchUp(), snapshot, history, series: [], eventStartsAt },
      ...others,
      // A new trigger is matched first with the newest snapshot of its time.
      isNewest: place === 0,
    });
    const decisions = new Map<string, Decided['decision']>([
      ...matches.held.map(hold),
      ...matches.faulty.map(failed),
      ...matches.moves.map(({ trigger, decision }) => [trigger.triggerId, decision] as const),
    ]);
    const decided = new Map<string, Decided>();
    const isEvaluated = snapshot.observedAt <= input.evaluatedThrough;
    for (const trigger of before) {
      const { triggerId } = trigger;
      const firing = stored.get(placeOf({ triggerId, observedAt: snapshot.observedAt }));
      const decision = decisions.get(triggerId) ?? { kind: 'waits' };
      const isSilent = decision.kind === 'fire' && (input.isPaused?.(snapshot) ?? false);
      const followed = { decision, firing, isEvaluated, isSilent, snapshot };
      decided.set(triggerId, index.follow(trigger, followed));
    }
    visit({ snapshot, readings: new SnapshotReadings({ snapshot, history, ...others }), decided });
  }
}

type Held = Awaited<ReturnType<typeof matchSnapshot>>['held'][number];
type Faulty = Awaited<ReturnType<typeof matchSnapshot>>['faulty'][number];

function hold({ trigger, reason }: Held): [string, Decided['decision']] {
  return [trigger.triggerId, { kind: 'hold', reason }];
}

function failed({ trigger, error }: Faulty): [string, Decided['decision']] {
  return [trigger.triggerId, { kind: 'failed', error }];
}

function placeOf({ triggerId, observedAt }: Pick<StoredFiring, 'triggerId' | 'observedAt'>) {
  return `${triggerId}@${observedAt}`;
}

interface Followed {
  decision: Decided['decision'];
  firing: StoredFiring | undefined;
  isEvaluated: boolean;
  isSilent: boolean;
  snapshot: Snapshot;
}

/** An index that gives every trigger to each match, so that each one says its reason. */
class EveryTrigger implements TriggerIndex {
  readonly #byId = new Map<string, Trigger>();

  constructor(triggers: readonly Trigger[]) {
    for (const trigger of triggers) this.#byId.set(trigger.triggerId, trigger);
  }

  armedReachedBy(): Trigger[] {
    return [];
  }

  firedPassedBy(): Trigger[] {
    return [];
  }

  unsettled(): Trigger[] {
    return [...this.#byId.values()];
  }

  find(triggerId: string): Trigger | null {
    return this.#byId.get(triggerId) ?? null;
  }

  /** Moves a trigger as it decided, or as a stored alert shows. */
  follow(trigger: Trigger, followed: Followed): Decided {
    const { decision, firing, isEvaluated, isSilent, snapshot } = followed;
    if (firing) {
      this.#fire(trigger, decision, { firing, snapshot });
      return { trigger, decision, outcome: 'alerted' };
    }
    if (!isEvaluated || isBefore(trigger, decision, snapshot)) {
      return { trigger, decision: { kind: 'waits' }, outcome: 'as_decided' };
    }
    if (isSilent) return { trigger, decision, outcome: 'as_decided' };
    if (decision.kind === 'retire') this.#byId.delete(trigger.triggerId);
    const isMissing = decision.kind === 'fire';
    if ('next' in decision) {
      // A firing without an alert counts for no limit of the rule.
      const { firings } = isMissing ? trigger.memory : decision.next.memory;
      const memory = { ...decision.next.memory, firings };
      this.#byId.set(trigger.triggerId, { ...decision.next, memory });
    }
    return { trigger, decision, outcome: isMissing ? 'missing' : 'as_decided' };
  }

  #fire(
    trigger: Trigger,
    decision: Decided['decision'],
    { firing, snapshot }: { firing: StoredFiring; snapshot: Snapshot },
  ): void {
    const { observedAt, value, base, baseline } = firing;
    const fired =
      decision.kind === 'fire' ? decision : fire(trigger, value, { observedAt, base, baseline });
    this.#byId.set(trigger.triggerId, { ...fired.next, movedThrough: snapshot.observedAt });
    if (fired.further) this.#byId.set(fired.further.triggerId, fired.further);
  }
}

/** A new trigger may be matched first with a snapshot from before it was made, or with the one after. */
function isBefore(trigger: Trigger, { kind }: Decided['decision'], { observedAt }: Snapshot) {
  return trigger.state === 'new' && kind === 'fire' && observedAt < trigger.createdAt;
}

/** The numbers of the run's own feed that windows and jump checks read. */
function basesOf({ triggers, snapshots }: ReplayInput) {
  const kind = snapshots[0]?.feedKind;
  const series = new Set<SeriesKey>(triggers.flatMap((trigger) => [...seriesAskedFor(trigger)]));
  const own = [...series].filter((key) => feedKindOf(key) === kind);
  const bases = own.map((key) => currentOf(parseSeries(key).base));
  return [...new Map(bases.map((base) => [baseKeyOf(base), base])).values()];
}
