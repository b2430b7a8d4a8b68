// Runs a rule over stored snapshots: when it would have fired, without saving it. It uses the same functions
// as live matching, with an index of the rule and its neighbours, in one run.

import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { type FeedKind, feedKinds } from '#shared/polling/feed-kinds.ts';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { remember } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { NewestSnapshots } from '#shared/rules/snapshot-readings.ts';
import { baseKeyOf, baseValues, currentOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import {
  createTrigger,
  siblingOf,
  type TriggerCondition,
  type TriggerSpec,
} from '#shared/rules/trigger.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import { nearbyRules } from './nearby-rules.ts';

interface PreviewDeps {
  stores: Pick<Stores, 'snapshots' | 'eventFacts'>;
  loadHistory: LoadHistory;
}

/** A rule, an event, and a range of market time; epoch milliseconds. */
export interface PreviewRequest {
  eventId: number;
  rule: Rule;
  from: number;
  through: number;
}

export interface PreviewFire {
  firing: Firing;
  alreadyTrue: boolean;
  /** The lowest value of the rule's metric after this firing; null for none. */
  lowestAfter: { at: number; value: number } | null;
}

/** How often the rule would have fired with each other amount. */
export interface NearbyCount {
  amount: number;
  rule: Rule;
  count: number;
}

export interface Preview {
  fires: PreviewFire[];
  /** The rule and its neighbours, smallest amount first; empty for a rule without an amount. */
  nearby: NearbyCount[];
  snapshots: number;
  /** The time range that the snapshots cover; null if there are none. */
  covered: { from: number; through: number } | null;
  /** Whether there were more snapshots than one preview reads; then the earliest are left out. */
  isCut: boolean;
  series: SeriesKey;
}

/** Maximum number of snapshots in a preview: a month at one every ten minutes. */
export const mostPreviewed = 4_500;

/** The use case; `now` is epoch milliseconds. */
export function createPreviewRule({ stores, loadHistory }: PreviewDeps) {
  return async function previewRule(request: PreviewRequest, now: number): Promise<Preview> {
    const { eventId, rule, from, through } = request;
    const [main] = compileRule(rule);
    if (!main) throw new Error('a rule compiles to one trigger at least');
    const kind = feedKindOf(main.series);
    const latest = await stores.snapshots.latest({ eventId, kind }, through, mostPreviewed + 1);
    const inTime = latest.filter(({ observedAt }) => observedAt >= from);
    const snapshots = inTime.slice(-mostPreviewed);
    const nearby = nearbyRules(rule);
    const rules = [rule, ...nearby.map((each) => each.rule)];
    const run = await openRun({ stores, loadHistory }, request, { rules, snapshots, now });
    const found: FoundFire[] = [];
    for (const snapshot of snapshots) found.push(...(await run(snapshot)));
    const firesOf = (index: number) => found.filter(({ ruleIndex }) => ruleIndex === index);
    const [first, last] = [snapshots[0], snapshots.at(-1)];
    return {
      fires: firesOf(0).map(({ firing, alreadyTrue }) => ({
        ...{ firing, alreadyTrue },
        lowestAfter: lowestAfter(snapshots, main.series, firing.observedAt),
      })),
      nearby: nearby.map((each, index) => ({ ...each, count: firesOf(index + 1).length })),
      snapshots: snapshots.length,
      covered: first && last ? { from: first.observedAt, through: last.observedAt } : null,
      isCut: inTime.length > snapshots.length,
      series: main.series,
    };
  };
}

interface FoundFire extends Pick<PreviewFire, 'firing' | 'alreadyTrue'> {
  /** The index of the rule in the run. */
  ruleIndex: number;
}

interface RunInput {
  rules: readonly Rule[];
  snapshots: readonly Snapshot[];
  now: number;
}

/** Makes the rules' triggers at the first snapshot; the returned function takes one snapshot at a time. */
async function openRun(
  { stores, loadHistory }: PreviewDeps,
  { eventId }: PreviewRequest,
  { rules, snapshots, now }: RunInput,
) {
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  if (!first || !last) return async () => [];
  const specs = rules.map(compileRule);
  const index = indexOf(specs, eventId, first.observedAt);
  const series = [
    ...new Set(specs.flat().flatMap((spec) => [spec.series, ...conditionSeries(spec.condition)])),
  ];
  const feed = { eventId, kind: first.feedKind };
  const through = first.observedAt - 1;
  const { history } = await loadHistory({ feed, series, through, newest: last.observedAt, now });
  const eventStartsAt = startOf(await stores.eventFacts.find(eventId));
  const others = await otherSnapshots(stores, { eventId, first, last });

  return async (snapshot: Snapshot) => {
    remember(history, snapshot);
    const run = new CatchUp();
    const { moves } = await matchSnapshot({
      ...{ index, run, snapshot, history, series, eventStartsAt },
      otherFeeds: newestAt(others, snapshot.observedAt),
      // A trigger is new only at the first snapshot, which is its present state.
      isNewest: true,
    });
    for (const trigger of run.moved()) index.put(trigger);
    for (const { trigger, decision } of moves) {
      if (decision.kind === 'retire') index.remove(trigger.triggerId);
    }
    return moves.flatMap(({ trigger, decision }): FoundFire[] => {
      if (decision.kind !== 'fire') return [];
      const { firing, alreadyTrue } = decision;
      return [{ firing, alreadyTrue, ruleIndex: Number(trigger.ruleId) }];
    });
  };
}

/** A rule's position in the list is its id. */
function indexOf(
  specs: readonly TriggerSpec[][],
  eventId: number,
  createdAt: number,
): MemoryTriggerIndex {
  const index = new MemoryTriggerIndex();
  for (const [ruleIndex, own] of specs.entries()) {
    const ruleId = String(ruleIndex);
    const ids = own.map((_, number) => `${ruleId}/${number}`);
    for (const [number, spec] of own.entries()) {
      const triggerId = `${ruleId}/${number}`;
      const identity = { watchId: 'preview', ownerId: 'preview', eventId, ruleId, triggerId };
      index.put(createTrigger(spec, { ...identity, ...siblingOf(ids, triggerId) }, createdAt));
    }
  }
  return index;
}

async function otherSnapshots(
  { snapshots }: PreviewDeps['stores'],
  { eventId, first, last }: { eventId: number; first: Snapshot; last: Snapshot },
): Promise<Map<FeedKind, Snapshot[]>> {
  const kinds = feedKinds.filter((kind) => kind !== first.feedKind);
  const reads = kinds.map(async (kind) => {
    const found = await snapshots.latest({ eventId, kind }, last.observedAt, mostPreviewed);
    const earlier = found.findLastIndex(({ observedAt }) => observedAt <= first.observedAt);
    return [kind, found.slice(Math.max(0, earlier))] as const;
  });
  return new Map(await Promise.all(reads));
}

function newestAt(snapshots: ReadonlyMap<FeedKind, Snapshot[]>, at: number): NewestSnapshots {
  const found = [...snapshots].map(
    ([kind, own]) => [kind, own.findLast(({ observedAt }) => observedAt <= at) ?? null] as const,
  );
  return Object.fromEntries(found);
}

function conditionSeries(condition: TriggerCondition | null): SeriesKey[] {
  if (condition === null) return [];
  if ('all' in condition) return condition.all.flatMap(conditionSeries);
  return 'any' in condition ? condition.any.flatMap(conditionSeries) : [condition.series];
}

/** The metric under the series, such as the price under a price change. */
function lowestAfter(snapshots: readonly Snapshot[], series: SeriesKey, after: number) {
  const base = baseKeyOf(currentOf(parseSeries(series).base));
  let lowest: { at: number; value: number } | null = null;
  for (const snapshot of snapshots) {
    if (snapshot.observedAt <= after) continue;
    const found = baseValues(snapshot).find(([each]) => baseKeyOf(each) === base)?.[1] ?? null;
    if (found === null || (lowest && lowest.value <= found)) continue;
    lowest = { at: snapshot.observedAt, value: found };
  }
  return lowest;
}
