// The use cases of the watchlist for many rows at a time: what the rows share is read once, their quota is taken with
// two writes, and each feed is nudged once.
import type { OutgoingMessage } from '#shared/lambda/queue-sender.ts';
import { forEachFeedKind, metricsFeed } from '#shared/polling/feed-kinds.ts';
import { ProblemError } from '../problem.ts';
import { createQuotas, type Quotas } from '../quotas.ts';
import { once } from './once.ts';
import { createPresentState, type PresentStateReader, zonesIn } from './present-state.ts';
import { shareReads } from './shared-reads.ts';
import { createWatchlistUse, type WatchlistDeps, type WatchlistUse } from './watchlist-use.ts';

export interface LotUse {
  /** For new watches: reads are shared. */
  creation: WatchlistUse;
  /** For changes of watches, which read what they wrote. */
  change: WatchlistUse;
  /** Takes the quota of new watches; if it is not enough for all, each new watch takes its own. */
  reserve(watches: number, rules: number): Promise<void>;
  /** Sends the nudges and gives the quota back that no watch took. */
  end(): Promise<void>;
}

/** @returns the use cases for one lot of an owner's rows. */
export function createLotUse(deps: WatchlistDeps, ownerId: string): LotUse {
  const nudges = new Map<string, OutgoingMessage>();
  const usual = createQuotas(deps);
  const left = { watches: 0, rules: 0 };
  const lotDeps: WatchlistDeps = {
    ...deps,
    sendNudges: async (messages) => {
      for (const message of messages) nudges.set(JSON.stringify(message.body), message);
    },
  };
  const quotas: Quotas = {
    ...usual,
    async takeWatch(_owner, rules) {
      if (left.watches < 1 || left.rules < rules) return usual.takeWatch(ownerId, rules);
      left.watches -= 1;
      left.rules -= rules;
    },
    async giveWatch(_owner, rules) {
      left.watches += 1;
      left.rules += rules;
    },
    async requireRoom(_owner, rules) {
      if (left.watches < 1 || left.rules < rules) await usual.requireRoom(ownerId, rules);
    },
  };
  // The lot's own read of the newest snapshot replaces the shared one, which knows no snapshot without a feed.
  const stores = { ...shareReads(deps.stores, []), snapshots: deps.stores.snapshots };
  const shared = { ...lotDeps, stores };

  return {
    creation: createWatchlistUse(shared, { quotas, presentState: stateOfLot(shared) }),
    change: createWatchlistUse(lotDeps),

    async reserve(watches, rules) {
      if (watches === 0) return;
      try {
        await usual.takeWatches(ownerId, watches, rules);
        left.watches += watches;
        left.rules += rules;
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
      }
    },

    async end() {
      await Promise.all([
        deps.sendNudges([...nudges.values()]),
        usual.giveWatches(ownerId, left.watches, left.rules),
      ]);
      nudges.clear();
      left.watches = 0;
      left.rules = 0;
    },
  };
}

/**
 * What creations need of an event's present state: its newest stats, read once, for the names of its zones. The answer
 * to an import doesn't say whether a rule is already true; the nudge after it evaluates that.
 */
function stateOfLot(deps: WatchlistDeps): PresentStateReader {
  const kind = metricsFeed;
  const newestStats = once(async (eventId: number) => {
    const feed = await deps.stores.feeds.find(eventId, kind);
    const at = feed?.lastSnapshotAt;
    const named =
      at === undefined ? undefined : await deps.stores.snapshots.at({ eventId, kind }, at);
    return named ?? deps.stores.snapshots.newest({ eventId, kind });
  });

  const read = async (eventId: number) => {
    const stats = (await newestStats(eventId)) ?? null;
    const newest = forEachFeedKind((each) => (each === kind ? stats : null));
    return { eventId, newest, zones: zonesIn(stats) };
  };
  return {
    ...createPresentState(deps),
    read,
    zones: async (eventId) => (await read(eventId)).zones,
    areTrue: async () => new Map(),
  };
}
