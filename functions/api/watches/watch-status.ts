// The current state of a watch: the value of each rule, its distance from the level, the time of the
// next poll, the cost so far. Reads only the tables; it never polls.
import { alertIdOf } from '#shared/alerts/alert.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { costOf, type WatchCost } from '#shared/polling/subscription.ts';
import { isExpired } from '#shared/retention.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { Trouble } from '#shared/watchlist/trouble-table.ts';
import { feedsWantedBy, type Watch, type WatchRule } from '#shared/watchlist/watch.ts';
import type { TimedReading } from './compared.ts';
import type { PresentState, PresentStateReader } from './present-state.ts';
import type { ReadTroubles } from './read-troubles.ts';
import { type RuleStatus, standingOf } from './rule-standing.ts';
import { unlessDamaged } from './unless-damaged.ts';

type StandingStores = Pick<Stores, 'alerts' | 'feeds' | 'triggers' | 'subscriptions'>;

interface ReadStatusDeps {
  stores: StandingStores;
  presentState: PresentStateReader;
  readTroubles: ReadTroubles;
}

/** Times are epoch milliseconds. */
export interface StatusOfWatch {
  rules: RuleStatus[];
  dataAsOf: number | null;
  /** Active listings of the event in its newest stats. */
  listings: number | null;
  nextPollAt: number | null;
  nextPollReason: string | null;
  nextPollWhy: string | null;
  lastAlert: { alertId: string; firedAt: number; sentence: string } | null;
  cost: WatchCost;
  troubles: Trouble[];
}

/** Reads the current state of watches. */
export function createReadStatus({ stores, presentState, readTroubles }: ReadStatusDeps) {
  return {
    async of(watch: Watch, now: number): Promise<StatusOfWatch> {
      const [present, triggers, feeds, troubles] = await Promise.all([
        presentState.read(watch.eventId),
        readTriggers(stores, watch),
        Promise.all(
          kindsOf(watch).map((kind) => unlessDamaged(stores.feeds.find(watch.eventId, kind))),
        ),
        readTroubles([watch], now),
      ]);
      const readings = await presentState.readings(present, seriesOf(watch.rules), now);
      const live = feeds.filter((feed): feed is Feed => feed !== undefined);
      const next = nextPollOf(watch, live);
      return {
        rules: watch.rules.map((rule) => statusOf(rule, triggers, readings)),
        dataAsOf: newestOf(present),
        listings: listingsOf(present),
        nextPollAt: next?.nextPollAt ?? null,
        nextPollReason: next?.nextReason ?? null,
        nextPollWhy: next?.nextWhy ?? null,
        lastAlert: await readLastAlert(stores, triggers, now),
        cost: await readCost(stores, watch, live),
        troubles: troubles.get(watch.watchId) ?? [],
      };
    },

    /** The triggers of a watch by their ids. */
    triggersOf: (watch: Watch) => readTriggers(stores, watch),
  };
}

export type ReadStatus = ReturnType<typeof createReadStatus>;

type Triggers = Map<string, Trigger>;

function kindsOf(watch: Watch) {
  return feedsWantedBy({ ...watch, status: 'active' }).map(({ kind }) => kind);
}

function seriesOf(rules: readonly WatchRule[]): SeriesKey[] {
  const mains = rules.flatMap(({ rule }) => compileRule(rule).slice(0, 1));
  return [...new Set(mains.map(({ series }) => series))];
}

async function readTriggers(
  stores: Pick<Stores, 'triggers'>,
  { rules }: Pick<Watch, 'rules'>,
): Promise<Triggers> {
  const ids = rules.flatMap(({ rule, triggerIds }) => {
    const [main] = triggerIds;
    const isRepeating = compileRule(rule)[0]?.repeat != null;
    return main && isRepeating ? [...triggerIds, furtherTriggerId(main)] : triggerIds;
  });
  const found = await Promise.all(ids.map((id) => unlessDamaged(stores.triggers.find(id))));
  return new Map(found.flatMap((trigger) => (trigger ? [[trigger.triggerId, trigger]] : [])));
}

function statusOf(
  { ruleId, rule, triggerIds }: WatchRule,
  triggers: Triggers,
  readings: Map<SeriesKey, TimedReading>,
): RuleStatus {
  const series = compileRule(rule)[0]?.series ?? '';
  const trigger = triggers.get(triggerIds[0] ?? '');
  return standingOf({ ruleId, rule, trigger, reading: readings.get(series) });
}

/** How near a rule is to its level, in basis points of it: 0 or less when reached, null while unknown. */
export function shareOf({ distance, level }: RuleStatus): number | null {
  if (distance === null || level === null) return null;
  return Math.round((distance * 10_000) / Math.max(1, Math.abs(level)));
}

function newestOf({ newest }: PresentState): number | null {
  const times = Object.values(newest).flatMap((snapshot) =>
    snapshot ? [snapshot.observedAt] : [],
  );
  return times.length === 0 ? null : Math.max(...times);
}

function listingsOf({ newest: { stats } }: PresentState): number | null {
  return stats?.feedKind === metricsFeed ? stats.metrics.total_listings_active : null;
}

function nextPollOf(watch: Watch, feeds: readonly Feed[]): Feed | undefined {
  if (watch.status !== 'active') return undefined;
  return feeds
    .filter(({ status, nextPollAt }) => status === 'active' && nextPollAt !== undefined)
    .sort((a, b) => (a.nextPollAt ?? 0) - (b.nextPollAt ?? 0))[0];
}

async function readCost(
  stores: StandingStores,
  watch: Watch,
  feeds: readonly Feed[],
): Promise<WatchCost> {
  const { eventId, watchId, latencySeconds } = watch;
  const [spent, ...live] = await Promise.all([
    stores.subscriptions.spentBy(eventId, watchId),
    ...feeds.map(async ({ kind, sharedMicropulls }) => {
      const subscription = await stores.subscriptions.find({
        eventId,
        kind,
        watchId,
        latencySeconds,
      });
      const micropulls = subscription
        ? Math.max(0, sharedMicropulls - subscription.startMicropulls)
        : 0;
      return { kind, micropulls };
    }),
  ]);
  return costOf([...live, ...spent]);
}

/** An edit and a rearm each add one to the generation that fired last. */
const generationsSince = 3;

/** The trigger's last firing gives the id of its last alert, so the alerts need not be listed. */
async function readLastAlert(
  { alerts }: Pick<Stores, 'alerts'>,
  triggers: Triggers,
  now: number,
): Promise<StatusOfWatch['lastAlert']> {
  const spoken = [...triggers.values()].filter(({ memory }) => memory.firings.length > 0);
  const ids = spoken.flatMap(({ triggerId, generation }) =>
    Array.from({ length: generationsSince }, (_, back) => generation - back)
      .filter((each) => each > 0)
      .map((each) => alertIdOf(triggerId, each)),
  );
  const found = await Promise.all(ids.map((id) => alerts.findPartly(id)));
  return found
    .flatMap((each) => (each ? (lastAlertOf(each, now) ?? []) : []))
    .reduce((a, b) => (a && a.firedAt >= b.firedAt ? a : b), null as StatusOfWatch['lastAlert']);
}

/** Of a damaged alert what is readable, if that says when it fired; nothing of an expired one. */
function lastAlertOf(found: Found, now: number): StatusOfWatch['lastAlert'] {
  const alert = 'alert' in found ? found.alert : found.unreadable.readable;
  const { alertId, firedAt, sentence = 'a damaged rule' } = alert;
  if (alertId === undefined || firedAt === undefined || isExpired(alert, now)) return null;
  return { alertId, firedAt, sentence };
}

type Found = NonNullable<Awaited<ReturnType<Stores['alerts']['findPartly']>>>;
