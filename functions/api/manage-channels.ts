// The life of a channel: made, confirmed, tested, changed, its secret rotated, what it missed replayed.
// Knows no HTTP.
import { type Delivery, deliveryIdOf, newDelivery } from '#shared/alerts/delivery.ts';
import { confirmationWait } from '#shared/alerts/gate.ts';
import type { Links } from '#shared/alerts/links.ts';
import { createWebhookSecret } from '#shared/alerts/webhook.ts';
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { Stores } from '#shared/store/stores.ts';
import {
  type Channel,
  type ChannelChange,
  type ChannelKind,
  type ChannelTarget,
  type NewChannel,
  rotateSecrets,
} from '#shared/watchlist/channel.ts';

interface ManageChannelsDeps {
  stores: Pick<Stores, 'channels' | 'deliveries'>;
  senders: Record<ChannelKind, SendMessages>;
  links: Links;
}

/** One confirmation mail a minute is what a person can ask for; more would be a weapon. */
const confirmationEveryMs = 60_000;
/** Deliveries looked at by one replay; what is left is told, so that it can be asked for again. */
const replayedAtOnce = 500;

export interface ReplayResult {
  replayed: number;
  /** Where to go on, if there is more; a time in ISO form. */
  next: string | null;
}

/** The use cases; every `now` is epoch milliseconds. */
export function createManageChannels({ stores, senders, links }: ManageChannelsDeps) {
  const { channels, deliveries } = stores;

  async function deliver(delivery: Delivery): Promise<Delivery> {
    await deliveries.create(delivery);
    await senders[delivery.channelKind]([{ body: { deliveryId: delivery.deliveryId } }]);
    return delivery;
  }

  /** @returns undefined when one went out a moment ago, or the channel needs none. */
  async function confirm(channel: Channel, now: number): Promise<Delivery | undefined> {
    const { channelId, status } = channel;
    if (status !== 'unverified') return undefined;
    const isFree = await channels.noteConfirmation(channelId, now, now - confirmationEveryMs);
    if (!isFree) return undefined;
    const confirmUrl = await links.confirmUrl(channelId, now);
    return deliver(aboutChannel(channel, 'confirmation', now, { confirmUrl }));
  }

  return {
    confirm,

    /** Makes a channel; an e-mail address is asked whether it wants mail. */
    async add(
      ownerId: string,
      channelId: string,
      wanted: NewChannel,
      now: number,
    ): Promise<Channel> {
      const { kind, name, immediate, stale_alerts: staleAlerts, fallback_channel } = wanted;
      const channel: Channel = {
        channelId,
        ownerId,
        ...(name !== undefined && { name }),
        target: targetOf(wanted),
        status: kind === 'email' ? 'unverified' : 'active',
        isImmediate: immediate ?? kind === 'webhook',
        staleAlerts,
        ...(fallback_channel !== undefined && { fallbackChannelId: fallback_channel }),
        watchesSilentUntil: {},
        stopUrl: await links.manageUrl(channelId),
        createdAt: new Date(now).toISOString(),
      };
      await channels.create(channel);
      await confirm(channel, now);
      return channel;
    },

    /** Confirms an address and lets go what waited for it. Doing it again changes nothing. */
    async confirmed(channelId: string, now: number): Promise<void> {
      await channels.changeStatus(channelId, ['unverified'], { status: 'active' });
      const waiting = deliveryIdOf(confirmationWait(now).group, channelId);
      if (!(await deliveries.makeDue(waiting, now))) return;
      await senders.email([{ body: { deliveryId: waiting } }]);
    },

    /** @returns false when somebody else changed the channel since it was read. */
    async change(channel: Channel, change: ChannelChange): Promise<boolean> {
      const { name, immediate, stale_alerts, fallback_channel, url, status } = change;
      const { target, channelId } = channel;
      const settings = {
        name,
        isImmediate: immediate,
        staleAlerts: stale_alerts,
        fallbackChannelId: fallback_channel,
        ...(url !== undefined && target.kind !== 'email' && { target: { ...target, url } }),
      };
      if (!(await channels.changeSettings(channelId, settings, channel))) return false;
      if (status === undefined) return true;
      const off = { status, disabledReason: 'by_owner' } as const;
      await channels.changeStatus(channelId, ['active', 'unverified'], off);
      return true;
    },

    /** A new secret; the one before stays valid for a day. @returns the new one. */
    async rotate(channel: Channel, now: number): Promise<string | undefined> {
      const { target, channelId } = channel;
      if (target.kind !== 'webhook') return undefined;
      const secret = createWebhookSecret();
      const secrets = rotateSecrets(target.secrets, secret, now);
      await channels.changeSettings(channelId, { target: { ...target, secrets } });
      return secret;
    },

    /** Sends a test; one that arrives switches a channel that was switched off on again. */
    test: (channel: Channel, now: number) => deliver(aboutChannel(channel, 'test', now)),

    /** Sends one finished delivery again. @returns false for one that was sent or is under way. */
    async replay({ deliveryId, channelKind }: Delivery, now: number): Promise<boolean> {
      if (!(await deliveries.replay(deliveryId, now))) return false;
      await senders[channelKind]([{ body: { deliveryId } }]);
      return true;
    },

    /** Sends everything again that a channel failed or missed since a time, the newest first. */
    async replaySince(channel: Channel, since: string, now: number): Promise<ReplayResult> {
      const { channelId, ownerId } = channel;
      const page = await deliveries.list(ownerId, { limit: replayedAtOnce });
      const wanted = page.rows.filter(
        (row) => row.channelId === channelId && row.ownerSort >= since && isMissed(row),
      );
      const replayed = await Promise.all(wanted.map((row) => this.replay(row, now)));
      const oldest = page.rows.at(-1)?.ownerSort ?? '';
      const isMore = page.next !== undefined && oldest >= since;
      return {
        replayed: replayed.filter(Boolean).length,
        next: isMore ? (oldest.split('#')[0] ?? null) : null,
      };
    },
  };
}

export type ManageChannels = ReturnType<typeof createManageChannels>;

function isMissed({ status, purpose }: Delivery): boolean {
  return purpose === 'alert' && (status === 'failed' || status === 'skipped');
}

function targetOf(wanted: NewChannel): ChannelTarget {
  if (wanted.kind === 'email') return { kind: 'email', address: wanted.address };
  if (wanted.kind !== 'webhook') return { kind: wanted.kind, url: wanted.url };
  const secrets = [{ secret: createWebhookSecret(), expiresAt: null }];
  return { kind: 'webhook', url: wanted.url, secrets };
}

/** Two in one millisecond are one: a person who presses twice means once. */
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
