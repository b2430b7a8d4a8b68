// Checks a part of the feeds for subscriptions that a crash left behind, and makes each feed match
// the remaining subscriptions; in some turns also the triggers of their watches. Every feed has its turn within hours.

import { shardOf } from '#shared/dynamo/shard.ts';
import type { SubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { Subscription } from '#shared/polling/subscription.ts';
import { timing } from '#shared/timing.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';
import { alone } from './each-alone.ts';
import type { HealTriggers } from './heal-triggers.ts';
import { lotOfTurn, passesBefore, shardOfTurn } from './turns.ts';

interface SweepSubscriptionsDeps {
  subscriptions: Pick<SubscriptionStore, 'of' | 'end' | 'syncSubscriptions'>;
  watches: Pick<WatchStore, 'find'>;
  healTriggers: HealTriggers;
}

/** Feeds per run; the shard's next turn takes the next ones. */
const feedsPerRun = 1_000;
/** Feeds processed together. */
const feedsAtOnce = 25;
/** Watches of one feed that are read together. */
const watchesAtOnce = 25;
/** Triggers are checked in one of this many passes, so every 4 hours: it costs a read per trigger. */
const passesPerTriggerCheck = 3;

/** The use case. @returns how many subscriptions were ended, and feeds and watches changed for other reasons. */
export function createSweepSubscriptions({
  subscriptions,
  watches,
  healTriggers,
}: SweepSubscriptionsDeps) {
  return async function sweepSubscriptions(active: readonly Feed[], now: number) {
    const done = { endedSubscriptions: 0, settledFeeds: 0, healedWatches: 0 };
    const feeds = feedsOfTurn(active, now);
    const checksTriggers = passesBefore(feeds, feedsPerRun, now) % passesPerTriggerCheck === 0;
    await inLots(lotOfTurn(feeds, feedsPerRun, now), feedsAtOnce, (feed) => {
      const ids = { eventId: feed.eventId, kind: feed.kind };
      return alone({ step: 'subscriptions', ids }, () =>
        sweep(feed, { now, checksTriggers, done }),
      );
    });
    return done;
  };

  async function sweep(feed: Feed, { now, checksTriggers, done }: Sweep) {
    const live = await subscriptions.of(feed);
    const wanted = await inLots(live, watchesAtOnce, async (subscription) => {
      const look = await lookAt(subscription, now);
      const { watch } = look;
      if (checksTriggers && watch && (await heal(watch, feed, now))) done.healedWatches += 1;
      return look.isWanted;
    });
    const unwanted = live.filter((_, index) => !wanted[index]);
    for (const subscription of unwanted) {
      await subscriptions.end(subscription);
      done.endedSubscriptions += 1;
    }
    // The strongest subscription comes first. If the feed already matches it, nothing needs to change.
    if (unwanted.length === 0 && live[0]?.latencySeconds === feed.latencySeconds) return;
    if (await subscriptions.syncSubscriptions(feed)) done.settledFeeds += 1;
  }

  /** A watch that can't be read may still want its feed. */
  async function lookAt({ watchId, createdAt }: Subscription, now: number): Promise<Look> {
    const found = await alone({ step: 'subscriptions', ids: { watchId } }, async () => ({
      watch: await watches.find(watchId),
    }));
    if (!found) return { isWanted: true };
    if (!found.watch) return { isWanted: now - createdAt < timing.orphanAfterMs };
    return { isWanted: found.watch.status === 'active', watch: found.watch };
  }

  /** A watch that wants two feeds is checked with the first. */
  async function heal(watch: Watch, { kind }: Feed, now: number): Promise<boolean> {
    const { watchId } = watch;
    const isHealed = await alone({ step: 'triggers', ids: { watchId } }, async () => {
      const isItsTurn = feedsWantedBy(watch)[0]?.kind === kind;
      return isItsTurn && (await healTriggers(watch, now));
    });
    return isHealed === true;
  }
}

function feedsOfTurn(active: readonly Feed[], now: number): Feed[] {
  const shard = shardOfTurn(now);
  return active
    .filter(({ eventId }) => shardOf(String(eventId)) === shard)
    .sort((a, b) => a.eventId - b.eventId);
}

interface Sweep {
  now: number;
  checksTriggers: boolean;
  done: { endedSubscriptions: number; settledFeeds: number; healedWatches: number };
}

interface Look {
  isWanted: boolean;
  watch?: Watch;
}
