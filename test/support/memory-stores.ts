// Memory versions of the stores that dispatch and poll write to: for simulations of weeks. They pass the same
// suite as the real ones (test/shared/dynamo/polling-stores.test.ts).

import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedKey } from '#shared/dynamo/feed-entity.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import { shardCount, shardOf } from '#shared/dynamo/shard.ts';
import {
  type Budget,
  needsTurning,
  newBudget,
  pullsLeft,
  turnBudget,
} from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { type MarketState, newMarketState } from '#shared/polling/market-state.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';

/** Feeds in maps by kind and shard. Whole items are replaced, never changed in place. */
export function createMemoryFeedStore(): FeedStore {
  const shards = new Map<string, Map<number, Feed>>();
  const shardFor = (kind: FeedKind, shard: number) => {
    const key = `${kind}#${shard}`;
    const found = shards.get(key) ?? new Map<number, Feed>();
    shards.set(key, found);
    return found;
  };
  const own = ({ eventId, kind }: FeedKey) => shardFor(kind, shardOf(String(eventId)));
  const read = (key: FeedKey) => own(key).get(key.eventId);
  const write = (key: FeedKey, change: object, without: (keyof Feed)[] = []) => {
    const merged: Partial<Feed> = { ...read(key), ...withoutUndefined(change) };
    for (const name of without) delete merged[name];
    own(key).set(key.eventId, merged as Feed);
    return merged as Feed;
  };
  const inDue = (feed: Feed) => feed.status === 'active' && feed.nextPollAt !== undefined;
  const byTime = (a: Feed, b: Feed) => (a.nextPollAt ?? 0) - (b.nextPollAt ?? 0);

  return {
    find: async (eventId, kind) => read({ eventId, kind }),
    async wake(key, latencySeconds, now) {
      const feed = read(key);
      if (!feed) {
        write(key, {
          ...{ eventId: key.eventId, kind: key.kind, status: 'active', nextPollAt: now },
          ...{ nextReason: 'new', latencySeconds, wishVersion: 1, failures: 0 },
          ...{ rhythm: unknownRhythm, sharedMicropulls: 0, watchersChangedAt: now },
        });
        return;
      }
      const isQuicker = latencySeconds < feed.latencySeconds || feed.status !== 'active';
      const isHeld = feed.claim !== undefined && (feed.nextPollAt ?? 0) > now;
      write(key, {
        status: 'active',
        watchersChangedAt: now,
        wishVersion: feed.wishVersion + 1,
        ...(isQuicker && { latencySeconds }),
        ...(!isHeld && { nextPollAt: now }),
      });
    },
    async setLatency(feed, latencySeconds) {
      if (read(feed)?.wishVersion !== feed.wishVersion) return false;
      const wishVersion = feed.wishVersion + 1;
      if (latencySeconds !== undefined) write(feed, { latencySeconds, wishVersion });
      else write(feed, { status: 'idle', wishVersion }, ['nextPollAt', 'claim']);
      return true;
    },
    due: async (kind, shard, now) =>
      [...shardFor(kind, shard).values()]
        .filter(({ nextPollAt }) => nextPollAt !== undefined && nextPollAt <= now)
        .sort(byTime),
    active: async (kind, shard) => [...shardFor(kind, shard).values()].filter(inDue).sort(byTime),
    async claim(feed, claim, leaseUntil) {
      const stored = read(feed);
      if (!stored || stored.status === 'idle' || stored.nextPollAt !== feed.nextPollAt)
        return false;
      write(feed, { claim, nextPollAt: leaseUntil });
      return true;
    },
    async beginCall(feed, claim, at) {
      const stored = read(feed);
      if (stored?.claim !== claim || stored.call?.claim !== feed.call?.claim) return false;
      write(feed, { call: { claim, at } });
      return true;
    },
    async finishPoll(key, claim, record) {
      const { micropulls, settles, ownerIds, missing, setAside, ...facts } = record;
      const stored = read(key);
      if (stored?.claim !== claim) return undefined;
      const dropped: (keyof Feed)[] = ['claim'];
      if (settles) dropped.push('call');
      if (record.nextWhy === undefined) dropped.push('nextWhy');
      if (ownerIds === 'many') dropped.push('ownerIds');
      if (missing === 'found') dropped.push('missing');
      if (setAside && Object.keys(setAside).length === 0) dropped.push('setAside');
      const missed = missing === 'found' ? {} : { missing };
      const sharedMicropulls = stored.sharedMicropulls + micropulls;
      const owners = Array.isArray(ownerIds) ? { ownerIds } : {};
      return write(key, { ...facts, ...owners, ...missed, setAside, sharedMicropulls }, dropped);
    },
    async clearNudge(key) {
      if (read(key)) write(key, {}, ['owesNudge']);
    },
    async pollSooner(key, now) {
      const stored = read(key);
      if (!stored || !inDue(stored) || stored.claim !== undefined) return false;
      if ((stored.nextPollAt ?? 0) <= now) return false;
      write(key, { nextPollAt: now });
      return true;
    },
    async reschedule(feed, { nextPollAt, reason, why }) {
      const stored = read(feed);
      if (!stored || !inDue(stored) || stored.claim !== undefined) return false;
      if (stored.nextPollAt !== feed.nextPollAt) return false;
      write(feed, { nextPollAt, nextReason: reason, nextWhy: why }, why ? [] : ['nextWhy']);
      return true;
    },
    async setReach(key, isOutOfReach) {
      if (read(key)) write(key, { isOutOfReach });
    },
    async note(key, { eventStartsAt, unwellSince }) {
      if (!read(key)) return;
      const since = unwellSince === 'well' ? {} : { unwellSince };
      write(key, { eventStartsAt, ...since }, unwellSince === 'well' ? ['unwellSince'] : []);
    },
    async retire(key, status, lookAt) {
      if (!read(key)) return;
      write(key, { status }, ['nextPollAt', 'claim', 'call']);
      if (lookAt !== undefined) write(key, { nextPollAt: lookAt });
    },
    scheduled: async (kind, shard) =>
      [...shardFor(kind, shard).values()].filter((feed) => feed.nextPollAt !== undefined),
    statuses: async (kind, shard) =>
      [...shardFor(kind, shard).values()].filter((feed) => feed.nextPollAt !== undefined),
    async revive(key, now) {
      const status = read(key)?.status;
      if (status !== 'ended' && status !== 'not_found') return false;
      write(key, { status: 'active', nextPollAt: now }, ['claim']);
      return true;
    },
  };
}

/** The budget in one variable. */
export function createMemoryBudgetStore(): BudgetStore {
  let budget: Budget | undefined;
  let settings: Awaited<ReturnType<BudgetStore['settings']>> = { ownerShares: {}, revision: 0 };
  const owners = new Map<string, number>();
  const turned = (now: number): Budget => {
    budget ??= newBudget(now);
    if (needsTurning(budget, now)) budget = turnBudget(budget, now);
    return budget;
  };
  const add = (reserved: number, spent: number, reservations = budget?.reservations ?? {}) => {
    if (!budget) return;
    budget = {
      ...budget,
      dayCommitted: budget.dayCommitted + spent - reserved,
      periodCommitted: budget.periodCommitted + spent - reserved,
      daySpent: budget.daySpent + spent,
      periodSpent: budget.periodSpent + spent,
      reservations,
    };
  };
  return {
    read: async () => budget,
    current: async (now) => turned(now),
    async reserve({ key, wanted, caps }, now) {
      const before = turned(now);
      const granted = Math.min(wanted, pullsLeft(before, caps));
      if (granted <= 0) return 0;
      const reservations = { ...before.reservations };
      reservations[key] = (reservations[key] ?? 0) + granted;
      add(-granted, 0, reservations);
      return granted;
    },
    async commitReservation(key, { reserved, spent, answeredAt }) {
      if (budget && answeredAt !== undefined) budget = { ...budget, lastAnswerAt: answeredAt };
      const held = budget?.reservations[key];
      if (held === undefined || held < reserved) return add(0, spent);
      add(reserved, spent, { ...budget?.reservations, [key]: held - reserved });
    },
    async recount(before, { daySpent, periodSpent, period }) {
      const guarded = ['dayStart', 'periodStart', 'daySpent', 'periodSpent'] as const;
      const current = budget;
      if (!current || guarded.some((name) => current[name] !== before[name])) return false;
      budget = {
        ...current,
        ...{ daySpent, periodSpent, periodStart: period.start, periodEnd: period.end },
        dayCommitted: current.dayCommitted + daySpent - before.daySpent,
        periodCommitted: current.periodCommitted + periodSpent - before.periodSpent,
      };
      return true;
    },
    async setPlan(plan) {
      if (budget) budget = { ...budget, ...plan };
    },
    settings: async () => settings,
    async replaceSettings({ revision }, wanted) {
      if (settings.revision !== revision) return false;
      settings = { ...wanted, revision: revision + 1 };
      return true;
    },
    async chargeOwner(day, ownerId, micropulls) {
      const key = `${day} ${ownerId}`;
      owners.set(key, (owners.get(key) ?? 0) + micropulls);
    },
    async chargeOwnerWithin(day, ownerId, { pulls, most }) {
      const key = `${day} ${ownerId}`;
      const before = owners.get(key) ?? 0;
      if (pulls > most || before > (most - pulls) * 1_000_000) return false;
      owners.set(key, before + pulls * 1_000_000);
      return true;
    },
    spentByOwner: async (day, ownerId) => (owners.get(`${day} ${ownerId}`) ?? 0) / 1_000_000,
  };
}

/** The marketplace's state in one variable. */
export function createMemoryMarketStateStore(): MarketStateStore {
  let state: MarketState = newMarketState;
  return {
    read: async () => state,
    async change(decide) {
      const before = state;
      const decided = decide(before);
      if (decided !== before) state = { ...decided, version: before.version + 1 };
      return { before, after: state };
    },
  };
}

/** Every shard of a kind, for tests that want all feeds. */
export const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

function withoutUndefined<T extends object>(item: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
