/**
 * One Lambda function of the product: bundled from its entry file, with the shared runtime, logging
 * and tracing. The construct that creates it adds grants and triggers.
 */
import { Duration, Validations } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, sendsToItself } from '../access.ts';
import type { FunctionSize, StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { bundleOf } from './bundle.ts';
import { metricsNamespace } from './business-metrics.ts';
import { LiveAlias } from './live-alias.ts';
import { removalOf } from './removal.ts';

export interface ProductFunctionProps {
  /** The function's folder name, such as `send-email`; also its service name in the logs. */
  readonly name: FunctionName;
  /** Absolute path of the file that exports `handler`. */
  readonly entry: string;
  readonly size: FunctionSize;
  readonly config: StackConfig;
  readonly alarms: Alarms;
  /** Writes the files that the code reads into a folder, if they are not in the repository. */
  readonly makeFiles?: (folder: string) => void;
  /** @default - none: the event source limits it */
  readonly reservedConcurrency?: number;
}

export class ProductFunction extends Construct {
  readonly lambda: LambdaFunction;
  /** What triggers invoke: the version of the function that runs. */
  readonly live: Alias;

  constructor(scope: Construct, id: string, props: ProductFunctionProps) {
    super(scope, id);
    const { config, size } = props;
    const settings: unknown = this.node.tryGetContext('settings');
    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: removalOf(config.keepData),
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      role: this.#role(logGroup),
      code: bundleOf(props.entry, props.makeFiles),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: size.memoryMb,
      timeout: Duration.seconds(size.timeoutSeconds),
      reservedConcurrentExecutions: props.reservedConcurrency,
      // A version has the variables of its time: other settings need another version.
      ...(settings !== undefined && { description: `Settings ${settings}` }),
      currentVersionOptions: { removalPolicy: removalOf(true) },
      ...(sendsToItself(props.name) && { recursiveLoop: RecursiveLoop.ALLOW }),
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      environment: {
        POWERTOOLS_SERVICE_NAME: `getin-${props.name}`,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace,
        POWERTOOLS_LOG_LEVEL: config.logLevel,
        STAGE: config.stage,
        NODE_OPTIONS: '--enable-source-maps',
      },
    });
    this.live = new LiveAlias(this, 'Live', { name: props.name, lambda: this.lambda }).alias;
    this.#watch(props);
  }

  /**
   * The role may write only its own log group and traces; the managed policy allows every log
   * group.
   */
  #role(logGroup: LogGroup): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray (and ses:GetSendQuota of send-email) accept no narrower resource than *',
    });
    return role;
  }

  #watch({ name, size, alarms }: ProductFunctionProps): void {
    alarms.add(this, 'Failing', {
      kind: 'function-failing',
      says: `${name} fails, times out or can't start`,
      metric: this.lambda.metricErrors(),
      threshold: 0,
      periods: 2,
    });
    alarms.add(this, 'Throttled', {
      kind: 'function-throttled',
      says: `${name} is throttled: no concurrency left`,
      metric: this.lambda.metricThrottles(),
      threshold: 0,
      periods: 3,
    });
    alarms.add(this, 'Slow', {
      kind: 'function-slow',
      says: `${name} takes more than four fifths of its timeout`,
      metric: this.lambda.metricDuration({ statistic: Stats.percentile(99) }),
      threshold: 0.8 * size.timeoutSeconds * 1000,
      periods: 3,
    });
  }
}
