/**
 * A worker: a queue, its dead-letter queue, the function that drains it and the event source. The
 * visibility timeout is computed from the function's timeout.
 */
import { Duration, Validations } from 'aws-cdk-lib';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { retentionDays, visibilitySeconds } from '#shared/timing.ts';
import type { FunctionName } from '../access.ts';
import type { StackConfig, WorkerSize } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { grantConsumption } from './permissions.ts';
import { ProductFunction } from './product-function.ts';

export interface WorkerProps {
  readonly name: FunctionName;
  readonly entry: string;
  readonly size: WorkerSize;
  readonly config: StackConfig;
  readonly alarms: Alarms;
}

/**
 * A dead-letter queue that only this account's principals can use, over TLS, with SQS-managed keys.
 */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(retentionDays.deadLetters),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is itself the dead-letter queue of a schedule, a rule or a queue',
  });
  return queue;
}

export class Worker extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly lambda: LambdaFunction;
  readonly live: Alias;
  /** Age in seconds. */
  readonly oldestMessage: Metric;
  readonly deadLetterCount: Metric;

  constructor(scope: Construct, id: string, props: WorkerProps) {
    super(scope, id);
    const { size } = props;
    this.deadLetters = deadLetterQueue(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(
        visibilitySeconds(size.timeoutSeconds, size.batchingWindowSeconds),
      ),
      retentionPeriod: Duration.days(retentionDays.queue),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: size.maxReceiveCount },
    });
    const { lambda, live } = new ProductFunction(this, 'Worker', props);
    this.lambda = lambda;
    this.live = live;
    grantConsumption(this.lambda, this.queue);
    this.live.addEventSourceMapping('Source', {
      eventSourceArn: this.queue.queueArn,
      batchSize: size.batchSize,
      maxBatchingWindow: Duration.seconds(size.batchingWindowSeconds),
      maxConcurrency: size.maxConcurrency,
      reportBatchItemFailures: true,
    });
    this.oldestMessage = this.queue.metricApproximateAgeOfOldestMessage({
      period: Duration.minutes(1),
      label: props.name,
    });
    this.deadLetterCount = visibleDeadLetters(this.deadLetters, props.name);
    this.#watch(props);
  }

  #watch({ name, size, alarms }: WorkerProps): void {
    alarms.add(this, 'Waiting', {
      kind: 'messages-waiting',
      says: `Messages of ${name} wait too long`,
      metric: this.oldestMessage,
      threshold: size.oldestMessageSeconds,
      periods: 5,
    });
    watchDeadLetters(this, { name, alarms, count: this.deadLetterCount });
  }
}

/**
 * The number of visible messages, which a redrive lowers. The number sent misses messages that SQS
 * itself moved.
 */
export function visibleDeadLetters(queue: Queue, label: string): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({
    period: Duration.minutes(1),
    statistic: Stats.MAXIMUM,
    label,
  });
}

/** One dead letter rings the alarm, because only our own faults produce dead letters. */
export function watchDeadLetters(
  scope: Construct,
  { name, alarms, count }: { name: string; alarms: Alarms; count: Metric },
): void {
  alarms.add(scope, 'DeadLettered', {
    kind: 'dead-letters',
    says: `Messages of ${name} failed at every retry and wait in its dead-letter queue`,
    metric: count,
    threshold: 0,
  });
}
