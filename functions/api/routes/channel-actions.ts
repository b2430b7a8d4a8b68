// Actions on a channel other than changing it: confirm, test, rotate its secret, replay.
import * as z from 'zod';
import { telegram } from '#shared/delivery/channels/telegram.ts';
import { mostSecrets } from '#shared/delivery/channels/webhook-secrets.ts';
import { testMessage } from '#shared/delivery/message/message-kinds.ts';
import { linkValidMs } from '#shared/delivery/telegram/chat-link.ts';
import { channelVersion, chatLinkJson, chatLinkSchema } from '../channels/channel-json.ts';
import { type ChannelUse, channelParams, channelTag } from '../channels/channel-use.ts';
import { suppressedProblem } from '../channels/suppressed-problem.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { deliveryJson, deliveryJsonSchema } from '../deliveries/delivery-json.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { problem } from '../problem.ts';

const tag = channelTag;
const params = channelParams;

const replaySchema = z
  .strictObject({
    since: z.iso.datetime({ offset: true }),
    before: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: '`next` of an earlier answer, to continue from there' }),
  })
  .meta({ id: 'Replay' });

export const testJsonSchema = deliveryJsonSchema
  .extend({
    message: z
      .object({ headline: z.string(), paragraphs: z.array(z.string()) })
      .meta({ description: 'The words that the channel gets, in its own form' }),
  })
  .meta({ id: 'TestDelivery' });

/** confirm, link, test, rotate, replay. */
export function channelActions(use: ChannelUse): Operation[] {
  return [
    confirmOperation(use),
    linkOperation(use),
    testOperation(use),
    rotateOperation(use),
    replayOperation(use),
  ];
}

function linkOperation({ deps, chatLinks, owned }: ChannelUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/link',
    tag,
    summary: 'Make a new link for a Telegram channel',
    description: `For a link that was lost or has expired, and to move the channel to another chat. It works once, within ${linkValidMs / 3_600_000} hours; an earlier link of the channel ends now. The chat that the channel has keeps its alerts until somebody opens the link elsewhere.`,
    access: 'write',
    params,
    answer: { status: 201, description: 'The link, shown once', schema: chatLinkSchema },
    refusals: [412],
    handle: async ({ ownerId, params: { id }, now }) => {
      const channel = await owned(id, ownerId);
      if (channel.target.kind !== telegram.kind) {
        throw problem('conflict', `Only a ${telegram.label} channel has a link`);
      }
      const bot = await deps.telegram.requireBot();
      const link = await chatLinks.open(channel, now);
      if (!link) throw staleVersion();
      return { body: chatLinkJson(bot, link) };
    },
  });
}

function confirmOperation({ manage, limits, owned, suppressionOf }: ChannelUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/confirmation',
    tag,
    summary: 'Send the confirmation mail again',
    description:
      'An address gets at most one confirmation mail a minute and five in 24 hours, counted over all owners and channels.',
    access: 'write',
    params,
    answer: { status: 202, description: 'It is queued', schema: deliveryJsonSchema },
    handle: async ({ ownerId, params: { id }, now }) => {
      const channel = await owned(id, ownerId);
      if (channel.status !== 'unverified') {
        throw problem('conflict', 'This channel needs no confirmation');
      }
      if (channel.target.kind !== 'email') {
        const detail =
          'Nothing is mailed for this channel; make a new link with POST /v1/channels/{id}/link';
        throw problem('conflict', detail);
      }
      const suppression = await suppressionOf(channel);
      if (suppression) throw suppressedProblem(suppression);
      await limits.takeConfirmation(ownerId, channel.target.address, now);
      return { body: deliveryJson(await manage.confirm(channel, now)) };
    },
  });
}

function testOperation({ manage, limits, owned, suppressionOf }: ChannelUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/test',
    tag,
    summary: 'Send a test',
    description:
      'Returns the delivery; read its outcome at /v1/deliveries/{id}. A test that arrives enables a disabled channel. An owner can send 20 tests a minute.',
    access: 'write',
    params,
    answer: { status: 202, description: 'It is queued', schema: testJsonSchema },
    handle: async ({ ownerId, params: { id }, now }) => {
      const channel = await owned(id, ownerId);
      if (channel.status === 'unverified' || channel.status === 'unsubscribed') {
        throw problem('conflict', 'The reader has not agreed to get messages there');
      }
      const suppression = await suppressionOf(channel);
      if (suppression) throw suppressedProblem(suppression);
      if (channel.disabledReason?.startsWith('address_')) {
        const detail =
          'No mail can be sent to this address; ask its reader for consent with POST /v1/channels/{id}/unblock';
        throw problem('conflict', detail);
      }
      await limits.takeTest(ownerId, now);
      const { headline, paragraphs } = testMessage(undefined);
      const delivery = deliveryJson(await manage.test(channel, now));
      return { body: { ...delivery, message: { headline, paragraphs } } };
    },
  });
}

function rotateOperation({ manage, owned }: ChannelUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/secret',
    tag,
    summary: 'Rotate a webhook’s secret',
    description: `The old secret stays valid for 24 hours: until then each delivery carries a signature by every valid secret, the newest first. At most ${mostSecrets} secrets can be valid at once; beyond that the answer is 429 with Retry-After.`,
    access: 'write',
    params,
    answer: {
      status: 201,
      description: 'The new secret, shown once',
      schema: z.object({ secret: z.string() }).meta({ id: 'Secret' }),
    },
    refusals: [412],
    handle: async ({ ownerId, params: { id }, ifMatch, now }) => {
      const channel = await owned(id, ownerId);
      requireMatch(ifMatch, channelVersion(channel));
      const rotation = await manage.rotate(channel, now);
      if (rotation.kind === 'rotated') return { body: { secret: rotation.secret } };
      if (rotation.kind === 'stale') throw staleVersion();
      if (rotation.kind === 'too_many') throw tooManySecrets(rotation.from, now);
      throw problem('conflict', 'Only a webhook has a secret');
    },
  });
}

function tooManySecrets(from: number, now: number) {
  return problem(
    'rate-limited',
    `This webhook has ${mostSecrets} valid secrets; rotate it again after ${new Date(from).toISOString()}, when the oldest one expires`,
    { headers: { 'retry-after': String(Math.ceil((from - now) / 1_000)) } },
  );
}

function replayOperation({ manage, owned }: ChannelUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/replay',
    tag,
    summary: 'Send failed and skipped deliveries again',
    description:
      'Queues what this channel failed or missed since a time, newest first. The channel must be active: send a test first.',
    access: 'write',
    params,
    body: replaySchema,
    bodyExamples: {
      day: { summary: 'Since a time', value: { since: '2026-03-01T00:00:00Z' } },
    },
    answer: {
      status: 202,
      description:
        'Number of deliveries queued. If `next` is set, repeat the call with `before=next` for the older ones.',
      schema: z
        .object({ replayed: z.int(), next: z.string().nullable() })
        .meta({ id: 'ReplayResult' }),
    },
    handle: async ({ ownerId, params: { id }, body, now }) => {
      const channel = await owned(id, ownerId);
      if (channel.status !== 'active') {
        throw problem(
          'conflict',
          'Send a test first; a test that arrives switches the channel on again',
        );
      }
      const since = new Date(body.since).toISOString();
      const before = body.before && new Date(body.before).toISOString();
      return { body: await manage.replaySince(channel, { since, before }, now) };
    },
  });
}
