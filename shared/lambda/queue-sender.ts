// Sends messages to one SQS queue in batches and answers for every single entry of a batch.
import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** The most entries that SQS takes in one call. */
const batchSize = 10;
/** Tries per batch; a throttled entry is sent again after a jittered wait. */
const maxTries = 4;
const firstWaitMs = 50;

/** Thrown when some messages were not accepted; the caller's own message comes again. */
export class QueueSendError extends Error {
  override readonly name = 'QueueSendError';
  /** How many messages SQS did not accept. */
  readonly unsent: number;
  /** Which ones, by their place in what was to be sent; empty when it is not known. */
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
   * Whose backlog the message counts to: an owner, or an event. SQS (fair queues) hands out messages of
   * groups with little in flight first, so that one group's backlog delays that group only.
   */
  group: string;
  /** Wait before the message can be received, 0 to 900 s. */
  delaySeconds?: number;
}

export type SendMessages = (messages: readonly OutgoingMessage[]) => Promise<void>;

/**
 * A sender for one queue. Entries that SQS refuses, or says nothing of, are tried again by
 * themselves; accepted ones never are.
 * @throws QueueSendError when entries are still unsent after four tries.
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

/** SQS takes 1 to 128 visible ASCII characters, and refuses the message otherwise. */
function groupIdOf(group: string): string {
  if (/^[!-~]{1,128}$/.test(group)) return group;
  return createHash('sha256').update(group).digest('hex');
}

function defaultWait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
