/**
 * One Lambda function of the product: bundled from its entry file, with the runtime,
 * logging and tracing that all of them share. Grants and triggers are added by its owner.
 */
import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionSize, StackConfig } from '../config.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

export interface ProductFunctionProps {
  /** The function's folder name, such as `send-email`: names its log service too. */
  readonly name: string;
  /** Absolute path of the file that exports `handler`. */
  readonly entry: string;
  readonly size: FunctionSize;
  readonly config: StackConfig;
  /** @default - not reserved: the event source bounds it */
  readonly reservedConcurrency?: number;
}

export class ProductFunction extends Construct {
  readonly lambda: NodejsFunction;

  constructor(scope: Construct, id: string, props: ProductFunctionProps) {
    super(scope, id);
    const { config, size } = props;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.lambda = new NodejsFunction(this, 'Function', {
      entry: props.entry,
      handler: 'handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: size.memoryMb,
      timeout: Duration.seconds(size.timeoutSeconds),
      reservedConcurrentExecutions: props.reservedConcurrency,
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      environment: {
        POWERTOOLS_SERVICE_NAME: `getin-${props.name}`,
        POWERTOOLS_METRICS_NAMESPACE: 'Getin',
        POWERTOOLS_LOG_LEVEL: config.logLevel,
        NODE_OPTIONS: '--enable-source-maps',
      },
      projectRoot,
      depsLockFilePath: `${projectRoot}package-lock.json`,
      bundling: bundlingOptions,
    });
  }
}

/**
 * ESM, minified, with the AWS SDK inside, so that what was tested is what runs. No banner
 * that gives CommonJS its `require`: no dependency needs one, and a test holds that.
 */
const bundlingOptions: BundlingOptions = {
  format: OutputFormat.ESM,
  target: 'node24',
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  mainFields: ['module', 'main'],
  bundleAwsSDK: true,
};
