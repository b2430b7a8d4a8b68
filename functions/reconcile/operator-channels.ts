// The operator's own channels, as the deployment names them: made when they are new, removed when the
// deployment names others.
import { createHash } from 'node:crypto';
import type { Channel } from '#shared/delivery/channel.ts';
import type { ChannelTarget } from '#shared/delivery/channels/channels.ts';
import {
  type OperatorWebhook,
  operatorTarget,
  readOperatorWebhook,
} from '#shared/delivery/operator-webhook.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';

/** Whom operators' notices belong to: nobody who has a key. */
export const operatorId = 'own_00000000000000000000000000000000';

export interface OperatorAddresses {
  /** Empty for none. */
  email: string;
  /** Reads the secret of a chat's or a machine's webhook. */
  readWebhook: () => Promise<string>;
}

const channelsRead = 20;

/**
 * Brings the operator's channels in line with the deployment. They need no confirmation: whoever
 * deploys owns them. While the webhook's secret can't be read, all channels stay as they are.
 * @returns a step that answers with how many there are.
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
 * Named by its address and what signs, so that two runs make one, and another address or another
 * secret is another channel.
 */
function channelIdOf(target: ChannelTarget): string {
  const address = 'address' in target ? target.address : target.url;
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
