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
import { seriesAskedFor, type Trigger } from '#shared/rules/trigger.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { type LoadedLooks, loadBeside, loadLooks } from './load-looks.ts';
import { type Gap, gapsIn } from './look-gaps.ts';
import type { KnownFromReason } from './look-reasons.ts';
import { closestMiss, type LookRow, readRow } from './look-row.ts';
import { beginsAt, startTriggers } from './start-triggers.ts';
import { type FoundAlerts, readStoredAlerts } from './stored-alerts.ts';

const weekMs = 7 * 86_400_000;
/** Snapshots of one answer: a week at one every two minutes; fewer for a watch with many rules. */
const mostLooks = 5_000;
const mostRows = 20_000;

/** Times are epoch milliseconds. */
export interface ExplainRequest {
  watch: Watch;
  /** The rule's triggers as stored now, by id. */
  triggers: ReadonlyMap<string, Trigger>;
  from: number;
  to: number;
  timeZone: string;
  now: number;
}

export interface ExplainedRule {
  rule: WatchRule;
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

/** A rule with what is stored about it. */
interface KnownRule extends FoundAlerts {
  rule: WatchRule;
  index: number;
  kind: FeedKind;
  series: SeriesKey[];
  begins: number;
  /** The replay begins there. */
  from: number;
}

export type ExplainWatch = (request: ExplainRequest) => Promise<Explanation>;

/** The use case. */
export function createExplainWatch({ stores, loadHistory }: ExplainDeps): ExplainWatch {
  return async function explainWatch(request) {
    const { watch, from, to } = request;
    const known = await Promise.all(
      watch.rules.map((rule, index) => readRule(request, rule, index)),
    );
    const byKind = [...Map.groupBy(known, ({ kind }) => kind)];
    const parts = await Promise.all(byKind.map(([kind, rules]) => ofFeed(request, kind, rules)));
    const rows = parts.flatMap((part) => part.rows);
    const rules = parts.flatMap((part) => part.rules);
    return {
      rows: rows
        .filter(({ observedAt }) => observedAt >= from && observedAt <= to)
        .sort(newestFirst),
      rules: rules.sort((a, b) => a.index - b.index),
      gaps: parts.flatMap((part) => part.gaps),
    };
  };

  async function readRule(
    { watch, triggers, from, to }: ExplainRequest,
    rule: WatchRule,
    index: number,
  ): Promise<KnownRule> {
    const specs = compileRule(rule.rule);
    const series = [...new Set(specs.flatMap((spec) => [...seriesAskedFor(spec)]))];
    const own = rule.triggerIds.flatMap((id) => triggers.get(id) ?? []);
    const oldest = Math.min(from, to - weekMs);
    const found = await readStoredAlerts(stores, own, oldest);
    const begins = beginsAt(watch, rule, triggers);
    const before = found.alerts.findLast(({ observedAt }) => observedAt < oldest)?.observedAt ?? 0;
    // From its last alert on, the state of a rule is certain, if that is not too far back.
    const anchor = before >= oldest - weekMs ? before + 1 : oldest;
    const kind = feedKindOf(specs[0]?.series ?? '');
    return { ...found, rule, index, kind, series, begins, from: Math.max(anchor, begins) };
  }

  async function ofFeed(request: ExplainRequest, kind: FeedKind, rules: readonly KnownRule[]) {
    const { watch, to, now } = request;
    const { eventId, latencySeconds } = watch;
    const feed = { eventId, kind };
    const wanted = {
      ...{ eventId, kind, from: Math.min(...rules.map((rule) => rule.from)), through: to },
      most: Math.min(mostLooks, Math.floor(mostRows / watch.rules.length)),
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
    const starts = [...Map.groupBy(rules, (rule) => startOfReplay(rule, loaded.looks))];
    const replays = await Promise.all(
      starts.map(([start, own]) => {
        const areLost = loaded.isCut && start === 0;
        return replay({ ...terms, areLost }, own, loaded.looks.slice(start));
      }),
    );
    const rows = replays.flat();
    return {
      rows,
      rules: rules.map((rule) => explained(request, rule, { rows, loaded })),
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
    const { watch, triggers: stored, timeZone, now } = request;
    const first = looks[0]?.snapshot;
    if (!first) return [];
    const series = [...new Set(rules.flatMap((rule) => rule.series))];
    const beside = await loadBeside({ stores, loadHistory }, looks, {
      ...{ eventId: watch.eventId, kind, series, now },
    });
    const valueAt = ({ series: key }: Trigger) => seriesValue(key, first);
    const triggers = rules.flatMap(({ rule, alerts, from, begins }) => {
      const isNew = from <= begins && !areLost;
      return startTriggers({ watch, rule, stored, alerts, first, isNew, valueAt });
    });
    const rows: LookRow[] = [];
    const polls = new Map(looks.map(({ snapshot, look }) => [snapshot.observedAt, look]));
    const alertsAt = rules.map(({ alerts }) => Map.groupBy(alerts, (alert) => alert.observedAt));
    await replayLooks(
      {
        ...{ triggers, snapshots: looks.map(({ snapshot }) => snapshot), ...beside },
        ...{ eventStartsAt, evaluatedThrough },
        stored: rules.flatMap(({ alerts }) => alerts.filter(({ role }) => role !== 'recovery')),
      },
      (look) => {
        for (const [place, { rule, index, begins }] of rules.entries()) {
          const alerts: Alert[] = alertsAt[place]?.get(look.snapshot.observedAt) ?? [];
          if (look.snapshot.observedAt < begins && alerts.length === 0) continue;
          const poll = polls.get(look.snapshot.observedAt);
          rows.push(readRow({ watch, rule, index, look, alerts, poll, timeZone, eventStartsAt }));
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

/** A rule that began in the range was first matched with the newest snapshot of that time. */
function startOfReplay({ from, begins }: KnownRule, looks: readonly LookedAt[]): number {
  const next = looks.findIndex(({ snapshot }) => snapshot.observedAt >= from);
  if (next < 0) return Math.max(0, looks.length - (from <= begins ? 1 : 0));
  return from <= begins ? Math.max(0, next - 1) : next;
}

function explained(
  { from, to }: Pick<ExplainRequest, 'from' | 'to'>,
  { rule, index, begins, isWhole }: KnownRule,
  { rows, loaded }: { rows: readonly LookRow[]; loaded: LoadedLooks },
): ExplainedRule & { index: number } {
  const own = rows.filter((row) => row.index === index);
  const first = loaded.looks[0]?.snapshot.observedAt ?? to;
  const known = (knownFrom: number, knownFromReason: KnownFromReason) => ({
    ...{ rule, index, knownFrom, knownFromReason, areAlertsWhole: isWhole },
    closestMiss: closestMiss(own.filter(({ observedAt }) => observedAt >= to - weekMs)),
  });
  if (begins > from && begins >= first) return known(begins, 'rule_made');
  if (first > from) return known(first, loaded.isCut ? 'most_looks' : 'first_snapshot');
  return known(from, 'range');
}

function newestFirst(a: LookRow, b: LookRow): number {
  return b.observedAt - a.observedAt || a.index - b.index;
}
