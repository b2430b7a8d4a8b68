// Builds the API's dependencies from stores, queues, secrets and the marketplace: for the function and
// for tests.
import { createLinks } from '#shared/delivery/links.ts';
import type { GuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
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
import { createBotUse } from './telegram/bot-use.ts';

type Composed =
  | 'loadHistory'
  | 'searchEvents'
  | 'resolveEvent'
  | 'lookUpEvent'
  | 'buyHistory'
  | 'links'
  | 'telegram'
  | 'published'
  | 'readAdminKey';

interface ApiParts extends Omit<ApiDeps, Composed> {
  readMarketplace: () => Promise<
    Pick<MarketplaceClient, 'searchPage' | 'listingsPage' | 'stats' | 'statsPage'>
  >;
  readAdminSecret: () => Promise<string>;
  readLinkSecret: () => Promise<string>;
  readBotSecret: () => Promise<string>;
  /** The address of Telegram's Bot API, and the client for it. */
  botApi: { url: string; post: GuardedPost };
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
    telegram: createBotUse({ ...parts, readSecret: parts.readBotSecret }),
    published: createPublishedLinks(parts.readLinkSecret, parts.publicUrl),
    readAdminKey: createAdminKeyReader(parts.readAdminSecret),
  };
}
