/**
 * A function that a schedule invokes. Both retry policies are explicit: an event older than one
 * slot is dropped, and failed events go to a dead-letter queue.
 */
import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, CfnAlias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from '../access.ts';
import type { FunctionSize, StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { ProductFunction } from './product-function.ts';
import { deadLetterQueue, visibleDeadLetters, watchDeadLetters } from './worker.ts';

export interface ScheduledFunctionProps {
  readonly name: FunctionName;
  readonly entry: string;
  readonly size: FunctionSize & { readonly reservedConcurrency: number };
  readonly config: StackConfig;
  readonly alarms: Alarms;
  readonly every: Duration;
  /**
   * One schedule per entry, by its construct id. The function's event has the entry's values and
   * `scheduled_time`, which Scheduler fills in.
   */
  readonly schedules: Record<string, Record<string, string>>;
}

export class ScheduledFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly deadLetters: Queue;
  readonly #live: Alias;
  readonly #invoker: Role;

  constructor(scope: Construct, id: string, props: ScheduledFunctionProps) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this, 'DeadLetters');
    const { lambda, live } = new ProductFunction(this, 'Scheduled', {
      ...props,
      reservedConcurrency: props.size.reservedConcurrency,
    });
    this.lambda = lambda;
    this.#live = live;
    live.configureAsyncInvoke({
      maxEventAge: slot(props.every),
      // The next slot serves as the retry: it finds the same due work.
      retryAttempts: 0,
      onFailure: new SqsDestination(this.deadLetters),
    });
    this.#invoker = this.#role();
    for (const [scheduleId, input] of Object.entries(props.schedules)) {
      this.#schedule(scheduleId, props.every, input);
    }
    this.#watch(props);
  }

  /** The role that Scheduler invokes with; only schedules of this account may assume it. */
  #role(): Role {
    const role = new Role(this, 'Invoker', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.#aliasId()}>:*]`,
      reason: 'The wildcard is the qualifiers of this one alias; CDK grants invocation so',
    });
    return role;
  }

  #aliasId(): string {
    return Stack.of(this).getLogicalId(this.#live.node.defaultChild as CfnAlias);
  }

  #watch({ name, alarms, every }: ScheduledFunctionProps): void {
    const count = visibleDeadLetters(this.deadLetters, name);
    watchDeadLetters(this, { name, alarms, count });
    alarms.add(this, 'Silent', {
      kind: 'schedule-silent',
      says: `${name} has not run for three of its slots`,
      metric: this.lambda.metricInvocations({
        period: Duration.seconds(slot(every).toSeconds() * 3),
      }),
      threshold: 1,
      rings: 'below',
      silenceIs: 'trouble',
    });
  }

  #schedule(id: string, every: Duration, input: Record<string, string>): void {
    new Schedule(this, id, {
      schedule: ScheduleExpression.rate(every),
      target: new LambdaInvoke(this.#live, {
        role: this.#invoker,
        input: ScheduleTargetInput.fromObject({
          ...input,
          scheduled_time: '<aws.scheduler.scheduled-time>',
        }),
        maxEventAge: slot(every),
        retryAttempts: 3,
        deadLetterQueue: this.deadLetters,
      }),
    });
  }
}

/** One slot of the schedule; AWS accepts no event age below a minute. */
function slot(every: Duration): Duration {
  return Duration.seconds(Math.max(60, every.toSeconds()));
}
