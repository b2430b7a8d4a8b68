// Builds dispatch from stores, caps and a queue: for the function and for tests.
import { budget, feeds, marketState } from '#shared/dynamo/store-list.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { createLimits } from '#shared/polling/read-limits.ts';
import { createDispatch } from './dispatch.ts';

/** The stores that dispatch uses. */
export const dispatchStores = { budget, feeds, marketState };

interface DispatchParts {
  stores: StoresOf<typeof dispatchStores>;
  /** The deployment's caps. */
  caps: Caps;
  sendToPoll: SendMessages;
}

/** @returns the dispatch use case over these stores. */
export function composeDispatch({ stores, caps, sendToPoll }: DispatchParts) {
  const { budget, feeds, marketState } = stores;
  const readLimits = createLimits(budget, caps);
  return createDispatch({ budget, feeds, marketState, readLimits, sendToPoll });
}
