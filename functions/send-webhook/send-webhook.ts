// Sends one message to one receiver by HTTP, in the form of its channel, and judges the answer.
import type { Send } from '#shared/delivery/attempt.ts';
import type { Delivery, SendOutcome } from '#shared/delivery/delivery.ts';
import { discordUrl, renderDiscord } from '#shared/delivery/message/discord-message.ts';
import { renderSlack, renderSlackText } from '#shared/delivery/message/slack-message.ts';
import { renderTeams } from '#shared/delivery/message/teams-message.ts';
import { alertPayload, alertsBody, channelBody } from '#shared/delivery/message/webhook-payload.ts';
import {
  type GuardedPost,
  networkReason,
  RefusedAddressError,
} from '#shared/delivery/outbound/guarded-post.ts';
import { judgeAnswer, refusedForm } from '#shared/delivery/outbound/judge-answer.ts';
import { userAgent, webhookHeaders } from '#shared/delivery/outbound/webhook.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import { type ChannelTarget, validSecrets } from '#shared/watchlist/channel.ts';

interface SendWebhookDeps {
  post: GuardedPost;
  now: () => number;
}

interface Request {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The body to try once more with, where the receiver does not like the form. */
  plainerBody?: string;
}

type HttpTarget = Exclude<ChannelTarget, { kind: 'email' }>;

/** A sender that signs each attempt afresh and follows no redirect. */
export function createSendWebhook({ post, now }: SendWebhookDeps): Send {
  return async function sendWebhook(prepared, { target, stopUrl }, delivery) {
    if (target.kind === 'email') return { kind: 'failed', reason: 'not_a_webhook_channel' };
    const request = requestFor(target, prepared, delivery, now());
    // The link that stops the channel is in the message, and so as secret as the address.
    const secretUrls = [target.url, stopUrl];
    try {
      return await postAndJudge(target.kind, request, secretUrls);
    } catch (error) {
      if (error instanceof RefusedAddressError) return { kind: 'failed', reason: error.reason };
      return { kind: 'retry', reason: networkReason(error) };
    }
  };

  async function postAndJudge(
    kind: HttpTarget['kind'],
    request: Request,
    secretUrls: readonly string[],
  ): Promise<SendOutcome> {
    const judge = async (asked: Request) =>
      judgeAnswer(kind, { ...(await post(asked)), secretUrls }, now());
    const judged = await judge(request);
    if (judged.kind !== 'reshape') return judged;
    const { plainerBody } = request;
    if (plainerBody === undefined) return refusedForm(judged);
    const again = await judge({ ...request, body: plainerBody });
    return again.kind === 'reshape' ? refusedForm(again) : again;
  }
}

const chatHeaders = { 'content-type': 'application/json', 'user-agent': userAgent };

function requestFor(
  target: HttpTarget,
  prepared: Prepared,
  delivery: Delivery,
  now: number,
): Request {
  const { message } = prepared;
  const { url } = target;
  switch (target.kind) {
    case 'webhook': {
      const body = webhookBody(prepared, delivery);
      const secrets = validSecrets(target.secrets, now);
      return { url, body, headers: webhookHeaders(delivery.deliveryId, body, secrets, now) };
    }
    case 'slack': {
      const plainerBody = renderSlackText(message);
      return { url, headers: chatHeaders, body: renderSlack(message), plainerBody };
    }
    case 'discord':
      return { url: discordUrl(url), headers: chatHeaders, body: renderDiscord(message) };
    case 'teams': {
      const plainerBody = renderTeams(message, { isSmall: true });
      return { url, headers: chatHeaders, body: renderTeams(message), plainerBody };
    }
  }
}

/** Times in the body are of the delivery, not of the attempt: a retry is the same, byte by byte. */
function webhookBody({ message, told, heldFor }: Prepared, { purpose, dueAt }: Delivery): string {
  if (purpose === 'alert') {
    const payloads = told.map(({ alert, message: words }) => alertPayload(alert, words));
    return alertsBody(payloads, { at: dueAt, heldFor: heldFor ?? null });
  }
  return channelBody(purpose === 'test' ? 'channel.test' : 'channel.notice', message, dueAt);
}
