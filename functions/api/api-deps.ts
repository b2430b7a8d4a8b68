// Everything that the API depends on: stores, queues, the marketplace, secrets and time.
import type { BuyLinkTemplate } from '#shared/alerts/ticket-link.ts';
import type { Links } from '#shared/delivery/links.ts';
import type { OutboundPolicy } from '#shared/delivery/outbound/outbound-address.ts';
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';
import type { Logger } from '#shared/lambda/observability.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { BillingAssumptions } from '#shared/polling/assumptions.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { RequestLimit } from './conventions/rate-limit.ts';
import type { BuyHistory } from './events/buy-history.ts';
import type { LookUpEvent } from './events/look-up-event.ts';
import type { ResolveEvent } from './events/resolve-event.ts';
import type { SearchEvents } from './events/search-events.ts';
import type { PublishedLinks } from './published/published-links.ts';
import type { QuotaSizes } from './quotas.ts';
import type { BotUse } from './telegram/bot-use.ts';

export interface ApiDeps {
  stores: Stores;
  loadHistory: LoadHistory;
  searchEvents: SearchEvents;
  resolveEvent: ResolveEvent;
  lookUpEvent: LookUpEvent;
  buyHistory: BuyHistory;
  /** The deployment's caps on pulls. */
  pullCaps: Caps;
  assumptions: BillingAssumptions;
  sendNudges: SendMessages;
  /** The queue of jobs. */
  sendJobs: SendMessages;
  /** The queue for each kind of channel. */
  senders: ChannelSenders;
  links: Links;
  /** The API's base URL without a trailing slash. */
  publicUrl: string;
  /** The deployment's Telegram bot. */
  telegram: BotUse;
  published: PublishedLinks;
  /** Links to marketplaces, beside Ticketmaster. @default - none */
  buyLinks?: readonly BuyLinkTemplate[];
  readAdminKey: () => Promise<string>;
  outbound: OutboundPolicy;
  logger: Pick<Logger, 'error' | 'info'>;
  /** @default usualQuotas */
  quotas?: QuotaSizes;
  /** @default usualRequestLimit */
  requestLimit?: RequestLimit;
  now: () => number;
  wait: (ms: number) => Promise<void>;
}
