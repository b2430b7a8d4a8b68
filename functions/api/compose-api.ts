// Builds the API's dependencies from stores, queues, secrets and the marketplace: for the function and
// for tests.
import { createLinks } from '#shared/delivery/links.ts';
import type { GuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { atFirstCall, once } from '#shared/lambda/at-first-call.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { createAdminKeyReader } from './admin-key.ts';
import type { ApiDeps } from './api-deps.ts';
import { composeLookups } from './events/compose-lookups.ts';
import { createPublishedLinks } from './published/published-links.ts';
import type { BotUse } from './telegram/bot-use.ts';

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

/** @returns what `createApp` takes. What only some requests need is loaded at the first of them. */
export function composeApi(parts: ApiParts): ApiDeps {
  const { stores, readMarketplace, pullCaps } = parts;
  return {
    ...parts,
    ...composeLookups(parts),
    resolveEvent: atFirstCall(async () => {
      const { createResolveEvent } = await import('./events/resolve-event.ts');
      return createResolveEvent({ stores, readMarketplace, pullCaps });
    }),
    buyHistory: atFirstCall(async () => {
      const { createBuyHistory } = await import('./events/buy-history.ts');
      return createBuyHistory({ stores, readMarketplace, pullCaps });
    }),
    links: createLinks(parts.readLinkSecret, parts.publicUrl),
    telegram: composeBotUse(parts),
    published: createPublishedLinks(parts.readLinkSecret, parts.publicUrl),
    readAdminKey: createAdminKeyReader(parts.readAdminSecret),
  };
}

function composeBotUse({ readBotSecret: readSecret, botApi, logger }: ApiParts): BotUse {
  const use = once(async () => {
    const { createBotUse } = await import('./telegram/bot-use.ts');
    return createBotUse({ readSecret, botApi, logger });
  });
  return {
    readBot: async () => (await use()).readBot(),
    requireBot: async () => (await use()).requireBot(),
    answer: async (bot, calls) => (await use()).answer(bot, calls),
  };
}
