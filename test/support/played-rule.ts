// A rule that the market meets, minute by minute, by the product's own matching: its alerts, and where its
// triggers are in the end.
import type { Alert } from '#shared/alerts/alert.ts';
import { freezeAlert } from '#shared/alerts/freeze-alert.ts';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import { filterKeyOf, type ListingFilter } from '#shared/rules/language/listing-filter.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import type { ListingMatch, ListingsSnapshot } from '#shared/rules/listings-snapshot.ts';
import { matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { remember } from '#shared/rules/reading.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { triggerOf } from './triggers.ts';

export const beginMs = Date.parse('2026-03-01T12:00:00Z');
export const minuteMs = 60_000;

/** A get-in in dollars; null for an empty market. */
export function statsAt(minute: number, getIn: number | null): MarketSnapshot {
  const cents = getIn === null ? null : Math.round(getIn * 100);
  return {
    ...{ feedKind: 'stats', eventId: 4711, observedAt: beginMs + minute * minuteMs, zones: {} },
    metrics: {
      ...{ get_in: cents, get_in_qty2plus: cents, avg_price: cents, median_price: cents },
      ...{ total_listings_active: getIn === null ? 0 : 5, listing_fill_rate: 5_000 },
    },
  };
}

/** The listings that match a filter, by key and dollars, cheapest first. */
export function listingsAt(
  minute: number,
  filter: ListingFilter,
  offers: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>> | undefined,
): ListingsSnapshot {
  const matches: ListingMatch[] = Object.entries(offers)
    .map(([key, dollars]) => ({
      ...{ key, zone: '', section: '101', row: 'A', quantity: 2, priceCents: dollars * 100 },
    }))
    .sort((a, b) => a.priceCents - b.priceCents);
  const [cheapest] = matches;
  const was = cheapest && before?.[cheapest.key];
  const isNew = cheapest && before && (was === undefined || cheapest.priceCents < was * 100);
  const summary = {
    count: matches.length,
    cheapestCents: cheapest?.priceCents ?? null,
    newCheapestCents: isNew ? cheapest.priceCents : null,
    matches,
  };
  return {
    ...{ feedKind: 'listings', eventId: 4711, observedAt: beginMs + minute * minuteMs },
    filters: { [filterKeyOf(filter)]: summary },
  };
}

export interface Played {
  /** Oldest first. */
  alerts: Alert[];
  /** By its id, as it is in the end. */
  triggers: Map<string, Trigger>;
}

/** Matches the snapshots, oldest first, against a rule that was made with the first. */
export async function playRule(given: object, snapshots: readonly Snapshot[]): Promise<Played> {
  const rule: Rule = ruleSchema.parse(given);
  const index = new MemoryTriggerIndex();
  const history = new LoadedHistory();
  const run = new CatchUp();
  const alerts: Alert[] = [];
  const triggers = new Map<string, Trigger>();
  const store = (trigger: Trigger) => {
    triggers.set(trigger.triggerId, trigger);
    index.put(trigger);
  };
  store(triggerOf(rule, snapshots[0]?.observedAt ?? 0));
  const watch = { channelIds: ['ch_1'] } as Watch;
  for (const snapshot of snapshots) {
    remember(history, snapshot);
    const series = [...triggers.values()].map((trigger) => trigger.series);
    const { moves } = await matchSnapshot({
      ...{ snapshot, series, index, history, run },
      ...{ isNewest: true, eventStartsAt: null },
    });
    for (const { trigger, decision } of moves) {
      if (decision.kind === 'retire') continue;
      if (decision.kind === 'fire') {
        const { firing, alreadyTrue } = decision;
        const news = { trigger, firing, alreadyTrue, previous: null, now: snapshot.observedAt };
        alerts.push(freezeAlert(news, { watch, rule, facts: undefined }));
        if (decision.further) store(decision.further);
      }
      store(decision.next);
    }
  }
  return { alerts, triggers };
}
