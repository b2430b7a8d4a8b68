// The send queues by kind of channel.
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SenderName } from '#shared/delivery/channels/channel-kind.ts';
import { type ChannelKind, forEachKind } from '#shared/delivery/channels/channels.ts';
import { gatherSends } from './gathering-sender.ts';
import { createQueueSender, type SendMessages } from './queue-sender.ts';

/** One sender per kind of channel. */
export type ChannelSenders = Record<ChannelKind, SendMessages>;

interface QueueUrls {
  EMAIL_QUEUE_URL: string;
  WEBHOOK_QUEUE_URL: string;
}

/** A sender for each kind of channel; kinds that share a queue share its sender. */
export function createChannelSenders(client: SQSClient, urls: QueueUrls): ChannelSenders {
  return sendersByKind({
    email: createQueueSender(client, urls.EMAIL_QUEUE_URL),
    webhook: createQueueSender(client, urls.WEBHOOK_QUEUE_URL),
  });
}

/** The same, but messages sent within a few milliseconds go to SQS in one call. */
export function createGatheringSenders(client: SQSClient, urls: QueueUrls): ChannelSenders {
  return sendersByKind({
    email: gatherSends(createQueueSender(client, urls.EMAIL_QUEUE_URL)),
    webhook: gatherSends(createQueueSender(client, urls.WEBHOOK_QUEUE_URL)),
  });
}

/** Senders of the queues, by kind of channel. */
export function sendersByKind(queues: Record<SenderName, SendMessages>): ChannelSenders {
  return forEachKind(({ sender }) => queues[sender]);
}
