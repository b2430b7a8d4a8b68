// Channels: where an owner's alerts go.

import { type Channel, channelChangeSchema } from '#shared/delivery/channel.ts';
import {
  channelRows,
  type HttpTarget,
  kindOf,
  newChannelSchema,
} from '#shared/delivery/channels/channels.ts';
import { receiverFault } from '#shared/delivery/outbound/receiver-url.ts';
import type { ApiDeps } from '../api-deps.ts';
import {
  channelJsonSchema,
  channelVersion,
  newChannelJsonSchema,
} from '../channels/channel-json.ts';
import {
  type ChannelUse,
  channelParams,
  channelTag,
  createChannelUse,
} from '../channels/channel-use.ts';
import { suppressedProblem } from '../channels/suppressed-problem.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults, problem } from '../problem.ts';
import { createQuotas } from '../quotas.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { channelActions } from './channel-actions.ts';
import { channelRecoveries } from './channel-recoveries.ts';
import { deleteChannelOperation } from './delete-channel.ts';

const tag = channelTag;
const params = channelParams;

/** create, list, get, change, delete, and the further actions on a channel. */
export function channelOperations(deps: ApiDeps, watchlist: WatchlistUse): Operation[] {
  const use = createChannelUse(deps);
  return [
    createOperation(use),
    listOperation(use),
    getOperation(use),
    changeOperation(use),
    deleteChannelOperation(use, watchlist),
    ...channelActions(use),
    ...channelRecoveries(use),
  ];
}

function createOperation({ deps, manage, limits, show }: ChannelUse) {
  const quotas = createQuotas(deps);
  return defineOperation({
    method: 'post',
    path: '/v1/channels',
    tag,
    summary: 'Add a channel',
    description: `An e-mail address first gets a confirmation mail with a link. No alert is sent before the reader follows the link; alerts of the last hours are kept until then. An address gets at most one confirmation mail a minute and five in 24 hours, counted over all owners and channels; beyond that the answer is 429 with Retry-After. A generic webhook is signed by Standard Webhooks; its secret is shown only in this answer. For ${chatNames()}, give the incoming-webhook URL that they issue.`,
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
    refusals: [409],
    handle: async ({ ownerId, body, newId, now }) => {
      if ('address' in body) await requireNotSuppressed(deps, body.address);
      else requireReceiver(body.kind, body.url, deps);
      await requireFallback(deps, ownerId, body.fallback_channel);
      await quotas.takeChannel(ownerId);
      try {
        if ('address' in body) await limits.takeConfirmation(ownerId, body.address, now);
      } catch (error) {
        await quotas.giveChannel(ownerId);
        throw error;
      }
      const channel = await manage.add(ownerId, newId('channel'), body, now);
      const { target } = channel;
      const secret = 'secrets' in target ? { secret: target.secrets[0]?.secret } : {};
      return {
        body: { ...(await show(channel, now)), ...secret },
        version: channelVersion(channel),
      };
    },
  });
}

function listOperation({ deps, show }: ChannelUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/channels',
    tag,
    summary: 'List channels',
    description:
      'Each with its state. URLs and secrets are write-only: a list shows the host, or the e-mail address.',
    access: 'read',
    query: pageQuerySchema,
    answer: {
      status: 200,
      description: 'Newest first',
      schema: pageSchema('Channels', channelJsonSchema),
    },
    handle: async ({ ownerId, query, now }) => {
      const page = await deps.stores.channels.list(ownerId, pageRequest(query, /^ch_\S+$/));
      const rows = await Promise.all(page.rows.map((channel) => show(channel, now)));
      return { body: pageJson({ ...page, rows }, (channel) => channel) };
    },
  });
}

function getOperation({ owned, show }: ChannelUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/channels/{id}',
    tag,
    summary: 'One channel with its state',
    description:
      'Says whether it is confirmed, why it is disabled or blocked, and how often it failed in a row.',
    access: 'read',
    params,
    answer: { status: 200, description: 'It', schema: channelJsonSchema, hasVersion: true },
    handle: async ({ ownerId, params: { id }, now }) => {
      const channel = await owned(id, ownerId);
      return { body: await show(channel, now), version: channelVersion(channel) };
    },
  });
}

function changeOperation({ deps, manage, owned, show }: ChannelUse) {
  return defineOperation({
    method: 'patch',
    path: '/v1/channels/{id}',
    tag,
    summary: 'Change a channel',
    description:
      'Fields that are absent keep their values. A new URL is used from the next attempt on.',
    access: 'write',
    params,
    body: channelChangeSchema,
    bodyExamples: {
      name: { summary: 'Another name', value: { name: 'Ann’s phone', immediate: true } },
    },
    answer: { status: 200, description: 'It', schema: channelJsonSchema, hasVersion: true },
    refusals: [409],
    handle: async ({ ownerId, params: { id }, body, ifMatch, now }) => {
      const channel = await owned(id, ownerId);
      requireMatch(ifMatch, channelVersion(channel));
      if (body.url !== undefined) requireUrlOf(channel, body.url, deps);
      if (body.payload_version !== undefined) requireWebhook(channel);
      if (body.status !== undefined && !['active', 'disabled'].includes(channel.status)) {
        throw problem('conflict', `Nothing is sent to a channel that is ${channel.status}`);
      }
      await requireFallback(deps, ownerId, body.fallback_channel, id);
      if (!(await manage.change(channel, body))) throw staleVersion();
      const changed = await owned(id, ownerId);
      return { body: await show(changed, now), version: channelVersion(changed) };
    },
  });
}

function requireUrlOf({ target }: Channel, url: string, deps: ApiDeps): void {
  if (!('url' in target)) {
    throw invalidFaults([
      { pointer: '#/url', detail: `is not for ${kindOf(target).label} channels` },
    ]);
  }
  requireReceiver(target.kind, url, deps);
}

function requireWebhook({ target }: Channel): void {
  if ('secrets' in target) return;
  const detail = `is not for ${kindOf(target).label} channels: only generic webhooks have versions`;
  throw invalidFaults([{ pointer: '#/payload_version', detail }]);
}

/** "Slack, Discord and Teams". */
function chatNames(): string {
  const chats = channelRows.filter(({ isOwnUrl }) => isOwnUrl).map(({ label }) => label);
  return `${chats.slice(0, -1).join(', ')} and ${chats.at(-1)}`;
}

/** @throws ProblemError for a suppressed address, because its confirmation mail would never arrive. */
async function requireNotSuppressed({ stores }: ApiDeps, address: string): Promise<void> {
  const found = await stores.suppressions.find(address);
  if (found?.isSuppressed) throw suppressedProblem(found);
}

function requireReceiver(kind: HttpTarget['kind'], url: string, { outbound }: ApiDeps) {
  const detail = receiverFault(kind, url, outbound);
  if (detail !== undefined) throw invalidFaults([{ pointer: '#/url', detail }]);
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
