// Channels: where an owner's alerts go.

import { type Channel, channelChangeSchema } from '#shared/delivery/channel.ts';
import { channelRows, newChannelSchema } from '#shared/delivery/channels/channels.ts';
import { telegram } from '#shared/delivery/channels/telegram.ts';
import type { ApiDeps } from '../api-deps.ts';
import {
  channelJsonSchema,
  channelVersion,
  chatLinkJson,
  newChannelJsonSchema,
} from '../channels/channel-json.ts';
import {
  type ChannelUse,
  channelParams,
  channelTag,
  createChannelUse,
} from '../channels/channel-use.ts';
import { checkedTarget, requireReceiver } from '../channels/checked-target.ts';
import { suppressedProblem } from '../channels/suppressed-problem.ts';
import { requireTemplate } from '../channels/template/require-template.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults, problem } from '../problem.ts';
import { createQuotas } from '../quotas.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { channelActions } from './channel-actions.ts';
import { channelKindsOperation } from './channel-kinds.ts';
import { channelRecoveries } from './channel-recoveries.ts';
import { deleteChannelOperation } from './delete-channel.ts';
import { previewWebhookOperation } from './preview-webhook.ts';

const tag = channelTag;
const params = channelParams;

/** kinds, create, list, get, change, delete, and the further actions on a channel. */
export function channelOperations(deps: ApiDeps, watchlist: WatchlistUse): Operation[] {
  const use = createChannelUse(deps);
  return [
    channelKindsOperation(deps),
    createOperation(use),
    listOperation(use),
    getOperation(use),
    changeOperation(use),
    deleteChannelOperation(use, watchlist),
    previewWebhookOperation(deps),
    ...channelActions(use),
    ...channelRecoveries(use),
  ];
}

function createOperation({ deps, manage, chatLinks, limits, show }: ChannelUse) {
  const quotas = createQuotas(deps);

  async function linkOf(channel: Channel, now: number) {
    const link = await chatLinks.open(channel, now);
    if (!link) throw staleVersion();
    return chatLinkJson(await deps.telegram.requireBot(), link);
  }

  return defineOperation({
    method: 'post',
    path: '/v1/channels',
    tag,
    summary: 'Add a channel',
    description: `An e-mail address first gets a confirmation mail with a link. No alert is sent before the reader follows the link; alerts of the last hours are kept until then. An address gets at most one confirmation mail a minute and five in 24 hours, counted over all owners and channels; beyond that the answer is 429 with Retry-After. A generic webhook is signed by Standard Webhooks; its secret is shown only in this answer. Its own \`headers\`, such as Authorization, are sent with each message and never shown; \`body_template\` gives its bodies a form of your own, see POST /v1/channels/preview. For ${chatNames()}, give the incoming-webhook URL that they issue; ${keyedNames()} take tokens or keys. URLs, tokens, keys and topics are write-only: a channel shows its \`host\`, and in \`recipient\` what tells it from others there. A ${telegram.label} channel needs nothing: the answer has a link, \`link_url\`, which its reader opens within a day; alerts of the last hours are kept until then. Where the deployment has no bot, the answer is 409.`,
    access: 'write',
    body: newChannelSchema,
    bodyExamples: {
      email: { summary: 'An e-mail address', value: { kind: 'email', address: 'ann@example.com' } },
      webhook: {
        summary: 'A signed webhook',
        value: { kind: 'webhook', url: 'https://example.com/hook' },
      },
      webhook_with_headers: {
        summary: 'A signed webhook whose receiver asks for a token',
        value: {
          kind: 'webhook',
          url: 'https://example.com/hook',
          headers: { Authorization: 'Bearer TOKEN' },
        },
      },
      webhook_with_template: {
        summary: 'A signed webhook whose bodies have a form of your own',
        value: {
          kind: 'webhook',
          url: 'https://example.com/hook',
          body_template: '{"text": "{{headline}}", "price": {{now}}}',
        },
      },
      ...keyExamples(),
      telegram: { summary: 'A chat with the Telegram bot', value: { kind: telegram.kind } },
    },
    answer: { status: 201, description: 'The channel', schema: newChannelJsonSchema },
    refusals: [409],
    handle: async ({ ownerId, body, newId, now }) => {
      if ('address' in body) await requireNotSuppressed(deps, body.address);
      requireReceiver(body, deps.outbound);
      if (body.kind === telegram.kind) await deps.telegram.requireBot();
      if ('body_template' in body) requireTemplate(body.body_template, body.content_type);
      await requireFallback(deps, ownerId, body.fallback_channel);
      await quotas.takeChannel(ownerId);
      try {
        if ('address' in body) await limits.takeConfirmation(ownerId, body.address, now);
      } catch (error) {
        await quotas.giveChannel(ownerId);
        throw error;
      }
      const added = await manage.add(ownerId, newId('channel'), body, now);
      const { target } = added;
      const secret = 'secrets' in target ? { secret: target.secrets[0]?.secret } : {};
      const link = target.kind === telegram.kind ? await linkOf(added, now) : {};
      const channel = (await deps.stores.channels.find(added.channelId)) ?? added;
      return {
        body: { ...(await show(channel, now)), ...secret, ...link },
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
      'Fields that are absent keep their values; null removes one. A change counts from the next attempt on, also for messages that are being retried; their webhook-id stays. A webhook with `headers` needs them again, or null, beside a URL at another host.',
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
      const target = checkedTarget(channel.target, body, deps.outbound);
      if (body.status !== undefined && !['active', 'disabled'].includes(channel.status)) {
        throw problem('conflict', `Nothing is sent to a channel that is ${channel.status}`);
      }
      await requireFallback(deps, ownerId, body.fallback_channel, id);
      if (!(await manage.change(channel, body, target))) throw staleVersion();
      const changed = await owned(id, ownerId);
      return { body: await show(changed, now), version: channelVersion(changed) };
    },
  });
}

/** The kinds whose address is keys or names instead of a URL or a mailbox. */
const keyedRows = channelRows.filter(({ example }) => {
  const fields = Object.keys(example);
  return fields.length > 0 && !fields.includes('url') && !fields.includes('address');
});

function keyExamples() {
  return Object.fromEntries(
    keyedRows.map(({ kind, label, example }) => [
      kind,
      { summary: label, value: { kind, ...example } },
    ]),
  );
}

/** "Slack, Discord and Teams". */
function chatNames(): string {
  return namesOf(channelRows.filter(({ isOwnUrl }) => isOwnUrl));
}

/** "Slack bot, ntfy and Pushover". */
function keyedNames(): string {
  return namesOf(keyedRows);
}

function namesOf(rows: typeof channelRows): string {
  const labels = rows.map(({ label }) => label);
  return `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

/** @throws ProblemError for a suppressed address, because its confirmation mail would never arrive. */
async function requireNotSuppressed({ stores }: ApiDeps, address: string): Promise<void> {
  const found = await stores.suppressions.find(address);
  if (found?.isSuppressed) throw suppressedProblem(found);
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
