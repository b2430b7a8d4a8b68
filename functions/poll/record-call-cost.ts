// Records the cost of a call: in the budget, in the ledger, and in shares for the owners who wanted
// it. Recording the same call again leaves the ledger unchanged.

import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { PullStore } from '#shared/dynamo/pulls.ts';
import type { SubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { ledgerDay, pullOf } from '#shared/polling/pull.ts';
import { sharersOf } from '#shared/polling/pull-sharers.ts';
import {
  type Subscription,
  shareByOwner,
  sharePerSubscription,
} from '#shared/polling/subscription.ts';

/** A call and its cost, or the upper bound of its cost. */
export interface CallCost {
  claim: string;
  /** When it was sent, epoch milliseconds. */
  at: number;
  pulls: number;
  reason: string;
  /** `unsettled`: what it cost is not certain; `pulls` counts until the marketplace's usage shows it. */
  state: 'settled' | 'unsettled';
  /** Whether its answer could be read. @default false */
  isAnswered?: boolean;
  refreshAt?: number | undefined;
  /** When it is recorded, epoch milliseconds. @default while it runs */
  recordedAt?: number | undefined;
  /** Undefined when its reservation has expired. */
  reservation?: string | undefined;
}

/** What the feed stores of a cost. */
export interface SharedCost {
  micropulls: number;
  ownerIds?: string[] | 'many' | undefined;
  watches?: number | undefined;
}

export type RecordCallCost = (feed: Feed, cost: CallCost) => Promise<SharedCost>;

interface RecordCallCostDeps {
  subscriptions: Pick<SubscriptionStore, 'of'>;
  pulls: Pick<PullStore, 'create'>;
  budget: Pick<BudgetStore, 'commitReservation' | 'settings' | 'chargeOwner'>;
}

/** Owners named on a feed; if more owners want it, no single owner's used-up share delays it. */
const ownersNamed = 8;

/**
 * The budget is updated first: after a crash before the ledger write, the budget has one pull too many until
 * the hourly recount, never one too few.
 */
export function createRecordCallCost({
  subscriptions,
  pulls,
  budget,
}: RecordCallCostDeps): RecordCallCost {
  return async function recordCallCost(feed, cost) {
    const reserved = cost.reservation === undefined ? 0 : 1;
    await budget.commitReservation(cost.reservation ?? 'lapsed', {
      ...{ reserved, spent: cost.pulls },
      ...(cost.isAnswered && { answeredAt: cost.at }),
    });
    if (cost.pulls === 0 && cost.state === 'settled') return { micropulls: 0 };
    const wanting = await subscriptions.of(feed);
    const { eventId, kind } = feed;
    const { claim, at, pulls: spent, reason, state, refreshAt } = cost;
    const sharers = sharersOf(wanting);
    const row = pullOf({
      ...{ claim, eventId, kind, pulls: spent, reason, state, pulledAt: at },
      ...(refreshAt !== undefined && { refreshAt }),
      watches: wanting.length,
      ...(sharers && { sharers }),
    });
    const isNew = await pulls.create(row, cost.recordedAt);
    if (isNew) await chargeOwners(wanting, spent, at);
    return {
      micropulls: isNew ? sharePerSubscription(spent, wanting.length) : 0,
      ownerIds: ownersOf(wanting),
      watches: wanting.length,
    };
  };

  /** Charges only owners who have a share, because the others have no limit to reach. */
  async function chargeOwners(
    wanting: readonly Subscription[],
    spent: number,
    at: number,
  ): Promise<void> {
    const { ownerShares } = await budget.settings();
    if (Object.keys(ownerShares).length === 0) return;
    for (const { ownerId, micropulls } of shareByOwner(spent, wanting)) {
      if (!Object.hasOwn(ownerShares, ownerId)) continue;
      await budget.chargeOwner(ledgerDay(at), ownerId, micropulls);
    }
  }
}

function ownersOf(wanting: readonly Subscription[]): string[] | 'many' {
  const owners = [...new Set(wanting.map(({ ownerId }) => ownerId))];
  return owners.length > ownersNamed ? 'many' : owners;
}
