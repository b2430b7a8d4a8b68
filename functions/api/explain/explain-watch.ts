// Explains a watch over a range of time: for each rule, each look at it, its number, and why it spoke or not.
// Costs no pull and keeps nothing of its own: the decisions are those of the live matching over the stored
// snapshots, checked against the stored alerts.
import type { Alert } from '#shared/alerts/alert.ts';
import { replayLooks } from '#shared/backtest/replay-looks.ts';
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { seriesValue } from '#shared/rules/reading.ts';
import { feedKindOf, type SeriesKey } from '#shared/rules/series.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { seriesAskedFor, type Trigger } from '#shared/rules/trigger.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { type LoadedLooks, loadBeside, loadLooks } from './load-looks.ts';
import { type Gap, gapsIn } from './look-gaps.ts';
import type { KnownFromReason } from './look-reasons.ts';
import { closestMiss, type LookRow, readRow } from './look-row.ts';
import { erasOf, type RuleEra, type WatchAt, wasPausedAt } from './rule-eras.ts';
import { beginsAt, startTriggers } from './start-triggers.ts';
import { type FoundAlerts, readStoredAlerts } from './stored-alerts.ts';

const weekMs = 7 * 86_400_000;
/** Snapshots of one answer: a week at one every two minutes; fewer for a watch with many rules. */
const mostLooks = 5_000;
const mostRows = 20_000;
/** More than the versions of a watch that are kept. */
const erasOfRule = 100;
/** The newest forms of a rule that one answer explains; each takes reads and a replay of its own. */
const mostEras = 10;

/** Times are epoch milliseconds. */
export interface ExplainRequest {
  watch: Watch;
  /** What the watch was, oldest first (`versionsOf`). */
  versions: readonly WatchAt[];
  /** The rule's triggers as stored now, by id. */
  triggers: ReadonlyMap<string, Trigger>;
  from: number;
  to: number;
  timeZone: string;
  now: number;
}

export interface ExplainedRule {
  rule: WatchRule;
  /** The forms that it had in the range, oldest first; the last is that of today. */
  eras: RuleEra[];
  /** Nothing is known of the rule before. */
  knownFrom: number;
  knownFromReason: KnownFromReason;
  closestMiss: LookRow | undefined;
  /** False if some of its alerts can't be read. */
  areAlertsWhole: boolean;
}

export interface Explanation {
  /** Newest first. */
  rows: LookRow[];
  rules: ExplainedRule[];
  gaps: Gap[];
}

interface ExplainDeps {
  stores: Pick<Stores, 'alerts' | 'evaluations' | 'eventFacts' | 'feeds' | 'snapshots'>;
  loadHistory: LoadHistory;
}

/** One form of a rule with what is stored about it. */
interface KnownRule extends RuleEra, FoundAlerts {
  /** The rule's place in its watch. */
  place: number;
  /** Sorts the rows of one snapshot: by rule, the newest form first. */
  index: number;
  kind: FeedKind;
  series: SeriesKey[];
  /** The replay begins there. */
  replayFrom: number;
}

export type ExplainWatch = (request: ExplainRequest) => Promise<Explanation>;

/** The use case. */
export function createExplainWatch({ stores, loadHistory }: ExplainDeps): ExplainWatch {
  return async function explainWatch(request) {
    const { watch, from, to } = request;
    const known = await Promise.all(watch.rules.map((_, place) => readEras(request, place)));
    const byKind = [...Map.groupBy(known.flat(), ({ kind }) => kind)];
    const parts = await Promise.all(byKind.map(([kind, eras]) => ofFeed(request, kind, eras)));
    const rows = parts.flatMap((part) => part.rows);
    return {
      rows: rows
        .filter(({ observedAt }) => observedAt >= from && observedAt <= to)
        .sort(newestFirst),
      rules: known.map((eras, place) => {
        const own = rows.filter(({ index }) => Math.floor(index / erasOfRule) === place);
        return explained(request, eras, { rows: own, parts });
      }),
      gaps: parts.flatMap((part) => part.gaps),
    };
  };

  async function readEras(request: ExplainRequest, place: number): Promise<KnownRule[]> {
    const { watch, versions, triggers, from, to } = request;
    const rule = watch.rules[place];
    if (!rule) return [];
    const own = rule.triggerIds.flatMap((id) => triggers.get(id) ?? []);
    const oldest = Math.min(from, to - weekMs);
    const found = await readStoredAlerts(stores, own, oldest);
    const madeAt = beginsAt(watch, rule, triggers);
    const watchMadeAt = Date.parse(watch.createdAt);
    const eras = erasOf(versions, rule, { madeAt, watchMadeAt }).filter((era) => era.to > oldest);
    const known = eras.map((era, number) => knownEra(era, found, { place, number, oldest }));
    return known.slice(-mostEras);
  }

  async function ofFeed(request: ExplainRequest, kind: FeedKind, rules: readonly KnownRule[]) {
    const { watch, to, now } = request;
    const { eventId, latencySeconds } = watch;
    const feed = { eventId, kind };
    const wanted = {
      ...{ eventId, kind, from: Math.min(...rules.map((rule) => rule.replayFrom)), through: to },
      most: Math.min(mostLooks, Math.floor(mostRows / rules.length)),
    };
    const [loaded, facts, evaluation, stored] = await Promise.all([
      loadLooks(stores, wanted),
      stores.eventFacts.find(eventId),
      stores.evaluations.find(feed),
      stores.feeds.find(eventId, kind),
    ]);
    const terms = {
      ...{ request, kind, eventStartsAt: startOf(facts) },
      evaluatedThrough: evaluation?.evaluatedThrough ?? Number.NEGATIVE_INFINITY,
    };
    // Two forms of one rule have the same triggers, so each has a replay of its own.
    const groups = [...Map.groupBy(rules, (rule) => replayKey(rule, loaded.looks))];
    const replays = await Promise.all(
      groups.map(([key, own]) => {
        const [start = 0, end = 0] = key.split('#').map(Number);
        const areLost = loaded.isCut && start === 0;
        return replay({ ...terms, areLost }, own, loaded.looks.slice(start, end));
      }),
    );
    return {
      ...{ rows: replays.flat(), kind, loaded },
      gaps: gapsIn({
        ...{ kind, looks: loaded.looks, feed: stored, latencySeconds, now },
        range: { from: request.from, to },
        watchMadeAt: Date.parse(watch.createdAt),
      }),
    };
  }

  async function replay(
    { request, kind, eventStartsAt, evaluatedThrough, areLost }: ReplayTerms,
    rules: readonly KnownRule[],
    looks: readonly LookedAt[],
  ): Promise<LookRow[]> {
    const { watch, versions, triggers: stored, timeZone, now } = request;
    const first = looks[0]?.snapshot;
    if (!first) return [];
    const series = [...new Set(rules.flatMap((rule) => rule.series))];
    const beside = await loadBeside({ stores, loadHistory }, looks, {
      ...{ eventId: watch.eventId, kind, series, now },
    });
    const valueAt = ({ series: key }: Trigger) => seriesValue(key, first);
    const triggers = rules.flatMap((era) => {
      const isNew = era.isBeginKnown && era.replayFrom <= era.begins && !areLost;
      return startTriggers({ ...era, watch, stored, first, isNew, valueAt });
    });
    const rows: LookRow[] = [];
    const polls = new Map(looks.map(({ snapshot, look }) => [snapshot.observedAt, look]));
    const seenAt = ({ observedAt }: Snapshot) => polls.get(observedAt)?.at ?? observedAt;
    const alertsAt = rules.map((era) =>
      Map.groupBy(era.alerts.filter(isFiredIn(era)), observedAtOf),
    );
    await replayLooks(
      {
        ...{ triggers, snapshots: looks.map(({ snapshot }) => snapshot), ...beside },
        ...{ eventStartsAt, evaluatedThrough },
        stored: rules.flatMap(({ alerts }) => alerts.filter(({ role }) => role !== 'recovery')),
        isPaused: (snapshot) => wasPausedAt(versions, seenAt(snapshot)),
      },
      (look) => {
        const { observedAt } = look.snapshot;
        const at = seenAt(look.snapshot);
        const isPaused = wasPausedAt(versions, at);
        for (const [place, { rule, index, from, to, begins }] of rules.entries()) {
          const alerts: Alert[] = alertsAt[place]?.get(observedAt) ?? [];
          const isInForce = at >= from && at < to && observedAt >= begins;
          if (!isInForce && alerts.length === 0) continue;
          const poll = polls.get(observedAt);
          const terms = { watch, rule, index, look, alerts, poll, isPaused };
          rows.push(readRow({ ...terms, timeZone, eventStartsAt }));
        }
      },
    );
    return rows;
  }
}

interface ReplayTerms {
  request: ExplainRequest;
  kind: FeedKind;
  eventStartsAt: number | null;
  evaluatedThrough: number;
  /** Earlier looks at these rules are left out. */
  areLost: boolean;
}

function knownEra(
  era: RuleEra,
  { alerts, isWhole }: FoundAlerts,
  { place, number, oldest }: { place: number; number: number; oldest: number },
): KnownRule {
  const specs = compileRule(era.rule.rule);
  const begins = era.isBeginKnown ? era.begins : 0;
  const own = alerts.filter(({ firedAt }) => firedAt >= begins && firedAt < era.to);
  const before = own.findLast(({ observedAt }) => observedAt < oldest)?.observedAt ?? 0;
  // From its last alert on, the state of a rule is certain, if that is not too far back.
  const anchor = before >= oldest - weekMs ? before + 1 : oldest;
  return {
    ...{ ...era, begins, alerts: own, isWhole, place },
    index: place * erasOfRule + erasOfRule - 1 - number,
    kind: feedKindOf(specs[0]?.series ?? ''),
    series: [...new Set(specs.flatMap((spec) => [...seriesAskedFor(spec)]))],
    replayFrom: Math.max(anchor, begins),
  };
}

/** The looks of a form of a rule, from one place to another, and which form of its rule it is. */
function replayKey(era: KnownRule, looks: readonly LookedAt[]): string {
  const end = looks.findLastIndex(({ snapshot }) => snapshot.observedAt < era.to) + 1;
  return [startOfReplay(era, looks), end, era.index % erasOfRule].join('#');
}

/** A rule that began in the range was first matched with the newest snapshot of that time. */
function startOfReplay({ replayFrom, begins }: KnownRule, looks: readonly LookedAt[]): number {
  const next = looks.findIndex(({ snapshot }) => snapshot.observedAt >= replayFrom);
  const isNew = replayFrom <= begins;
  if (next < 0) return Math.max(0, looks.length - (isNew ? 1 : 0));
  return isNew ? Math.max(0, next - 1) : next;
}

function isFiredIn({ from, to }: RuleEra) {
  return ({ firedAt }: Alert) => firedAt >= from && firedAt < to;
}

function observedAtOf({ observedAt }: Alert): number {
  return observedAt;
}

interface Found {
  /** Of the rule. */
  rows: readonly LookRow[];
  parts: readonly { kind: FeedKind; loaded: LoadedLooks }[];
}

function explained(
  { from, to }: Pick<ExplainRequest, 'from' | 'to'>,
  eras: readonly KnownRule[],
  { rows, parts }: Found,
): ExplainedRule {
  const [first, last] = [eras[0], eras.at(-1)];
  if (!first || !last) throw new Error('a rule has the form of today at least');
  const { loaded } = parts.find(({ kind }) => kind === last.kind) ?? {};
  const oldest = loaded?.looks[0]?.snapshot.observedAt ?? to;
  const known = (knownFrom: number, knownFromReason: KnownFromReason): ExplainedRule => ({
    ...{ rule: last.rule, eras: [...eras], knownFrom, knownFromReason },
    areAlertsWhole: last.isWhole,
    closestMiss: closestMiss(rows.filter(({ observedAt }) => observedAt >= to - weekMs)),
  });
  const since = Math.max(first.from, first.begins);
  if (since > from && since >= oldest) {
    if (first.index % erasOfRule < erasOfRule - 1) return known(since, 'most_looks');
    return known(since, first.isBeginKnown ? 'rule_made' : 'version_gone');
  }
  if (oldest > from) return known(oldest, loaded?.isCut ? 'most_looks' : 'first_snapshot');
  return known(from, 'range');
}

function newestFirst(a: LookRow, b: LookRow): number {
  return b.observedAt - a.observedAt || a.index - b.index;
}
