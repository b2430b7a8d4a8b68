// Sends the alerts that waited until the reader of a channel agreed to get them.
import type { Channel } from '#shared/delivery/channel.ts';
import { confirmationWait } from '#shared/delivery/decide-disposition.ts';
import { deliveryIdOf } from '#shared/delivery/delivery.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';

interface ReleaseDeps {
  stores: Pick<Stores, 'deliveries'>;
  senders: ChannelSenders;
}

/** Repeating it changes nothing; `now` is epoch milliseconds. */
export type ReleaseWaiting = (channel: Channel, now: number) => Promise<void>;

export function createReleaseWaiting({ stores, senders }: ReleaseDeps): ReleaseWaiting {
  return async function releaseWaiting({ channelId, ownerId, target }, now) {
    const waiting = deliveryIdOf(confirmationWait(now).group, channelId);
    if (!(await stores.deliveries.makeDue(waiting, now))) return;
    await senders[target.kind]([{ body: { deliveryId: waiting }, group: ownerId }]);
  };
}
