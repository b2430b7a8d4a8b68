// Creates, confirms, tests and changes channels, and rotates their secrets. replay-deliveries.ts sends
// missed deliveries again.
// Independent of HTTP.

import type { Channel, ChannelChange } from '#shared/delivery/channel.ts';
import type { ChannelKind, ChannelTarget, NewChannel } from '#shared/delivery/channels/channels.ts';
import { kindOf } from '#shared/delivery/channels/channels.ts';
import { rotatableFrom, rotateSecrets } from '#shared/delivery/channels/webhook-secrets.ts';
import { type Delivery, deliveryIdOf, newDelivery } from '#shared/delivery/delivery.ts';
import type { Links } from '#shared/delivery/links.ts';
import { createWebhookSecret } from '#shared/delivery/outbound/webhook.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { createReleaseWaiting } from './release-waiting.ts';
import { createReplay } from './replay-deliveries.ts';

interface ManageChannelsDeps {
  stores: Pick<Stores, 'channels' | 'deliveries'>;
  senders: Record<ChannelKind, SendMessages>;
  links: Links;
}

/** How a rotation of a channel's secret ended. */
type Rotation =
  | { kind: 'rotated'; secret: string }
  /** Only generic webhooks have a secret. */
  | { kind: 'no_secret' }
  /** So many secrets are valid that the next rotation must wait until `from`, epoch ms. */
  | { kind: 'too_many'; from: number }
  /** Another request changed the channel since it was read. */
  | { kind: 'stale' };

/** The use cases; every `now` is epoch milliseconds. */
export function createManageChannels({ stores, senders, links }: ManageChannelsDeps) {
  const { channels, deliveries } = stores;
  const releaseWaiting = createReleaseWaiting({ stores, senders });

  function enqueue({ channelKind, deliveryId, ownerId }: Delivery): Promise<void> {
    return senders[channelKind]([{ body: { deliveryId }, group: ownerId }]);
  }

  async function deliver(delivery: Delivery): Promise<Delivery> {
    await deliveries.create(delivery);
    await enqueue(delivery);
    return delivery;
  }

  /** Sends the mail; the caller has already counted it (`MailLimits.takeConfirmation`). */
  async function confirm(channel: Channel, now: number): Promise<Delivery> {
    const confirmUrl = await links.confirmUrl(channel.channelId, now);
    return deliver(aboutChannel(channel, 'confirmation', now, { confirmUrl }));
  }

  return {
    confirm,

    /**
     * Creates a channel; an email address gets a confirmation mail. A repeated request has the same id: it
     * continues with the channel that its first try made.
     */
    async add(
      ownerId: string,
      channelId: string,
      wanted: NewChannel,
      now: number,
    ): Promise<Channel> {
      const { name, immediate, stale_alerts: staleAlerts, fallback_channel } = wanted;
      const kind = kindOf(wanted);
      const channel: Channel = {
        channelId,
        ownerId,
        ...(name !== undefined && { name }),
        target: kind.newTarget(wanted, createWebhookSecret),
        status: kind.needsConfirmation ? 'unverified' : 'active',
        isImmediate: immediate ?? kind.readBy === 'machines',
        staleAlerts,
        ...(fallback_channel !== undefined && { fallbackChannelId: fallback_channel }),
        watchesSilentUntil: {},
        stopUrl: await links.manageUrl(channelId),
        createdAt: new Date(now).toISOString(),
      };
      const isNew = await channels.create(channel);
      const stored = isNew ? channel : ((await channels.find(channelId)) ?? channel);
      if (stored.status === 'unverified' && kind.needsConfirmation === 'mail') {
        await confirm(stored, now);
      }
      return stored;
    },

    /** Stops the channel until its reader confirms again. A channel whose reader unsubscribed stays as it is. */
    async requireConfirmation({ channelId }: Channel): Promise<void> {
      const from = ['active', 'disabled'] as const;
      await channels.changeStatus(channelId, from, { status: 'unverified' });
    },

    /** Confirms an address and sends the deliveries that waited for that. Repeating it changes nothing. */
    async confirmed(channel: Channel, now: number): Promise<void> {
      await channels.changeStatus(channel.channelId, ['unverified'], { status: 'active' });
      await releaseWaiting(channel, now);
    },

    /**
     * @param target the changed target; undefined if it stays.
     * @returns false when another request changed the channel since it was read.
     */
    async change(
      channel: Channel,
      change: ChannelChange,
      target: ChannelTarget | undefined,
    ): Promise<boolean> {
      const { name, immediate, stale_alerts, fallback_channel, status } = change;
      const { channelId } = channel;
      const settings = {
        name,
        isImmediate: immediate,
        staleAlerts: stale_alerts,
        fallbackChannelId: fallback_channel,
        target,
      };
      if (!(await channels.changeSettings(channelId, settings, channel))) return false;
      if (status === undefined) return true;
      const off = { status, disabledReason: 'by_owner' } as const;
      // An unconfirmed address is not disabled, because enabling it later would skip the confirmation.
      await channels.changeStatus(channelId, ['active'], off);
      return true;
    },

    /** Makes a new secret; the previous one stays valid for a day. */
    async rotate(channel: Channel, now: number): Promise<Rotation> {
      const { target, channelId } = channel;
      if (!('secrets' in target)) return { kind: 'no_secret' };
      const from = rotatableFrom(target.secrets, now);
      if (from !== undefined) return { kind: 'too_many', from };
      const secret = createWebhookSecret();
      const secrets = rotateSecrets(target.secrets, secret, now);
      const changed = { target: { ...target, secrets } };
      const isWritten = await channels.changeSettings(channelId, changed, channel);
      return isWritten ? { kind: 'rotated', secret } : { kind: 'stale' };
    },

    /** Sends a test message; a test that arrives enables a disabled channel again. */
    test: (channel: Channel, now: number) => deliver(aboutChannel(channel, 'test', now)),

    ...createReplay({ deliveries, enqueue }),
  };
}

export type ManageChannels = ReturnType<typeof createManageChannels>;

/** Two requests in the same millisecond make one delivery, because they come from a double click. */
function aboutChannel(
  { channelId, ownerId, target }: Channel,
  purpose: 'test' | 'confirmation',
  now: number,
  also: Partial<Delivery> = {},
): Delivery {
  const deliveryId = deliveryIdOf(`${purpose}#${now}`, channelId);
  const about = { ownerId, channelId, channelKind: target.kind };
  return newDelivery({ deliveryId, purpose, ...about, ...also }, { now });
}
