/**
 * The public HTTP API: one function handles every path. The stage is throttled as a whole and logs
 * each request. No authoriser: the function checks API keys (hashed, per owner).
 */
import { CfnCondition, CfnOutput, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnApiMapping,
  CfnDomainName,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { ProductFunction } from './product-function.ts';

export interface PublicHttpApiProps {
  readonly entry: string;
  readonly config: StackConfig;
  readonly alarms: Alarms;
  /** A custom domain and its certificate; both empty: use AWS's domain. */
  readonly domain: string;
  readonly certificateArn: string;
}

export class PublicHttpApi extends Construct {
  readonly lambda: LambdaFunction;
  /** URL of the API, without a trailing slash. */
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
    const stage = this.#stage(api, config);
    this.url = this.#ownDomain(api, stage, props);
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

  /** @returns the API's URL: under the custom domain if there is one */
  #ownDomain(api: HttpApi, stage: HttpStage, props: PublicHttpApiProps): string {
    const condition = new CfnCondition(this, 'HasDomain', {
      expression: Fn.conditionNot(Fn.conditionEquals(props.domain, '')),
    });
    const domainName = new CfnDomainName(this, 'Domain', {
      domainName: props.domain,
      domainNameConfigurations: [
        { certificateArn: props.certificateArn, securityPolicy: 'TLS_1_2' },
      ],
    });
    const mapping = new CfnApiMapping(this, 'Mapping', {
      apiId: api.apiId,
      domainName: domainName.ref,
      stage: stage.stageName,
    });
    for (const { cfnOptions } of [domainName, mapping]) cfnOptions.condition = condition;
    new CfnOutput(Stack.of(this), 'ApiDnsTarget', {
      value: domainName.attrRegionalDomainName,
      description: 'The target for the DNS record of ApiDomain',
      condition,
    });
    return Fn.conditionIf(
      condition.logicalId,
      `https://${props.domain}`,
      api.apiEndpoint,
    ).toString();
  }

  #stage(api: HttpApi, config: StackConfig): HttpStage {
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: config.logRetentionDays,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    return new HttpStage(this, 'Stage', {
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

/** One line per request, without headers, query or body, because these hold keys and addresses. */
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
