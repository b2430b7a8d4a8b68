// Turns "handle one parsed message" into an SQS handler with partial batch failures.
// It checks only the shape of messages; a failed message never affects the others in its batch.
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import type { Logger, Metrics } from './observability.ts';

/** Thrown for a body that does not fit the queue's schema: our own fault, so it ends in the DLQ. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** Facts about a delivery from the queue, beside the message itself. */
export interface MessageFacts {
  /** How often SQS has delivered this message, from 1. */
  receiveCount: number;
  /** When the message was put into the queue, epoch milliseconds. */
  sentAt: number;
  /** Time left to this invocation, in milliseconds. */
  remainingMs: () => number;
}

interface QueueConsumerOptions<Message> {
  schema: z.ZodType<Message>;
  handle: (message: Message, facts: MessageFacts) => Promise<void>;
  logger: Logger;
  metrics: Metrics;
}

/**
 * A Lambda handler for one queue. A record succeeds when `handle` resolves. If the body is malformed or
 * `handle` rejects, only that record is reported and retried, at last in the DLQ.
 */
export function createQueueConsumer<Message>(options: QueueConsumerOptions<Message>) {
  const { logger, metrics } = options;

  async function consumeBatch(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
    // Set for every invocation, even if its messages fail.
    metrics.addMetric('messagesReceived', MetricUnit.Count, event.Records.length);
    const processor = new BatchProcessor(EventType.SQS);
    const remainingMs = () => context.getRemainingTimeInMillis();
    return processPartialResponse(
      event,
      (record: SQSRecord) => consumeRecord(options, record, remainingMs),
      processor,
      { context, throwOnFullBatchFailure: false },
    );
  }

  return middy<SQSEvent, SQSBatchResponse>()
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(logMetrics(metrics))
    .handler(consumeBatch);
}

async function consumeRecord<Message>(
  options: QueueConsumerOptions<Message>,
  record: SQSRecord,
  remainingMs: () => number,
): Promise<void> {
  try {
    await options.handle(parseMessage(options.schema, record.body), {
      receiveCount: Number(record.attributes.ApproximateReceiveCount),
      sentAt: Number(record.attributes.SentTimestamp),
      remainingMs,
    });
  } catch (error) {
    const failure = asError(error);
    options.logger.error('message.failed', { messageId: record.messageId, error: failure });
    throw failure;
  }
}

/** JavaScript can throw any value, but the batch processor reads `message`, so it gets an Error. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error('the handler threw a value that is not an Error', { cause: thrown });
}

function parseMessage<Message>(schema: z.ZodType<Message>, body: string): Message {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (cause) {
    throw new MalformedMessageError('the message is not JSON', { cause });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new MalformedMessageError(`the message is not valid: ${faults.join('; ')}`);
}
