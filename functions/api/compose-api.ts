// Builds the API's dependencies from stores, queues, secrets and the marketplace: for the function and
// for tests.
import { createLinks } from '#shared/delivery/links.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { createAdminKeyReader } from './admin-key.ts';
import type { ApiDeps } from './api-deps.ts';
import { createBuyHistory } from './events/buy-history.ts';
import { createLookUpEvent } from './events/look-up-event.ts';
import { createResolveEvent } from './events/resolve-event.ts';
import { createCatalogSearch } from './events/search-catalog.ts';
import { createSearchEvents } from './events/search-events.ts';
import { createPublishedLinks } from './published/published-links.ts';

type Composed =
  | 'loadHistory'
  | 'searchEvents'
  | 'resolveEvent'
  | 'lookUpEvent'
  | 'buyHistory'
  | 'links'
  | 'published'
  | 'readAdminKey';

interface ApiParts extends Omit<ApiDeps, Composed> {
  readMarketplace: () => Promise<
    Pick<MarketplaceClient, 'searchPage' | 'listingsPage' | 'stats' | 'statsPage'>
  >;
  readAdminSecret: () => Promise<string>;
  readLinkSecret: () => Promise<string>;
  /** The API's base URL without a trailing slash; links in messages start with it. */
  publicUrl: string;
}

/** @returns what `createApp` takes. */
export function composeApi(parts: ApiParts): ApiDeps {
  const { stores, readMarketplace, pullCaps, now } = parts;
  const catalog = createCatalogSearch(stores.catalog, now);
  return {
    ...parts,
    loadHistory: createLoadHistory(stores),
    searchEvents: createSearchEvents({ stores, catalog, readMarketplace, now }),
    resolveEvent: createResolveEvent({ stores, readMarketplace, pullCaps }),
    lookUpEvent: createLookUpEvent({ stores, catalog, readMarketplace, pullCaps }),
    buyHistory: createBuyHistory({ stores, readMarketplace, pullCaps }),
    links: createLinks(parts.readLinkSecret, parts.publicUrl),
    published: createPublishedLinks(parts.readLinkSecret, parts.publicUrl),
    readAdminKey: createAdminKeyReader(parts.readAdminSecret),
  };
}
