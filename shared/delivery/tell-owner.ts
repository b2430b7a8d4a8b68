// Sends an owner a notice by the best of their channels.

import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Channel } from './channel.ts';
import type { ChannelKind } from './channels/channels.ts';
import { kindOf } from './channels/channels.ts';
import { deliveryIdOf, newDelivery } from './delivery.ts';
import type { OwnerNotice } from './message/message-kinds.ts';

/** How many of an owner's channels are read. */
const channelsRead = 100;

interface TellOwnerDeps {
  channels: Pick<ChannelStore, 'list'>;
  deliveries: Pick<DeliveryStore, 'create'>;
  senders: Record<ChannelKind, SendMessages>;
}

export interface Telling {
  ownerId: string;
  /** The name of the notice: a second call with the same name does nothing. */
  subject: string;
  notice: OwnerNotice;
  /** The channel that the notice is about; the notice is not sent there. */
  exceptChannelId?: string;
  now: number;
}

/** @returns how many channels the notice went to; 0 if the owner has no working channel. */
export type TellOwner = (telling: Telling) => Promise<number>;

/** Mail to every active address; without any, the first active chat; else the first active webhook. */
export function createTellOwner({ channels, deliveries, senders }: TellOwnerDeps): TellOwner {
  return async function tellOwner({ ownerId, subject, notice, exceptChannelId, now }) {
    const { rows } = await channels.list(ownerId, { limit: channelsRead });
    const usable = rows.filter(
      ({ status, channelId }) => status === 'active' && channelId !== exceptChannelId,
    );
    const chosen = bestOf(usable);
    for (const { channelId, target } of chosen) {
      const delivery = newDelivery(
        {
          deliveryId: deliveryIdOf(subject, channelId),
          purpose: 'notice',
          notice,
          ...{ ownerId, channelId, channelKind: target.kind },
        },
        { now },
      );
      await deliveries.create(delivery);
      await senders[target.kind]([{ body: { deliveryId: delivery.deliveryId }, group: ownerId }]);
    }
    return chosen.length;
  };
}

function bestOf(usable: readonly Channel[]): Channel[] {
  const mails = usable.filter(({ target }) => kindOf(target).sender === 'email');
  if (mails.length > 0) return mails;
  const chat = usable.find(({ target }) => kindOf(target).readBy === 'people') ?? usable[0];
  return chat ? [chat] : [];
}
