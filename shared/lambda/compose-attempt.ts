// Builds the use case that attempts one delivery, from stores and queues: for the senders and for tests.
import type { BuyLinkTemplate } from '#shared/alerts/ticket-link.ts';
import { createAttempt, type Send } from '#shared/delivery/attempt.ts';
import { createKeepLiving } from '#shared/delivery/episodes/keep-living.ts';
import type { TakeTurn } from '#shared/delivery/pace.ts';
import { createPrepareMessage } from '#shared/delivery/prepare-message.ts';
import { createPutOff } from '#shared/delivery/put-off.ts';
import { createRecordOutcome } from '#shared/delivery/record-outcome.ts';
import { createSendLater } from '#shared/delivery/send-later.ts';
import type { TakeSlot } from '#shared/delivery/sender-slots.ts';
import { createWhyNoNews } from '#shared/delivery/still-true.ts';
import {
  access,
  alerts,
  channelHealth,
  channels,
  deliveries,
  livingMessages,
  snapshots,
  suppressions,
  watches,
} from '#shared/dynamo/store-list.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from './channel-senders.ts';
import { composeFallBack } from './compose-fallback.ts';
import { composePlanEdits } from './compose-plan-edits.ts';
import { composeSwitchOff } from './compose-switch-off.ts';

/** The stores that an attempt uses. */
export const attemptStores = {
  access,
  alerts,
  channelHealth,
  channels,
  deliveries,
  livingMessages,
  snapshots,
  suppressions,
  watches,
};

interface AttemptParts {
  stores: StoresOf<typeof attemptStores>;
  senders: ChannelSenders;
  takeSlot: TakeSlot;
  takeTurn: TakeTurn;
  send: Send;
  buyLinks: readonly BuyLinkTemplate[];
  random: () => number;
}

/** @returns the attempt use case over these stores and queues. */
export function composeAttempt(parts: AttemptParts) {
  const { stores, senders, takeSlot, takeTurn, send, buyLinks, random } = parts;
  const { channels, deliveries, channelHealth: health } = stores;
  const findChannel = channels.find;
  const fallBack = composeFallBack({ stores, senders });
  const { tellOwner, switchOff } = composeSwitchOff({ stores, senders });
  const sendLater = createSendLater(senders);
  const putOff = createPutOff({ deliveries, sendLater, random });
  const prepare = createPrepareMessage({
    buyLinks,
    // A damaged alert counts as gone, so that the others of its message are told.
    findAlert: (alertId) => orMissing(stores.alerts.find(alertId)),
    findOwner: stores.access.findOwner,
    whyNoNews: createWhyNoNews({
      findWatch: stores.watches.find,
      findNewest: (eventId, kind) => stores.snapshots.newest({ eventId, kind }),
    }),
  });
  const keepLiving = createKeepLiving({
    livingMessages: stores.livingMessages,
    planEdits: composePlanEdits({ stores, senders }),
  });
  const rest = { fallBack, tellOwner, switchOff, putOff, sendLater, keepLiving, random };
  const record = createRecordOutcome({ deliveries, health, channels, ...rest });
  const around = { deliveries, health, findChannel, takeSlot, takeTurn, putOff, fallBack };
  return createAttempt({ ...around, prepare, send, record });
}
