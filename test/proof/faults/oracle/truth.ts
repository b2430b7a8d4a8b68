// The expected alerts, computed only from the marketplace's own records: every rule is checked
// against every snapshot in sequence.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { naiveAlerts, naiveRecoveries } from '#test/support/rules/naive.ts';
import { holdsAt } from '#test/support/rules/naive-market.ts';
import { hearableAt } from '../scenario/hearing.ts';
import { holdsAtSet, isListingRule, listingAlerts } from '../scenario/listing-rules.ts';
import type { ListingSet } from '../scenario/market.ts';
import type { RecordedSnapshot } from '../scenario/marketplace-records.ts';
import type { RuleDocument } from '../scenario/rules.ts';
import type { MadeWatch } from '../setup.ts';
import { type DueEpisode, dueEpisode } from './episodes.ts';

/** An expected alert or recovery: its rule and its snapshot. */
export interface DueAlert {
  watchId: string;
  ruleId: string;
  /** Epoch milliseconds. */
  observedAt: number;
  /** Whether it tells that the number went back after an alert. */
  isRecovery: boolean;
  places: string[];
  /** Places that wait for their owner's hours, and the earliest time to send it, epoch milliseconds. */
  notBefore: Readonly<Record<string, number>>;
  /** Whether its rule has a later alert, or for a recovery a later recovery. */
  isRepeated: boolean;
  /** Whether a later snapshot shows that it is no longer true. */
  isOver: boolean;
  /** What its message must tell in a chat that can edit; absent if the oracle can't decide that. */
  episode?: DueEpisode | undefined;
}

/** All market data that the product could see, with times by our clock. */
export interface Seen {
  /** Stats snapshots by event, in time order. */
  market: ReadonlyMap<number, MarketSnapshot[]>;
  /** Sets of listings by event, in time order: only those that were seen, since no answer returns older ones. */
  listings: ReadonlyMap<number, ListingSet[]>;
}

const priceNames = ['get_in', 'get_in_qty2plus', 'avg_price', 'median_price'] as const;
type Prices = Record<(typeof priceNames)[number], number>;

/** A recorded snapshot in cents and basis points; a price of 0 or of an empty market is absent. */
export function toMarketSnapshot(eventId: number, recorded: RecordedSnapshot): MarketSnapshot {
  const isEmpty = recorded.total_listings_active === 0;
  const inCents = (prices: Prices) =>
    Object.fromEntries(
      priceNames.map((name) => {
        const cents = Math.round(prices[name] * 100);
        return [name, isEmpty || cents <= 0 ? null : cents];
      }),
    ) as Record<keyof Prices, number | null>;
  return {
    feedKind: 'stats',
    eventId,
    observedAt: Date.parse(recorded.timestamp),
    metrics: {
      ...inCents(recorded),
      total_listings_active: recorded.total_listings_active,
      listing_fill_rate: Math.round(recorded.listing_fill_rate * 10_000),
    },
    zones: Object.fromEntries(recorded.zones.map((zone) => [zone.zone_name, inCents(zone)])),
  };
}

/** Every expected alert, from the watches and the visible data of their events. */
export function alertsDue(watches: readonly MadeWatch[], seen: Seen): DueAlert[] {
  return watches.flatMap((watch) =>
    watch.rules.flatMap(({ ruleId, rule }) => {
      const times = timesDue(rule, watch.eventId, seen);
      const alerts = times.map((observedAt, index) => ({
        ...{ watchId: watch.watchId, ruleId, observedAt, places: watch.places },
        ...{ isRecovery: false, notBefore: notBefore(watch, observedAt) },
        isRepeated: index < times.length - 1,
        isOver: isOver(rule, { eventId: watch.eventId, observedAt }, seen),
        episode: dueEpisode(rule, observedAt, seen.market.get(watch.eventId) ?? []),
      }));
      return [...alerts, ...recoveriesDue(watch, { ruleId, rule }, seen)];
    }),
  );
}

function recoveriesDue(
  watch: MadeWatch,
  { ruleId, rule }: MadeWatch['rules'][number],
  seen: Seen,
): DueAlert[] {
  if (isListingRule(rule)) return [];
  const market = seen.market.get(watch.eventId) ?? [];
  const due = naiveRecoveries(rule, market, 0);
  return due.map(({ at: observedAt }, index) => {
    const later = market.filter((snapshot) => snapshot.observedAt > observedAt);
    const isReachedAgain = later.some((snapshot) => holdsAt(asked(rule), [snapshot], 0));
    return {
      ...{ watchId: watch.watchId, ruleId, observedAt, places: watch.places },
      ...{ isRecovery: true, notBefore: notBefore(watch, observedAt) },
      isRepeated: index < due.length - 1,
      isOver: rule.type !== 'change' && isReachedAgain,
    };
  });
}

/** The rule as a condition. */
function asked(rule: RuleDocument): RuleDocument {
  return rule.type === 'supply' ? { ...rule, metric: 'total_listings_active' } : rule;
}

function timesDue(rule: RuleDocument, eventId: number, { market, listings }: Seen): number[] {
  if (isListingRule(rule)) return listingAlerts(rule, listings.get(eventId) ?? []);
  return naiveAlerts(rule, market.get(eventId) ?? [], 0).map(({ at }) => at);
}

function notBefore({ hearing, patient }: MadeWatch, at: number): Record<string, number> {
  if (!hearing) return {};
  return Object.fromEntries(patient.map((place) => [place, hearableAt(at, hearing)]));
}

function isOver(
  rule: RuleDocument,
  { eventId, observedAt }: { eventId: number; observedAt: number },
  { market, listings }: Seen,
): boolean {
  const isLater = (one: { observedAt: number }) => one.observedAt > observedAt;
  if (isListingRule(rule)) {
    return (listings.get(eventId) ?? []).filter(isLater).some((set) => !holdsAtSet(rule, set));
  }
  // Only the product knows what a change was measured from.
  if (rule.type !== 'level' && rule.type !== 'supply') return false;
  const later = (market.get(eventId) ?? []).filter(isLater);
  return later.some((snapshot) => !holdsAt(asked(rule), [snapshot], 0));
}

/** How often prices crossed a watched level. */
export function countCrossings(
  watches: readonly MadeWatch[],
  snapshotsOf: ReadonlyMap<number, MarketSnapshot[]>,
): number {
  let crossings = 0;
  for (const { eventId, rules } of watches) {
    for (const { rule } of rules) {
      if (rule.type !== 'level') continue;
      const sides = (snapshotsOf.get(eventId) ?? [])
        .map((snapshot) => sideOf(rule, snapshot))
        .filter((side) => side !== undefined);
      crossings += sides.filter((side, index) => index > 0 && side !== sides[index - 1]).length;
    }
  }
  return crossings;
}

function sideOf(rule: Record<string, unknown>, { metrics, zones }: MarketSnapshot) {
  const name = (rule.min_quantity === 2 ? 'get_in_qty2plus' : rule.metric) as keyof Prices;
  const prices = rule.zone === undefined ? metrics : zones[String(rule.zone)];
  const cents = prices?.[name] ?? undefined;
  const level = Number(rule.at_or_below ?? rule.below ?? rule.at_or_above ?? rule.above);
  return cents === undefined ? undefined : Math.sign(cents - Math.round(level * 100)) >= 0;
}
