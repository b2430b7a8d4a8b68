// Reads the condition of a channel from its settings, its health and its address's suppression, for the
// troubles of a watch.
import type { ChannelCondition } from '#shared/watchlist/trouble.ts';
import type { Channel } from './channel.ts';
import type { ChannelHealth } from './channel-health.ts';
import { type Suppression, suppressedSince, suppressionWords } from './suppression.ts';

export interface ChannelReads {
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  findHealth: (channelId: string) => Promise<ChannelHealth | undefined>;
  findSuppression: (address: string) => Promise<Suppression | undefined>;
}

/** A channel, undefined if it was deleted, with its condition. */
export interface ReadChannel {
  channel: Channel | undefined;
  condition: ChannelCondition;
}

export async function readChannelCondition(
  reads: ChannelReads,
  channelId: string,
): Promise<ReadChannel> {
  const [channel, health] = await Promise.all([
    reads.findChannel(channelId),
    reads.findHealth(channelId),
  ]);
  const suppression = await suppressionOf(reads, channel);
  return { channel, condition: conditionOf(channelId, { channel, health, suppression }) };
}

/** The suppression that blocks a channel's address; undefined if there is none or the kind is not e-mail. */
export async function suppressionOf(
  { findSuppression }: Pick<ChannelReads, 'findSuppression'>,
  channel: Pick<Channel, 'target'> | undefined,
): Promise<Suppression | undefined> {
  if (channel?.target.kind !== 'email') return undefined;
  const found = await findSuppression(channel.target.address);
  return found?.isSuppressed ? found : undefined;
}

function conditionOf(
  channelId: string,
  known: {
    channel: Channel | undefined;
    health: ChannelHealth | undefined;
    suppression: Suppression | undefined;
  },
): ChannelCondition {
  const { channel, health, suppression } = known;
  const { failures = 0, failingSince = 0, lastReason = 'unknown' } = health ?? {};
  return {
    channelId,
    channel,
    ...(failures > 0 && { failing: { failures, since: failingSince, reason: lastReason } }),
    ...(suppression && {
      suppressed: { since: suppressedSince(suppression), words: suppressionWords(suppression) },
    }),
  };
}
