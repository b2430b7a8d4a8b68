// Sends messages to one SQS queue in batches and checks the result of each entry.
import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** SQS's maximum number of entries per call. */
const batchSize = 10;
/** Tries per batch; a throttled entry is sent again after a jittered wait. */
const maxTries = 4;
const firstWaitMs = 50;

/** Thrown when some messages were not accepted; the caller's own message is then retried. */
export class QueueSendError extends Error {
  override readonly name = 'QueueSendError';
  /** How many messages SQS did not accept. */
  readonly unsent: number;
  /** The indexes of those messages; empty when unknown. */
  readonly places: readonly number[];

  constructor(
    message: string,
    unsent: number,
    { places = [], ...options }: ErrorOptions & { places?: readonly number[] } = {},
  ) {
    super(message, options);
    this.unsent = unsent;
    this.places = places;
  }
}

export interface OutgoingMessage {
  body: unknown;
  /**
   * The owner or event whose backlog contains the message. SQS (fair queues) first delivers messages of
   * groups with few messages in flight, so that one group's backlog delays only that group.
   */
  group: string;
  /** Wait before the message can be received, 0 to 900 s. */
  delaySeconds?: number;
}

export type SendMessages = (messages: readonly OutgoingMessage[]) => Promise<void>;

/**
 * A sender for one queue. It retries only the entries that SQS refused or did not
 * mention; accepted entries are never sent again.
 * @throws QueueSendError when entries are still not accepted after four tries.
 */
export function createQueueSender(
  client: SQSClient,
  queueUrl: string,
  wait: (ms: number) => Promise<void> = defaultWait,
): SendMessages {
  return async function sendMessages(messages) {
    const places: number[] = [];
    for (let start = 0; start < messages.length; start += batchSize) {
      const batch = messages.slice(start, start + batchSize);
      const refused = await sendBatch(client, queueUrl, batch, wait);
      places.push(...refused.map((index) => start + index));
    }
    const unsent = places.length;
    if (unsent === 0) return;
    throw new QueueSendError(`${unsent} messages were not accepted`, unsent, { places });
  };
}

async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
  wait: (ms: number) => Promise<void>,
): Promise<number[]> {
  let left = messages.map((message, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(message.body),
    MessageGroupId: groupIdOf(message.group),
    DelaySeconds: message.delaySeconds,
  }));
  for (let attempt = 0; attempt < maxTries && left.length > 0; attempt += 1) {
    if (attempt > 0) await wait(firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2));
    const answer = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left }),
    );
    const accepted = new Set((answer.Successful ?? []).map((entry) => entry.Id));
    left = left.filter((entry) => !accepted.has(entry.Id));
  }
  return left.map(({ Id }) => Number(Id));
}

/** SQS refuses a group id outside 1 to 128 visible ASCII characters. */
function groupIdOf(group: string): string {
  if (/^[!-~]{1,128}$/.test(group)) return group;
  return createHash('sha256').update(group).digest('hex');
}

function defaultWait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
