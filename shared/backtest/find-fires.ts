// Runs rules over snapshots of one event: when each would have fired, and recovered. Uses the functions that match live
// snapshots, so a rule fires here where it fires live. All rules share one run and its reading of the series.
import { CatchUp } from '#shared/rules/catch-up.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { type Matches, matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { rememberBases } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { NewestSnapshots } from '#shared/rules/snapshot-readings.ts';
import { baseKeyOf, currentOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import type { FrozenFiring } from '#shared/rules/still-reached.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import {
  createTrigger,
  siblingOf,
  type Trigger,
  type TriggerCondition,
  type TriggerSpec,
} from '#shared/rules/trigger.ts';

export interface BacktestInput {
  eventId: number;
  rules: readonly Rule[];
  /** Of the rules' feed, in time order. The rules are made at the first. */
  snapshots: readonly Snapshot[];
  /** The values before the first snapshot; the run adds its own. @default none */
  history?: LoadedHistory;
  /** The newest snapshots of the other feeds at a time (epoch ms), for conditions on their series. */
  otherFeeds?: (at: number) => NewestSnapshots;
  /** Epoch milliseconds, null while unknown. */
  eventStartsAt: number | null;
}

/** One alert that a rule would have raised. */
export interface Fire {
  firing: Firing;
  /** The rule was true already when it was made. */
  alreadyTrue: boolean;
  /** The trigger that fired: a rule may have several. */
  trigger: Pick<Trigger, 'series' | 'direction'>;
}

/** One message that the number went back after a fire (`tell_recovery`). */
export interface Recovery {
  firing: Firing;
  trigger: Fire['trigger'];
}

/** What a rule would have told; in time order. */
export interface RuleAlerts {
  fires: Fire[];
  recoveries: Recovery[];
}

/** What a fire reached, or a recovery left, to compare with later snapshots. */
export function frozenOf({ firing: { level, baseline }, trigger }: Recovery): FrozenFiring {
  return { ...trigger, level, baseline };
}

/** @returns the fires and recoveries of each rule, in the order of the rules. */
export async function findFires(input: BacktestInput): Promise<RuleAlerts[]> {
  const { snapshots, rules, eventId, otherFeeds, eventStartsAt } = input;
  const found: RuleAlerts[] = rules.map(() => ({ fires: [], recoveries: [] }));
  const [first] = snapshots;
  if (!first) return found;
  const specs = rules.map(compileRule);
  const series = seriesOf(specs);
  const bases = basesOf(series, first);
  const index = indexOf(specs, eventId, first.observedAt);
  const { history = new LoadedHistory() } = input;
  for (const snapshot of snapshots) {
    rememberBases(history, snapshot, bases);
    const run = new CatchUp();
    const matches = await matchSnapshot({
      ...{ index, run, snapshot, history, series, eventStartsAt },
      ...(otherFeeds && { otherFeeds: otherFeeds(snapshot.observedAt) }),
      // A trigger is new only at the first snapshot, which is its present state.
      isNewest: true,
    });
    keepMoves(index, run, matches);
    for (const { trigger, decision } of matches.moves) {
      const own = found[Number(trigger.ruleId)];
      if (decision.kind === 'fire') {
        const { firing, alreadyTrue } = decision;
        own?.fires.push({ firing, alreadyTrue, trigger });
      }
      if (decision.kind === 'rearm' && decision.recovery) {
        own?.recoveries.push({ firing: decision.recovery, trigger });
      }
    }
  }
  return found;
}

function keepMoves(index: MemoryTriggerIndex, run: CatchUp, { moves }: Matches): void {
  for (const trigger of run.moved()) index.put(trigger);
  for (const { trigger, decision } of moves) {
    if (decision.kind === 'retire') index.remove(trigger.triggerId);
  }
}

/** Every series that the triggers and their conditions read, each once. */
function seriesOf(specs: readonly TriggerSpec[][]): SeriesKey[] {
  const own = specs
    .flat()
    .flatMap(({ series, condition }) => [series, ...conditionSeries(condition)]);
  return [...new Set(own)];
}

/** The series that a rule reads: its own, and those of its conditions. */
export function seriesOfRule(rule: Rule): SeriesKey[] {
  return seriesOf([compileRule(rule)]);
}

function conditionSeries(condition: TriggerCondition | null): SeriesKey[] {
  if (condition === null) return [];
  if ('all' in condition) return condition.all.flatMap(conditionSeries);
  return 'any' in condition ? condition.any.flatMap(conditionSeries) : [condition.series];
}

/** The numbers of the run's own feed that windows and jump checks read. */
function basesOf(series: readonly SeriesKey[], { feedKind }: Snapshot) {
  const own = series.filter((key) => feedKindOf(key) === feedKind);
  const bases = own.map((key) => currentOf(parseSeries(key).base));
  return [...new Map(bases.map((base) => [baseKeyOf(base), base])).values()];
}

/** A rule's position in the list is its id. */
function indexOf(
  specs: readonly TriggerSpec[][],
  eventId: number,
  createdAt: number,
): MemoryTriggerIndex {
  const index = new MemoryTriggerIndex();
  for (const [position, own] of specs.entries()) {
    const ruleId = String(position);
    const ids = own.map((_, number) => `${ruleId}/${number}`);
    for (const [number, spec] of own.entries()) {
      const triggerId = `${ruleId}/${number}`;
      const identity = { watchId: 'backtest', ownerId: 'backtest', eventId, ruleId, triggerId };
      index.put(createTrigger(spec, { ...identity, ...siblingOf(ids, triggerId) }, createdAt));
    }
  }
  return index;
}
