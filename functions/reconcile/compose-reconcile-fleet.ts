// Builds reconcile's polling part from stores and the marketplace: for reconcile and for tests.
import {
  access,
  alerts,
  budget,
  catalog,
  evaluations,
  eventFacts,
  feeds,
  marketState,
  notices,
  pulls,
  quotas,
  seriesInUse,
  subscriptions,
  tableWalk,
  triggers,
  watches,
} from '#shared/dynamo/store-list.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { BillingAssumptions } from '#shared/polling/assumptions.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { createNotify } from '#shared/polling/notify.ts';
import { createLimits } from '#shared/polling/read-limits.ts';
import { createTellWatchers } from '#shared/polling/tell-watchers.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { createAskFacts } from './ask-facts.ts';
import { createCheckAccount } from './check-account.ts';
import { createDropIdleSeries } from './drop-idle-series.ts';
import { createEndEpisodes } from './end-episodes.ts';
import { createGiveTurns } from './give-turns.ts';
import { createHealIndexes } from './heal-indexes.ts';
import { createHealTriggers } from './heal-triggers.ts';
import { createPutBack } from './put-back.ts';
import { createReadCatalog } from './read-catalog.ts';
import { createReconcileFleet } from './reconcile-fleet.ts';
import { createReviveEnded } from './revive-ended.ts';
import type { OnStepFailed } from './run-steps.ts';
import { createSweepSubscriptions } from './sweep-subscriptions.ts';
import { createTellBudget } from './tell-budget.ts';
import { createTellRecap } from './tell-recap.ts';
import { oncePerTurn } from './turns.ts';
import { createWatchFeeds } from './watch-feeds.ts';
import { createWatchResting } from './watch-resting.ts';

/** The stores that reconcile uses for polling. */
export const reconcileFleetStores = {
  access,
  alerts,
  budget,
  catalog,
  evaluations,
  eventFacts,
  feeds,
  marketState,
  notices,
  pulls,
  quotas,
  seriesInUse,
  tableWalk,
  triggers,
  watches,
  subscriptions,
};

export interface ReconcileFleetParts {
  stores: StoresOf<typeof reconcileFleetStores>;
  readMarketplace: () => Promise<
    Pick<MarketplaceClient, 'account' | 'usage' | 'dailyCsv' | 'searchPage'>
  >;
  /** The deployment's caps. */
  caps: Caps;
  assumptions: BillingAssumptions;
  /** Hands a stored notice to its sender; must be safe to repeat. */
  sendNotice: (noticeId: string) => Promise<void>;
  /** The queue of the kinds that can edit. */
  sendEdits: SendMessages;
  onStepFailed: OnStepFailed;
}

/** @returns reconcile's polling part over these stores. */
export function composeReconcileFleet(parts: ReconcileFleetParts) {
  const { stores, readMarketplace, caps, assumptions, sendNotice, sendEdits, onStepFailed } = parts;
  const notify = createNotify({ createNotice: stores.notices.create, sendNotice });
  const askFacts = createAskFacts({ ...stores, readMarketplace });
  const tellWatchers = createTellWatchers({
    subscriptionsOf: stores.subscriptions.of,
    findEventName: async (eventId) => (await stores.eventFacts.find(eventId))?.name,
    notify,
  });
  const tellRecap = createTellRecap({ ...stores, notify });
  const endEpisodes = createEndEpisodes({
    findEvaluation: (feed) => orMissing(stores.evaluations.find(feed)),
    sendEdits,
  });
  const reviveEnded = createReviveEnded({ ...stores, tellWatchers });
  const putBack = createPutBack(stores);
  const applyWatchChange = createApplyWatchChange(stores);
  const healTriggers = createHealTriggers({
    ...stores,
    applyWatchChange,
    putBack,
  });
  return createReconcileFleet({
    ...stores,
    readLimits: createLimits(stores.budget, caps),
    assumptions,
    giveTurns: createGiveTurns(stores),
    checkAccount: createCheckAccount({
      ...stores,
      readAccount: async () => (await (await readMarketplace()).account()).data,
      readUsage: async () => (await (await readMarketplace()).usage()).data,
      notify,
    }),
    readCatalog: createReadCatalog({ ...stores, readMarketplace, reviveEnded }),
    watchResting: oncePerTurn(createWatchResting({ ...stores, reviveEnded, askFacts })),
    watchFeeds: createWatchFeeds({ ...stores, askFacts, tellWatchers, tellRecap, endEpisodes }),
    sweepSubscriptions: oncePerTurn(createSweepSubscriptions({ ...stores, healTriggers })),
    healIndexes: createHealIndexes({ ...stores, putBack }),
    dropIdleSeries: oncePerTurn(createDropIdleSeries(stores)),
    tellBudget: createTellBudget(notify),
    sendNotice,
    onStepFailed,
  });
}
