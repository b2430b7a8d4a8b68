// The recent prices of an event after an answer: with the zones that rules are about now.
import type { PriceDayStore } from '#shared/dynamo/price-days.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { Feed } from '#shared/polling/feed.ts';
import {
  lineOf,
  newZones,
  type PriceLine,
  type RecentPrices,
  recentAfter,
} from '#shared/polling/recent-prices.ts';
import { type PriceDay, partsOf } from '#shared/rules/price-day.ts';
import { parseSeries } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { DAY_MS, HOUR_MS } from '#shared/rules/window.ts';
import type { Fetched } from './fetch.ts';

const weekMs = 7 * DAY_MS;
/** Eight days of an event are less than one page. */
const mostPages = 1;

/** `triggers`: those of the outlook, undefined if it was not read; `now` is epoch milliseconds. */
export type RecentOfNews = (
  feed: Feed,
  fetched: Pick<Fetched, 'snapshots'>,
  { triggers, now }: { triggers: readonly Trigger[] | undefined; now: number },
) => Promise<RecentPrices | undefined>;

/** The days must have the answer's snapshots already. */
export function createRecentOfNews(priceDays: Pick<PriceDayStore, 'read'>): RecentOfNews {
  return async function recentOfNews({ eventId, recent }, { snapshots }, { triggers, now }) {
    const zones = triggers ? zonesOf(triggers) : (recent?.zones ?? []).map(({ name }) => name);
    const days = newZones(recent, zones).length === 0 ? [] : await daysOf(eventId, now);
    return recentAfter(recent, snapshots, { zones, pastOf: (zone) => pastOf(days, zone) });
  };

  /** Without the past of a zone its prices begin now. */
  async function daysOf(eventId: number, now: number): Promise<readonly PriceDay[]> {
    try {
      return (await priceDays.read(eventId, { from: now - weekMs, to: now }, mostPages)).days;
    } catch (error) {
      if (isTransient(error)) throw error;
      const reason = `The recent prices of a zone could not be read: ${reasonOf(error)}`;
      reportFault({ thing: 'market_row', reason, ids: { eventId }, error });
      return [];
    }
  }
}

/** The prices of a zone as stored days have them, from its first price on. */
function pastOf(days: readonly PriceDay[], zone: string): PriceLine | undefined {
  const prices = days.flatMap(({ startsAt, times, zones }) => {
    const hours = zones.get(zone)?.get_in ?? [];
    return times.flatMap((isKnown, index) => {
      const cents = partsOf(hours[index] ?? null)?.last ?? 0;
      return isKnown ? [{ hour: startsAt / HOUR_MS + index, cents }] : [];
    });
  });
  const first = prices.findIndex(({ cents }) => cents > 0);
  return first === -1 ? undefined : lineOf(prices.slice(first));
}

function zonesOf(triggers: readonly Trigger[]): string[] {
  const named = triggers.flatMap(({ series }) => {
    const { base } = parseSeries(series);
    return 'zone' in base && base.zone !== null ? [base.zone] : [];
  });
  return [...new Set(named)];
}
