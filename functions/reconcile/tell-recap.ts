// Tells owners the recap of an event that is over: one notice for each owner and event, however many watches the
// owner has on it.
import type { Alert } from '#shared/alerts/alert.ts';
import type { AccessStore } from '#shared/dynamo/access.ts';
import type { AlertStore } from '#shared/dynamo/alerts.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { SubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { feedKinds, metricsFeed } from '#shared/polling/feed-kinds.ts';
import { recapNotice } from '#shared/polling/notice.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { costOfSubscription } from '#shared/polling/subscription.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { alone } from './each-alone.ts';
import { recapOf } from './recap-text.ts';

interface TellRecapDeps {
  subscriptions: Pick<SubscriptionStore, 'of' | 'spentBy'>;
  feeds: Pick<FeedStore, 'find'>;
  access: Pick<AccessStore, 'findOwner'>;
  watches: Pick<WatchStore, 'listAll'>;
  alerts: Pick<AlertStore, 'list'>;
  notify: Notify;
}

export interface TellRecap {
  /** To every owner of a watch that the event's feeds serve. */
  (facts: EventFacts, now: number): Promise<void>;
  /** To one owner. A repeat sends nothing more; an event with a new date has a new recap. */
  toOwner(ownerId: string, facts: EventFacts, now: number): Promise<void>;
}

/** The newest alerts of an owner in which those of an event are looked for: a page is 100. */
const alertPages = 10;
const alertsPerPage = 100;

/** The use case; `now` is epoch milliseconds. */
export function createTellRecap(deps: TellRecapDeps): TellRecap {
  async function toOwner(ownerId: string, facts: EventFacts, now: number): Promise<void> {
    const { eventId } = facts;
    const owner = await deps.access.findOwner(ownerId);
    if (owner?.recaps === false || owner?.deletion) return;
    const all = await deps.watches.listAll(ownerId);
    const watches = all.filter((watch) => watch.eventId === eventId);
    if (watches.length === 0) return;
    const feed = await deps.feeds.find(eventId, metricsFeed);
    const { alerts, isWhole } = await alertsOn(watches, ownerId);
    const { timeZone } = hearingTimesOf(owner);
    const micropulls = await costOf(watches, eventId);
    const recap = recapOf({
      ...{ facts, watches, alerts, micropulls, timeZone },
      record: feed?.record,
      ...(!isWhole && { alertsRead: alertPages * alertsPerPage }),
    });
    const cause = facts.date ?? 'past';
    await deps.notify(recapNotice(recap, { ownerId, eventId, cause }, now));
  }

  /** What watches have cost, by their live and their ended subscriptions, in millionths of a pull. */
  async function costOf(watches: readonly Watch[], eventId: number): Promise<number> {
    const ids = new Set(watches.map(({ watchId }) => watchId));
    const live = (await subscribed(eventId)).filter(({ watchId }) => ids.has(watchId));
    const liveCosts = live.map(async (each) => {
      const feed = await deps.feeds.find(eventId, each.kind);
      return costOfSubscription(each, feed);
    });
    const spent = watches.map(({ watchId }) => deps.subscriptions.spentBy(eventId, watchId));
    const costs = [...(await Promise.all(liveCosts)), ...(await Promise.all(spent)).flat()];
    return costs.reduce((sum, { micropulls }) => sum + micropulls, 0);
  }

  async function subscribed(eventId: number) {
    const all = feedKinds.map((kind) => deps.subscriptions.of({ eventId, kind }));
    return (await Promise.all(all)).flat();
  }

  /** Their alerts among the owner's newest; `isWhole` unless older ones were not read. */
  async function alertsOn(
    watches: readonly Watch[],
    ownerId: string,
  ): Promise<{ alerts: Alert[]; isWhole: boolean }> {
    const ids = new Set(watches.map(({ watchId }) => watchId));
    const since = Math.min(...watches.map(({ createdAt }) => Date.parse(createdAt)));
    const found: Alert[] = [];
    let after: string | undefined;
    for (let page = 0; page < alertPages; page += 1) {
      const read = await deps.alerts.list(ownerId, {
        limit: alertsPerPage,
        ...(after !== undefined && { after }),
      });
      found.push(
        ...read.rows.filter(({ watchId, unsentReason }) => ids.has(watchId) && !unsentReason),
      );
      const last = read.rows.at(-1);
      if (read.next === undefined || (last && last.firedAt < since)) {
        return { alerts: found, isWhole: true };
      }
      after = read.next;
    }
    return { alerts: found, isWhole: false };
  }

  async function toAll(facts: EventFacts, now: number): Promise<void> {
    const { eventId } = facts;
    for (const ownerId of new Set((await subscribed(eventId)).map((each) => each.ownerId))) {
      await alone({ step: 'recap', ids: { eventId, ownerId } }, () => toOwner(ownerId, facts, now));
    }
  }

  return Object.assign(toAll, { toOwner });
}
