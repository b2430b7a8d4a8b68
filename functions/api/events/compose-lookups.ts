// What the API and jobs look up of events, in the tables and at the marketplace. Each is loaded at its first call:
// few requests need it.
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { atFirstCall, once } from '#shared/lambda/at-first-call.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { LookUpEvent } from './look-up-event.ts';
import type { SearchEvents } from './search-events.ts';

interface LookupParts {
  stores: Stores;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage' | 'statsPage'>>;
  pullCaps: Caps;
  now: () => number;
}

interface Lookups {
  loadHistory: LoadHistory;
  searchEvents: SearchEvents;
  lookUpEvent: LookUpEvent;
}

export function composeLookups({ stores, readMarketplace, pullCaps, now }: LookupParts): Lookups {
  const catalog = once(async () => {
    const { createCatalogSearch } = await import('./search-catalog.ts');
    return createCatalogSearch(stores.catalog, now);
  });
  return {
    loadHistory: atFirstCall(async () => {
      const { createLoadHistory } = await import('#shared/dynamo/history.ts');
      return createLoadHistory(stores);
    }),
    searchEvents: atFirstCall(async () => {
      const { createSearchEvents } = await import('./search-events.ts');
      return createSearchEvents({ stores, catalog: await catalog(), readMarketplace, now });
    }),
    lookUpEvent: atFirstCall(async () => {
      const { createLookUpEvent } = await import('./look-up-event.ts');
      return createLookUpEvent({ stores, catalog: await catalog(), readMarketplace, pullCaps });
    }),
  };
}
