/**
 * Drains one queue into one function, as an event source mapping does: long polls, batch size and
 * window, maximum concurrency, partial failures. The queue handles retries and dead letters: a
 * failed message waits for its visibility timeout.
 */
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { messageOf } from '../errors.ts';
import type { LocalFunction } from '../lambda/local-function.ts';
import { type BatchOutcome, decideBatchOutcome } from './batch-outcome.ts';

export interface SqsEventSourceOptions {
  queueUrl: string;
  queueArn: string;
  region: string;
  target: LocalFunction;
  batchSize: number;
  batchingWindowMs: number;
  maxConcurrency: number;
  reportsItemFailures: boolean;
  sqs: SQSClient;
  /** Called when a whole batch failed by its answer, or when the queue can't be read. */
  onTrouble: (line: string) => void;
}

/** SQS delivers at most this many messages per call, and waits at most this long for one. */
const receiveLimit = 10;
const longPollSeconds = 20;
/** Wait before the next receive after an error. */
const receiveRetryMs = 1000;

export class SqsEventSource {
  readonly #options: SqsEventSourceOptions;
  readonly #stopping = new AbortController();
  readonly #stopped = new Promise<void>((resume) => {
    this.#stopping.signal.addEventListener('abort', () => resume(), { once: true });
  });
  readonly #batches = new Set<Promise<void>>();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: SqsEventSourceOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#drain();
  }

  /** Receives no more; does not wait for running batches. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  async #drain(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (this.#batches.size >= this.#options.maxConcurrency) {
        await Promise.race([...this.#batches, this.#stopped]);
        continue;
      }
      const messages = await this.#gather();
      if (messages.length === 0) continue;
      const batch = this.#process(messages).finally(() => this.#batches.delete(batch));
      this.#batches.add(batch);
    }
  }

  /** Gathers one batch, until it is full or its window ends. */
  async #gather(): Promise<Message[]> {
    const { batchSize, batchingWindowMs } = this.#options;
    const messages = await this.#receive(batchSize, longPollSeconds);
    const closesAt = Date.now() + batchingWindowMs;
    while (messages.length > 0 && messages.length < batchSize && Date.now() < closesAt) {
      const waitSeconds = Math.ceil((closesAt - Date.now()) / 1000);
      messages.push(...(await this.#receive(batchSize - messages.length, waitSeconds)));
      if (this.#stopping.signal.aborted) break;
    }
    return messages;
  }

  async #receive(count: number, waitSeconds: number): Promise<Message[]> {
    const { sqs, queueUrl, onTrouble, target } = this.#options;
    try {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: Math.min(count, receiveLimit),
          WaitTimeSeconds: Math.min(waitSeconds, longPollSeconds),
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
        { abortSignal: this.#stopping.signal },
      );
      return Messages;
    } catch (error) {
      if (this.#stopping.signal.aborted) return [];
      onTrouble(`${target.label}: its queue can't be read: ${messageOf(error)}`);
      await new Promise((resume) => setTimeout(resume, receiveRetryMs));
      return [];
    }
  }

  async #process(messages: Message[]): Promise<void> {
    const { target, reportsItemFailures, onTrouble } = this.#options;
    const event: SQSEvent = { Records: messages.map((message) => this.#record(message)) };
    const outcome = await target.invoke(event);
    if (this.#stopping.signal.aborted) return;
    const decided = decideBatchOutcome({
      outcome,
      messageIds: event.Records.map(({ messageId }) => messageId),
      reportsItemFailures,
    });
    if (outcome.ok && decided.reason) onTrouble(`${target.label}: batch failed: ${decided.reason}`);
    await this.#delete(event.Records, decided);
  }

  async #delete(records: SQSRecord[], { done }: BatchOutcome): Promise<void> {
    const { sqs, queueUrl, onTrouble, target } = this.#options;
    const entries = records
      .filter(({ messageId }) => done.includes(messageId))
      .map(({ messageId, receiptHandle }) => ({ Id: messageId, ReceiptHandle: receiptHandle }));
    for (let start = 0; start < entries.length; start += receiveLimit) {
      const Entries = entries.slice(start, start + receiveLimit);
      await sqs
        .send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
        .catch((error) => {
          if (this.#stopping.signal.aborted) return;
          onTrouble(`${target.label}: messages can't be deleted: ${messageOf(error)}`);
        });
    }
  }

  #record(message: Message): SQSRecord {
    const attributes = message.Attributes ?? {};
    return {
      messageId: message.MessageId ?? '',
      receiptHandle: message.ReceiptHandle ?? '',
      body: message.Body ?? '',
      attributes: {
        ApproximateReceiveCount: attributes.ApproximateReceiveCount ?? '1',
        SentTimestamp: attributes.SentTimestamp ?? '',
        SenderId: attributes.SenderId ?? '',
        ApproximateFirstReceiveTimestamp: attributes.ApproximateFirstReceiveTimestamp ?? '',
      },
      messageAttributes: messageAttributesOf(message),
      md5OfBody: message.MD5OfBody ?? '',
      eventSource: 'aws:sqs',
      eventSourceARN: this.#options.queueArn,
      awsRegion: this.#options.region,
    };
  }
}

function messageAttributesOf({ MessageAttributes = {} }: Message): SQSRecord['messageAttributes'] {
  return Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, value]) => [
      name,
      {
        dataType: value.DataType ?? 'String',
        ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
        ...(value.BinaryValue && {
          binaryValue: Buffer.from(value.BinaryValue).toString('base64'),
        }),
      },
    ]),
  );
}
