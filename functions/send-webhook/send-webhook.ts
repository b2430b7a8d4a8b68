// Sends one message to one receiver by HTTP, in its channel's format, and classifies the answer.
import type { Send } from '#shared/delivery/attempt.ts';
import type { PostRequest } from '#shared/delivery/channels/channel-kind.ts';
import { type HttpTarget, httpFormOf, isHttpTarget } from '#shared/delivery/channels/channels.ts';
import type { Message } from '#shared/delivery/message/message.ts';
import {
  type GuardedPost,
  networkReason,
  RefusedAddressError,
} from '#shared/delivery/outbound/guarded-post.ts';
import { judgeAnswer, refusedForm } from '#shared/delivery/outbound/judge-answer.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';

interface SendWebhookDeps {
  post: GuardedPost;
  now: () => number;
}

interface Posting {
  kind: HttpTarget['kind'];
  message: Message;
  request: PostRequest;
  secretUrls: readonly string[];
}

/** A sender that signs each attempt separately and follows no redirect. */
export function createSendWebhook({ post, now }: SendWebhookDeps): Send {
  return async function sendWebhook(prepared, { target, stopUrl }, { deliveryId, dueAt }) {
    if (!isHttpTarget(target)) return { kind: 'failed', reason: 'not_a_webhook_channel' };
    const { kind } = target;
    const { message } = prepared;
    const request = httpFormOf(target).request({ ...prepared, deliveryId, dueAt }, target, now());
    // The message contains the link that stops the channel, so it is as secret as the address.
    const secretUrls = [target.url, stopUrl];
    try {
      return await postAndJudge({ kind, message, request, secretUrls });
    } catch (error) {
      if (error instanceof RefusedAddressError) return { kind: 'failed', reason: error.reason };
      return { kind: 'retry', reason: networkReason(error) };
    }
  };

  async function postAndJudge(posting: Posting): Promise<SendOutcome> {
    const { kind, message, request, secretUrls } = posting;
    const judge = async (asked: PostRequest) =>
      judgeAnswer(kind, { ...(await post(asked)), secretUrls }, now());
    const judged = await judge(request);
    if (judged.kind !== 'reshape') return judged;
    const body = httpFormOf(posting).plainerBody?.(message);
    if (body === undefined) return refusedForm(judged);
    const again = await judge({ ...request, body });
    return again.kind === 'reshape' ? refusedForm(again) : again;
  }
}
