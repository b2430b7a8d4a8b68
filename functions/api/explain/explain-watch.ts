// Explains a watch over a range of time: for each rule, each look at it, its number, and why it spoke or not.
// Costs no pull and keeps nothing of its own: the decisions are those of the live matching over the stored
// snapshots, checked against the stored alerts.
import type { Alert } from '#shared/alerts/alert.ts';
import { replayLooks } from '#shared/backtest/replay-looks.ts';
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { seriesValue } from '#shared/rules/reading.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import { evaluationOf, type Watch } from '#shared/watchlist/watch.ts';
import {
  type ExplainedRule,
  erasOfRule,
  explainedRule,
  isFiredIn,
  type KnownRule,
  knownEra,
  replayKey,
  weekMs,
} from './known-era.ts';
import { loadBeside, loadLooks } from './load-looks.ts';
import { type Gap, gapsIn } from './look-gaps.ts';
import { type LookRow, readRow } from './look-row.ts';
import { erasOf, type WatchAt, wasPausedAt } from './rule-eras.ts';
import { beginsAt, startTriggers } from './start-triggers.ts';
import { readStoredAlerts } from './stored-alerts.ts';

/** Snapshots of one answer: a week at one every two minutes; fewer for a watch with many rules. */
const mostLooks = 5_000;
const mostRows = 20_000;
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
        const { loaded } = parts.find(({ kind }) => kind === eras.at(-1)?.kind) ?? {};
        return explainedRule(request, eras, { rows: own, loaded });
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
    const wanted = {
      ...{ eventId, kind, from: Math.min(...rules.map((rule) => rule.replayFrom)), through: to },
      most: Math.min(mostLooks, Math.floor(mostRows / rules.length)),
    };
    const [loaded, facts, evaluation, stored] = await Promise.all([
      loadLooks(stores, wanted),
      stores.eventFacts.find(eventId),
      stores.evaluations.find(evaluationOf(watch, kind)),
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
      Map.groupBy(era.alerts.filter(isFiredIn(era)), (alert) => alert.observedAt),
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

function newestFirst(a: LookRow, b: LookRow): number {
  return b.observedAt - a.observedAt || a.index - b.index;
}
