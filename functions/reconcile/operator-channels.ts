// The operator's own channels, from the deployment's settings: created when new, removed when the
// settings name others.
import { createHash } from 'node:crypto';
import type { Channel } from '#shared/delivery/channel.ts';
import { type ChannelTarget, kindOf } from '#shared/delivery/channels/channels.ts';
import {
  type OperatorWebhook,
  operatorTarget,
  readOperatorWebhook,
} from '#shared/delivery/operator-webhook.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';

/** The owner id for operators' notices; no API key belongs to it. */
export const operatorId = 'own_00000000000000000000000000000000';

export interface OperatorAddresses {
  /** Empty for none. */
  email: string;
  /** Reads the secret with the webhook's URL and signing key. */
  readWebhook: () => Promise<string>;
}

const channelsRead = 20;

/**
 * Makes the operator's channels match the deployment's settings. They need no confirmation, because the person
 * who deploys owns them. While the webhook's secret can't be read, all channels stay as they are.
 * @returns a step that returns the number of channels.
 */
export function createKeepOperatorChannels(
  channels: Pick<ChannelStore, 'create' | 'find' | 'list' | 'remove'>,
  addresses: OperatorAddresses,
) {
  return async function keepOperatorChannels(now: number): Promise<number> {
    const webhook = readOperatorWebhook(await addresses.readWebhook());
    const targets = targetsOf(addresses.email, webhook);
    const wanted = new Map(targets.map((target) => [channelIdOf(target), target]));
    const { rows } = await channels.list(operatorId, { limit: channelsRead });
    for (const { channelId } of rows) if (!wanted.has(channelId)) await channels.remove(channelId);
    for (const [channelId, target] of wanted) {
      if (await channels.find(channelId)) continue;
      await channels.create(operatorChannel(channelId, target, now));
    }
    return wanted.size;
  };
}

function targetsOf(email: string, webhook: OperatorWebhook): ChannelTarget[] {
  const targets: ChannelTarget[] = [];
  if (email !== '') targets.push({ kind: 'email', address: email });
  if (webhook.url !== '') targets.push(operatorTarget(webhook));
  return targets;
}

/**
 * The id is derived from the address and the signing key, so that two runs make one channel, and a changed
 * address or secret makes another channel.
 */
function channelIdOf(target: ChannelTarget): string {
  const address = 'address' in target ? target.address : kindOf(target).readerOf(target);
  const signs = 'secrets' in target ? target.secrets.map(({ secret }) => secret) : [];
  const name = ['operator', address, ...signs].join('/');
  return `ch_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}

function operatorChannel(channelId: string, target: ChannelTarget, now: number): Channel {
  return {
    channelId,
    ownerId: operatorId,
    name: 'operator',
    target,
    status: 'active',
    isImmediate: true,
    staleAlerts: 'send',
    watchesSilentUntil: {},
    stopUrl: '',
    createdAt: new Date(now).toISOString(),
  };
}
