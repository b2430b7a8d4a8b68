// Sends one message to one receiver by HTTP, in its channel's format, and classifies the answer.
import type { Send } from '#shared/delivery/attempt.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import {
  type AddressedTarget,
  httpFormOf,
  isHttpTarget,
} from '#shared/delivery/channels/channels.ts';
import type { AddressTarget } from '#shared/delivery/outbound/address-target.ts';
import {
  type GuardedPost,
  networkReason,
  RefusedAddressError,
} from '#shared/delivery/outbound/guarded-post.ts';
import { judgeAnswer, refusedForm } from '#shared/delivery/outbound/judge-answer.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import type { StoreMoved } from '#shared/delivery/telegram/store-moved.ts';

interface SendWebhookDeps {
  post: GuardedPost;
  address: AddressTarget;
  storeMoved: StoreMoved;
  now: () => number;
}

interface Posting {
  outgoing: Outgoing;
  channel: Channel;
  target: AddressedTarget;
}

/** A sender that signs each attempt separately and follows no redirect. */
export function createSendWebhook({ post, address, storeMoved, now }: SendWebhookDeps): Send {
  return async function sendWebhook(prepared, channel, { deliveryId, dueAt, alertIds }) {
    if (!isHttpTarget(channel.target)) return { kind: 'failed', reason: 'not_a_webhook_channel' };
    const target = await address(channel.target);
    const outgoing = { ...prepared, deliveryId, dueAt, alertIds };
    try {
      return await postAndJudge({ outgoing, channel, target });
    } catch (error) {
      if (error instanceof RefusedAddressError) return { kind: 'failed', reason: error.reason };
      return { kind: 'retry', reason: networkReason(error) };
    }
  };

  async function postAndJudge(posting: Posting): Promise<SendOutcome> {
    const { answer, target, note } = await postFollowing(posting);
    const { outgoing, channel } = posting;
    const form = httpFormOf(target);
    // The message contains the link that stops the channel, so it is as secret as the address.
    const secrets = [...form.secretsOf(target), channel.stopUrl];
    const judge = (given: PostAnswer) => judgeAnswer(target.kind, { ...given, secrets }, now());
    const judged = judge(answer);
    if (judged.kind === 'sent' && note !== undefined) return { ...judged, reason: note };
    if (judged.kind !== 'reshape') return judged;
    const body = form.plainerBody?.(outgoing.message, target);
    if (body === undefined) return refusedForm(judged);
    const request = form.request(outgoing, target, now());
    const again = judge(await post({ ...request, body }));
    return again.kind === 'reshape' ? refusedForm(again) : again;
  }

  /** Posts the message, a second time if its receiver has moved. */
  async function postFollowing({ outgoing, channel, target }: Posting) {
    const form = httpFormOf(target);
    const request = form.request(outgoing, target, now());
    const answer = await post(request);
    const moved = form.movedTo?.(answer, target);
    if (!moved) return { answer, target, note: request.note };
    await storeMoved(channel, moved);
    return {
      answer: await post(form.request(outgoing, moved, now())),
      target: moved,
      note: undefined,
    };
  }
}
