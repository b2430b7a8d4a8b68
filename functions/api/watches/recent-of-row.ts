// The recent prices of a row of a list: of the event, and of the zone that its nearest rule is about.
import type { Stores } from '#shared/dynamo/stores.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { type PriceLine, type RecentPrices, zonePrice } from '#shared/polling/recent-prices.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { parseSeries } from '#shared/rules/series.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { nearestOf } from './nearest-rule.ts';
import type { RuleStatus } from './rule-standing.ts';

interface RecentOfZone {
  name: string;
  /** At the newest snapshot; null if nothing is for sale there. */
  cents: number | null;
  /** undefined until a poll finds the rule. */
  line: PriceLine | undefined;
}

export interface RecentOfRow {
  event: RecentPrices | undefined;
  zone: RecentOfZone | undefined;
}

type Reads = {
  feeds: Pick<Stores['feeds'], 'find'>;
  snapshots: Pick<Stores['snapshots'], 'newest'>;
};

/** Reads what the standing of the row has read before. */
export async function recentOfRow(
  { feeds, snapshots }: Reads,
  { eventId, rules }: Pick<Watch, 'eventId' | 'rules'>,
  standings: readonly RuleStatus[],
): Promise<RecentOfRow> {
  const event = (await feeds.find(eventId, metricsFeed))?.recent;
  const shown = nearestOf(standings)?.rule.ruleId ?? rules[0]?.ruleId;
  const name = zoneOf(rules.find(({ ruleId }) => ruleId === shown)?.rule);
  if (name === null) return { event, zone: undefined };
  const newest = await snapshots.newest({ eventId, kind: metricsFeed });
  const cents = newest?.feedKind === metricsFeed ? zonePrice(newest, name) : null;
  return { event, zone: { name, cents, line: event?.zones?.find((zone) => zone.name === name) } };
}

/** null: the whole event, or listings. */
function zoneOf(rule: WatchRule['rule'] | undefined): string | null {
  const [main] = rule ? compileRule(rule) : [];
  if (!main) return null;
  const { base } = parseSeries(main.series);
  return 'zone' in base ? base.zone : null;
}
