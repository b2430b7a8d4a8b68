// Undoes two blocks of a channel: a watch that its reader muted there, and a suppressed
// mail address.
import * as z from 'zod';
import { decideLift, type Suppression } from '#shared/delivery/suppression.ts';
import { everyWatch } from '#shared/watchlist/channel.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import { channelJsonSchema, channelVersion } from '../channels/channel-json.ts';
import { type ChannelUse, channelParams, channelTag } from '../channels/channel-use.ts';
import { suppressedProblem } from '../channels/suppressed-problem.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { problem } from '../problem.ts';

const unmuteSchema = z
  .strictObject({
    watch: idSchema('watch')
      .optional()
      .meta({ description: 'The watch whose alerts the channel gets again' }),
  })
  .meta({ id: 'Unmute' });

/** unmute, unblock. */
export function channelRecoveries(use: ChannelUse): Operation[] {
  return [unmuteOperation(use), unblockOperation(use)];
}

function unmuteOperation({ deps, owned, show }: ChannelUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/unmute',
    tag: channelTag,
    summary: 'Send alerts to this channel again',
    description:
      'Undoes “Stop alerts of this watch here” or “Snooze this watch here”, which the reader chose by the link in a message; without a watch, “Snooze all alerts here”. Repeating it changes nothing.',
    access: 'write',
    params: channelParams,
    body: unmuteSchema,
    isBodyOptional: true,
    bodyExamples: {
      one: { summary: 'A watch', value: { watch: exampleIds.watch } },
      all: { summary: 'All alerts that are snoozed here', value: {} },
    },
    answer: { status: 200, description: 'The channel', schema: channelJsonSchema },
    handle: async ({ ownerId, params: { id }, body: { watch = everyWatch }, now }) => {
      const channel = await owned(id, ownerId);
      const isMuted = (channel.watchesSilentUntil[watch] ?? 0) > now;
      // Only existing watches are unmuted, so that other ids leave no trace on the channel.
      if (isMuted) await deps.stores.channels.silenceWatch(id, watch, 0);
      return { body: await show(await owned(id, ownerId), now) };
    },
  });
}

function unblockOperation(use: ChannelUse) {
  const { deps, manage, limits, owned, show, suppressionOf } = use;
  return defineOperation({
    method: 'post',
    path: '/v1/channels/{id}/unblock',
    tag: channelTag,
    summary: 'Lift the block of an address that bounced',
    description:
      'For an e-mail channel whose address bounced: lifts the block and sends a new confirmation mail. No other mail is sent before the reader confirms. If the reader reported a mail as spam, the answer is 409: only the reader can lift that block, by the link in any earlier mail, or the operator. If the address bounces again, the next lift is refused for a day, then for two days, up to 30.',
    access: 'write',
    params: channelParams,
    answer: { status: 202, description: 'The channel', schema: channelJsonSchema },
    refusals: [409],
    handle: async ({ ownerId, params: { id }, now }) => {
      const channel = await owned(id, ownerId);
      const suppression = await suppressionOf(channel);
      const isOffForAddress = channel.disabledReason?.startsWith('address_') ?? false;
      if (!suppression && !isOffForAddress) {
        throw problem('conflict', 'This channel is not blocked');
      }
      if (channel.status === 'unsubscribed') {
        throw problem('conflict', 'The reader has unsubscribed; only the reader can undo that');
      }
      if (suppression) requireLiftable(suppression, now);
      if (channel.target.kind !== 'email') throw problem('conflict', 'This channel is not blocked');
      await limits.takeConfirmation(ownerId, channel.target.address, now);
      // Set to unconfirmed first, so that a crash in between never sends alerts to an address without its consent.
      await manage.requireConfirmation(channel);
      if (suppression && !(await deps.stores.suppressions.lift(suppression, now))) {
        throw problem('conflict', 'The block was changed at the same moment; try again');
      }
      await manage.confirm(await owned(id, ownerId), now);
      const asked = await owned(id, ownerId);
      return { body: await show(asked, now), version: channelVersion(asked) };
    },
  });
}

function requireLiftable(suppression: Suppression, now: number): void {
  const decision = decideLift(suppression, 'owner', now);
  if (decision.kind === 'refused') throw suppressedProblem(suppression);
  if (decision.kind === 'lift') return;
  const until = new Date(decision.until).toISOString();
  throw problem(
    'conflict',
    `Mail to this address bounced again after the last lift; it can be lifted again at ${until}, or by the operator`,
    { headers: { 'retry-after': String(Math.ceil((decision.until - now) / 1_000)) } },
  );
}
