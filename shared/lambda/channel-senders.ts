// The send queues by kind of channel.
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type ChannelKind, channelKinds, sendQueueOf } from '#shared/watchlist/channel.ts';
import { createQueueSender, type SendMessages } from './queue-sender.ts';

/** A sender for each kind of channel; kinds that share a queue share its sender. */
export function createChannelSenders(
  client: SQSClient,
  urls: { EMAIL_QUEUE_URL: string; WEBHOOK_QUEUE_URL: string },
): Record<ChannelKind, SendMessages> {
  return sendersByKind({
    email: createQueueSender(client, urls.EMAIL_QUEUE_URL),
    webhook: createQueueSender(client, urls.WEBHOOK_QUEUE_URL),
  });
}

/** Senders of the two queues, by kind of channel. */
export function sendersByKind(
  queues: Record<'email' | 'webhook', SendMessages>,
): Record<ChannelKind, SendMessages> {
  const entries = channelKinds.map((kind) => [kind, queues[sendQueueOf(kind)]] as const);
  return Object.fromEntries(entries) as Record<ChannelKind, SendMessages>;
}
