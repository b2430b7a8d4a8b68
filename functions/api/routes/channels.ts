// Channels: where an owner's alerts go.
import { judgeReceiverUrl, refusalWords } from '#shared/alerts/outbound/receiver-url.ts';
import {
  type Channel,
  type ChannelKind,
  channelChangeSchema,
  newChannelSchema,
} from '#shared/watchlist/channel.ts';
import type { ApiDeps } from '../app.ts';
import {
  channelJson,
  channelJsonSchema,
  channelVersion,
  newChannelJsonSchema,
} from '../channels/channel-json.ts';
import { type ChannelUse, channelParams, channelTag } from '../channels/channel-use.ts';
import { createMailLimits } from '../channels/mail-limits.ts';
import { createManageChannels } from '../channels/manage-channels.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults, notFound, problem } from '../problem.ts';
import { createQuotas } from '../quotas.ts';
import { channelMoves } from './channel-moves.ts';

const tag = channelTag;
const params = channelParams;

/** create, list, get, change, delete, confirm, test, rotate, replay. */
export function channelOperations(deps: ApiDeps): Operation[] {
  const owned = async (channelId: string, ownerId: string) => {
    const channel = await deps.stores.channels.find(channelId);
    if (channel?.ownerId !== ownerId) throw notFound('channel');
    return channel;
  };
  const use: ChannelUse = {
    deps,
    manage: createManageChannels(deps),
    limits: createMailLimits(deps),
    owned,
  };
  return [
    createOperation(use),
    listOperation(use),
    getOperation(use),
    changeOperation(use),
    deleteOperation(use),
    ...channelMoves(use),
  ];
}

function createOperation({ deps, manage, limits }: ChannelUse) {
  const quotas = createQuotas(deps);
  return defineOperation({
    method: 'post',
    path: '/v1/channels',
    tag,
    summary: 'Add a channel',
    description:
      'An e-mail address gets a mail with a link, and no alert before its reader follows the link; alerts of the last hours wait for that. An address gets at most one such mail a minute and five in 24 hours, over all owners and channels: beyond that the channel is refused with 429, and Retry-After says when to try again. A webhook is signed by Standard Webhooks; its secret is shown in this answer only. Slack, Discord and Teams take the incoming-webhook address that they give out.',
    access: 'write',
    body: newChannelSchema,
    bodyExamples: {
      email: { summary: 'An e-mail address', value: { kind: 'email', address: 'ann@example.com' } },
      webhook: {
        summary: 'A signed webhook',
        value: { kind: 'webhook', url: 'https://example.com/hook' },
      },
    },
    answer: { status: 201, description: 'The channel', schema: newChannelJsonSchema },
    handle: async ({ ownerId, body, newId, now }) => {
      if (body.kind !== 'email') requireReceiver(body.kind, body.url, deps);
      await requireFallback(deps, ownerId, body.fallback_channel);
      await quotas.takeChannel(ownerId);
      try {
        if (body.kind === 'email') await limits.takeConfirmation(ownerId, body.address, now);
      } catch (error) {
        await quotas.giveChannel(ownerId);
        throw error;
      }
      const channel = await manage.add(ownerId, newId('channel'), body, now);
      const { target } = channel;
      const secret = target.kind === 'webhook' ? { secret: target.secrets[0]?.secret } : {};
      return { body: { ...channelJson(channel), ...secret }, version: channelVersion(channel) };
    },
  });
}

function listOperation({ deps }: ChannelUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/channels',
    tag,
    summary: 'List channels',
    access: 'read',
    query: pageQuerySchema,
    answer: {
      status: 200,
      description: 'Newest first',
      schema: pageSchema('Channels', channelJsonSchema),
    },
    handle: async ({ ownerId, query }) => {
      const page = await deps.stores.channels.list(ownerId, pageRequest(query, /^ch_\S+$/));
      return { body: pageJson(page, (channel) => channelJson(channel)) };
    },
  });
}

function getOperation({ deps, owned }: ChannelUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/channels/{id}',
    tag,
    summary: 'A channel and how it does',
    access: 'read',
    params,
    answer: { status: 200, description: 'It', schema: channelJsonSchema, hasVersion: true },
    handle: async ({ ownerId, params: { id } }) => {
      const channel = await owned(id, ownerId);
      const health = await deps.stores.channelHealth.find(id);
      return { body: channelJson(channel, health), version: channelVersion(channel) };
    },
  });
}

function changeOperation({ deps, manage, owned }: ChannelUse) {
  return defineOperation({
    method: 'patch',
    path: '/v1/channels/{id}',
    tag,
    summary: 'Change a channel',
    description: 'What is absent stays. A new URL counts from the next attempt on.',
    access: 'write',
    params,
    body: channelChangeSchema,
    bodyExamples: {
      name: { summary: 'Another name', value: { name: 'Ann’s phone', immediate: true } },
    },
    answer: { status: 200, description: 'It', schema: channelJsonSchema, hasVersion: true },
    refusals: [409],
    handle: async ({ ownerId, params: { id }, body, ifMatch }) => {
      const channel = await owned(id, ownerId);
      requireMatch(ifMatch, channelVersion(channel));
      if (body.url !== undefined) requireUrlOf(channel, body.url, deps);
      if (body.status !== undefined && !['active', 'disabled'].includes(channel.status)) {
        throw problem('conflict', `Nothing is sent to a channel that is ${channel.status}`);
      }
      await requireFallback(deps, ownerId, body.fallback_channel, id);
      if (!(await manage.change(channel, body))) throw staleVersion();
      const changed = await owned(id, ownerId);
      return { body: channelJson(changed), version: channelVersion(changed) };
    },
  });
}

function deleteOperation({ deps, owned }: ChannelUse) {
  const quotas = createQuotas(deps);
  return defineOperation({
    method: 'delete',
    path: '/v1/channels/{id}',
    tag,
    summary: 'Delete a channel',
    description: 'What is on its way to it is dropped, with a record.',
    access: 'write',
    params,
    answer: { status: 204, description: 'It is gone' },
    handle: async ({ ownerId, params: { id }, ifMatch }) => {
      const channel = await owned(id, ownerId);
      requireMatch(ifMatch, channelVersion(channel));
      if (!(await deps.stores.channels.removeIf(channel))) throw staleVersion();
      await quotas.giveChannel(ownerId);
      return {};
    },
  });
}

function requireUrlOf({ target }: Channel, url: string, deps: ApiDeps): void {
  if (target.kind === 'email') {
    throw invalidFaults([{ pointer: '#/url', detail: 'is not for e-mail channels' }]);
  }
  requireReceiver(target.kind, url, deps);
}

function requireReceiver(kind: Exclude<ChannelKind, 'email'>, url: string, { outbound }: ApiDeps) {
  const refusal = judgeReceiverUrl(kind, url, outbound);
  if (refusal) throw invalidFaults([{ pointer: '#/url', detail: refusalWords[refusal] }]);
}

async function requireFallback(
  { stores }: ApiDeps,
  ownerId: string,
  fallbackId: string | null | undefined,
  ofId?: string,
): Promise<void> {
  if (fallbackId === undefined || fallbackId === null) return;
  const fallback = await stores.channels.find(fallbackId);
  if (fallback?.ownerId === ownerId && fallbackId !== ofId) return;
  throw invalidFaults([
    { pointer: '#/fallback_channel', detail: 'must be another channel of yours' },
  ]);
}
