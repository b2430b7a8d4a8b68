// Puts a message of a queue off by its visibility, for as long as somebody asked to be left alone.
import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** SQS hides a message for 12 hours at the most, in all. */
const longestSeconds = 11 * 3_600;

/** Hides the message with this receipt for some seconds from now. */
export type DelayMessage = (receiptHandle: string, seconds: number) => Promise<void>;

/** @returns a delayer of one queue's messages. */
export function createMessageDelay(client: SQSClient, queueUrl: string): DelayMessage {
  return async function delayMessage(receiptHandle, seconds) {
    const VisibilityTimeout = Math.min(longestSeconds, Math.max(1, Math.ceil(seconds)));
    await client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout,
      }),
    );
  };
}
