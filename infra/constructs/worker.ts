/**
 * A worker: a queue, its dead-letter queue, the function that drains it and the event
 * source between them. Visibility is derived from the function's timeout, never set.
 */
import { Duration } from 'aws-cdk-lib';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StackConfig, WorkerSize } from '../config.ts';
import { grantConsumption } from './permissions.ts';
import { ProductFunction } from './product-function.ts';

/** Days a dead letter waits for a person; the source queue's retention is shorter. */
const deadLetterRetention = Duration.days(14);

export interface WorkerProps {
  readonly name: string;
  readonly entry: string;
  readonly size: WorkerSize;
  readonly config: StackConfig;
}

/** A queue that only this account's principals reach, over TLS, with SQS-managed keys. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  return new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: deadLetterRetention,
  });
}

export class Worker extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly lambda: NodejsFunction;

  constructor(scope: Construct, id: string, props: WorkerProps) {
    super(scope, id);
    const { size } = props;
    this.deadLetters = deadLetterQueue(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // AWS's advice: six tries of the function fit in, and the wait for a batch besides.
      visibilityTimeout: Duration.seconds(6 * size.timeoutSeconds + size.batchingWindowSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: size.maxReceiveCount },
    });
    this.lambda = new ProductFunction(this, 'Worker', props).lambda;
    grantConsumption(this.lambda, this.queue);
    this.lambda.addEventSourceMapping('Source', {
      eventSourceArn: this.queue.queueArn,
      batchSize: size.batchSize,
      maxBatchingWindow: Duration.seconds(size.batchingWindowSeconds),
      maxConcurrency: size.maxConcurrency,
      reportBatchItemFailures: true,
    });
  }
}
