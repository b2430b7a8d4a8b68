/**
 * The public HTTP API: every path goes to one function, which routes by itself.
 * Throttled as a whole and logged request by request; no authoriser, as API keys are
 * checked (hashed, per owner) by the function.
 */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { ProductFunction } from './product-function.ts';

export interface PublicHttpApiProps {
  readonly entry: string;
  readonly config: StackConfig;
  readonly alarms: Alarms;
}

export class PublicHttpApi extends Construct {
  readonly lambda: NodejsFunction;
  /** Where it answers, without a trailing slash. */
  readonly url: string;
  readonly requests: Metric;
  readonly failures: Metric;
  readonly latency: Metric;

  constructor(scope: Construct, id: string, props: PublicHttpApiProps) {
    super(scope, id);
    const { config } = props;
    this.lambda = new ProductFunction(this, 'Handler', {
      ...props,
      name: 'api',
      size: config.api,
      reservedConcurrency: config.api.reservedConcurrency,
    }).lambda;
    const api = new HttpApi(this, 'Api', {
      createDefaultStage: false,
      defaultIntegration: new HttpLambdaIntegration('Integration', this.lambda),
    });
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'API keys are checked by the function: hashed, per owner, with scopes and limits',
    });
    this.url = api.apiEndpoint;
    this.#stage(api, config);
    this.requests = api.metricCount();
    this.failures = api.metricServerError();
    this.latency = api.metricLatency({ statistic: Stats.percentile(99) });
    this.#watch(props);
  }

  #watch({ alarms, config }: PublicHttpApiProps): void {
    alarms.add(this, 'Failures', {
      kind: 'api-failing',
      says: 'The API answers requests with 5xx',
      metric: this.failures,
      threshold: 0,
      periods: 2,
    });
    alarms.add(this, 'Latency', {
      kind: 'api-slow',
      says: 'The API answers slowly',
      metric: this.latency,
      threshold: config.alarms.apiLatencyMs,
      periods: 3,
    });
  }

  #stage(api: HttpApi, config: StackConfig): void {
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: config.logRetentionDays,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      autoDeploy: true,
      throttle: {
        rateLimit: config.api.throttleRate,
        burstLimit: config.api.throttleBurst,
      },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
  }
}

/** One line a request, without headers, query or body: keys and addresses stay out. */
const accessLogFields = {
  request_id: '$context.requestId',
  requested_at: '$context.requestTime',
  source_ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_error: '$context.integrationErrorMessage',
};
