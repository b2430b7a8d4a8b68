// Holds a rule against what is stored: when it would have fired, without saving it. The very functions
// that match live snapshots do it, over an index of one rule.
import { compileRule } from '#shared/rules/compile.ts';
import { CatchUp, matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import type { Firing } from '#shared/rules/move.ts';
import { baseValues, remember, type Snapshot } from '#shared/rules/reading.ts';
import type { Rule } from '#shared/rules/rule.ts';
import { baseKeyOf, feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import { createTrigger, type TriggerCondition, type TriggerSpec } from '#shared/rules/trigger.ts';
import type { LoadHistory } from '#shared/store/history.ts';
import type { Stores } from '#shared/store/stores.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';

interface PreviewDeps {
  stores: Pick<Stores, 'snapshots' | 'eventFacts'>;
  loadHistory: LoadHistory;
}

/** A rule, an event, and a stretch of the market's time; epoch milliseconds. */
export interface PreviewRequest {
  eventId: number;
  rule: Rule;
  from: number;
  through: number;
}

export interface PreviewFire {
  firing: Firing;
  alreadyTrue: boolean;
  /** The lowest value of the number that the rule watches, after this fire; null for none. */
  lowestAfter: { at: number; value: number } | null;
}

export interface Preview {
  fires: PreviewFire[];
  snapshots: number;
  /** The stretch that the snapshots cover; null without any. */
  covered: { from: number; through: number } | null;
  /** Whether there were more snapshots than one preview reads: the earliest were left out. */
  isCut: boolean;
  series: SeriesKey;
}

/** Snapshots of one preview: a month at one every ten minutes. */
export const mostPreviewed = 4_500;

/** The use case; `now` is epoch milliseconds. */
export function createPreviewRule({ stores, loadHistory }: PreviewDeps) {
  return async function previewRule(request: PreviewRequest, now: number): Promise<Preview> {
    const { eventId, rule, from, through } = request;
    const specs = compileRule(rule);
    const [main] = specs;
    if (!main) throw new Error('a rule compiles to one trigger at least');
    const kind = feedKindOf(main.series);
    const latest = await stores.snapshots.latest({ eventId, kind }, through, mostPreviewed + 1);
    const inTime = latest.filter(({ observedAt }) => observedAt >= from);
    const snapshots = inTime.slice(-mostPreviewed);
    const run = await openRun({ stores, loadHistory }, request, { specs, snapshots, now });
    const fires: Omit<PreviewFire, 'lowestAfter'>[] = [];
    for (const snapshot of snapshots) fires.push(...(await run(snapshot)));
    const [first, last] = [snapshots[0], snapshots.at(-1)];
    return {
      fires: fires.map((fire) => ({
        ...fire,
        lowestAfter: lowestAfter(snapshots, main.series, fire.firing.observedAt),
      })),
      snapshots: snapshots.length,
      covered: first && last ? { from: first.observedAt, through: last.observedAt } : null,
      isCut: inTime.length > snapshots.length,
      series: main.series,
    };
  };
}

interface RunInput {
  specs: TriggerSpec[];
  snapshots: readonly Snapshot[];
  now: number;
}

/** Makes the rule's triggers as of the first snapshot; the answer takes one snapshot after another. */
async function openRun(
  { stores, loadHistory }: PreviewDeps,
  { eventId }: PreviewRequest,
  { specs, snapshots, now }: RunInput,
) {
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  if (!first || !last) return async () => [];
  const index = new MemoryTriggerIndex();
  const identity = { watchId: 'preview', ruleId: 'preview', ownerId: 'preview', eventId };
  for (const [number, spec] of specs.entries()) {
    index.put(
      createTrigger(spec, { ...identity, triggerId: `preview${number}` }, first.observedAt),
    );
  }
  const series = [
    ...new Set(specs.flatMap((spec) => [spec.series, ...conditionSeries(spec.condition)])),
  ];
  const feed = { eventId, kind: first.feedKind };
  const through = first.observedAt - 1;
  const { history } = await loadHistory({ feed, series, through, newest: last.observedAt, now });
  const eventStartsAt = startOf(await stores.eventFacts.find(eventId));
  const otherFeeds = await otherSnapshots(stores, { eventId, first, last });

  return async (snapshot: Snapshot) => {
    remember(history, snapshot);
    const run = new CatchUp();
    const otherFeed = otherFeeds.findLast(({ observedAt }) => observedAt <= snapshot.observedAt);
    const { moves } = await matchSnapshot({
      ...{ index, run, snapshot, history, series, eventStartsAt },
      otherFeed: otherFeed ?? null,
      // A trigger is new at the first snapshot only, and that is its present.
      isNewest: true,
    });
    for (const trigger of run.moved()) index.put(trigger);
    for (const { trigger, decision } of moves) {
      if (decision.kind === 'retire') index.remove(trigger.triggerId);
    }
    return moves.flatMap(({ decision }) =>
      decision.kind === 'fire'
        ? [{ firing: decision.firing, alreadyTrue: decision.alreadyTrue }]
        : [],
    );
  };
}

async function otherSnapshots(
  { snapshots }: PreviewDeps['stores'],
  { eventId, first, last }: { eventId: number; first: Snapshot; last: Snapshot },
): Promise<Snapshot[]> {
  const kind = first.feedKind === 'stats' ? 'listings' : 'stats';
  const found = await snapshots.latest({ eventId, kind }, last.observedAt, mostPreviewed);
  const earlier = found.findLastIndex(({ observedAt }) => observedAt <= first.observedAt);
  return found.slice(Math.max(0, earlier));
}

function conditionSeries(condition: TriggerCondition | null): SeriesKey[] {
  if (condition === null) return [];
  if ('all' in condition) return condition.all.flatMap(conditionSeries);
  return 'any' in condition ? condition.any.flatMap(conditionSeries) : [condition.series];
}

/** Of the number under the series, such as the price under a change of it. */
function lowestAfter(snapshots: readonly Snapshot[], series: SeriesKey, after: number) {
  const base = baseKeyOf(parseSeries(series).base).replace('/new_cheapest/', '/cheapest/');
  let lowest: { at: number; value: number } | null = null;
  for (const snapshot of snapshots) {
    if (snapshot.observedAt <= after) continue;
    const found = baseValues(snapshot).find(([each]) => baseKeyOf(each) === base)?.[1] ?? null;
    if (found === null || (lowest && lowest.value <= found)) continue;
    lowest = { at: snapshot.observedAt, value: found };
  }
  return lowest;
}
