// Puts the parts of delivering together, over stores and queues, for whoever sends.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { ChannelKind } from '#shared/watchlist/channel.ts';
import { createFindUnreached } from '../alerts/unreached.ts';
import { createAttempt, type Send } from './attempt.ts';
import { createFallBack } from './fallback.ts';
import type { TakeTurn } from './pace.ts';
import { createPrepareMessage } from './prepare-message.ts';
import { createPutOff } from './put-off.ts';
import { createRecordOutcome } from './record-outcome.ts';
import { createSendLater } from './send-later.ts';
import type { TakeSlot } from './sender-slots.ts';
import { createWhyNoNews } from './still-true.ts';
import { createSwitchOff } from './switch-off.ts';
import { createTellOwner } from './tell-owner.ts';

interface DeliveringDeps {
  stores: Pick<
    Stores,
    | 'access'
    | 'alerts'
    | 'channelHealth'
    | 'channels'
    | 'deliveries'
    | 'snapshots'
    | 'suppressions'
    | 'watches'
  >;
  senders: Record<ChannelKind, SendMessages>;
  takeSlot: TakeSlot;
  takeTurn: TakeTurn;
  send: Send;
  random: () => number;
}

/** The attempt use case with everything that it rests on. */
export function createDelivering(deps: DeliveringDeps) {
  const { stores, senders, takeSlot, takeTurn, send, random } = deps;
  const { channels, deliveries, channelHealth: health } = stores;
  const findChannel = channels.find;
  const sendLater = createSendLater(senders);
  const findAlert = stores.alerts.find;
  const findWatch = stores.watches.find;
  const fallBack = createFallBack({ findChannel, findAlert, findWatch, deliveries, senders });
  const tellOwner = createTellOwner({ channels, deliveries, senders });
  const findUnreached = createFindUnreached({
    listWatches: stores.watches.listAll,
    findChannel,
    findHealth: health.find,
    findSuppression: stores.suppressions.find,
  });
  const switchOff = createSwitchOff({ channels, findUnreached, tellOwner });
  const putOff = createPutOff({ deliveries, sendLater, random });
  const whyNoNews = createWhyNoNews({
    findWatch,
    findNewest: (eventId, kind) => stores.snapshots.newest({ eventId, kind }),
  });
  const prepare = createPrepareMessage({
    findAlert,
    findOwner: stores.access.findOwner,
    whyNoNews,
  });
  const rest = { fallBack, tellOwner, switchOff, putOff, sendLater, random };
  const record = createRecordOutcome({ deliveries, health, channels, ...rest });
  const around = { deliveries, health, findChannel, takeSlot, takeTurn, putOff, fallBack };
  return createAttempt({ ...around, prepare, send, record });
}
