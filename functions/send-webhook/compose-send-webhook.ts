// Builds what send-webhook sends and edits, from stores, queues and the guarded client.
import type { BuyLinkTemplate } from '#shared/alerts/ticket-link.ts';
import { createAddressTarget } from '#shared/delivery/outbound/address-target.ts';
import type { GuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { createChatPace, createEditPace } from '#shared/delivery/pace.ts';
import { createStoreMoved } from '#shared/delivery/telegram/store-moved.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import type { TableNames } from '#shared/dynamo/tables.ts';
import { composeRunEdits, editStores } from '#shared/lambda/compose-edits.ts';
import type { SenderParts } from '#shared/lambda/delivery-consumer.ts';
import { createEditWebhook } from './edit-webhook.ts';
import { createSendWebhook } from './send-webhook.ts';

interface SendWebhookParts {
  tables: TableNames;
  post: GuardedPost;
  /** The address of the deployment's bot. */
  readBotUrl: () => Promise<string>;
  buyLinks: readonly BuyLinkTemplate[];
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

/** @returns what send-webhook adds to the wiring of a sender. */
export function composeSendWebhook(
  { stores, senders, dynamo }: SenderParts,
  { tables, post, readBotUrl, buyLinks, now, wait }: SendWebhookParts,
) {
  const calls = { post, address: createAddressTarget(readBotUrl), now };
  return {
    send: createSendWebhook({ ...calls, storeMoved: createStoreMoved(stores) }),
    takeTurn: createChatPace(stores.tallies),
    runEdits: composeRunEdits({
      ...{ senders, buyLinks, wait, takeSlot: stores.senderSlots },
      stores: openStores(dynamo, tables, editStores),
      takeTurn: createEditPace(stores.tallies),
      sendEdit: createEditWebhook(calls),
    }),
  };
}
