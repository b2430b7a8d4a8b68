// Builds the edits of living messages from stores and queues: for send-webhook and for tests.
import type { BuyLinkTemplate } from '#shared/alerts/ticket-link.ts';
import { createEditMessage, type SendEdit } from '#shared/delivery/episodes/edit-message.ts';
import { createRunEdits } from '#shared/delivery/episodes/edit-run.ts';
import type { TakeTurn } from '#shared/delivery/pace.ts';
import type { TakeSlot } from '#shared/delivery/sender-slots.ts';
import {
  access,
  alerts,
  channelHealth,
  channels,
  evaluations,
  eventFacts,
  livingMessages,
  snapshots,
  triggers,
  watches,
} from '#shared/dynamo/store-list.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from './channel-senders.ts';
import { composePlanEdits } from './compose-plan-edits.ts';

/** The stores that a run of edits uses. */
export const editStores = {
  access,
  alerts,
  channelHealth,
  channels,
  evaluations,
  eventFacts,
  livingMessages,
  snapshots,
  triggers,
  watches,
};

interface EditParts {
  stores: StoresOf<typeof editStores>;
  senders: ChannelSenders;
  takeSlot: TakeSlot;
  takeTurn: TakeTurn;
  sendEdit: SendEdit;
  buyLinks: readonly BuyLinkTemplate[];
  wait: (ms: number) => Promise<void>;
}

/** @returns the use case of one run of edits. What can't be read counts as removed. */
export function composeRunEdits(parts: EditParts) {
  const { stores, senders, wait, ...sending } = parts;
  const { livingMessages: living } = stores;
  return createRunEdits({
    livingMessages: living,
    findEvaluation: (feed) => orMissing(stores.evaluations.find(feed)),
    snapshots: stores.snapshots,
    findTrigger: stores.triggers.find,
    findAlert: (alertId) => orMissing(stores.alerts.find(alertId)),
    findEventFacts: stores.eventFacts.find,
    editMessage: createEditMessage({
      livingMessages: living,
      findChannel: (channelId) => orMissing(stores.channels.find(channelId)),
      findHealth: stores.channelHealth.find,
      findOwner: (ownerId) => orMissing(stores.access.findOwner(ownerId)),
      findWatch: (watchId) => orMissing(stores.watches.find(watchId)),
      ...sending,
    }),
    sendEdits: senders.webhook,
    planEdits: composePlanEdits(parts),
    wait,
  });
}
