/**
 * The public HTTP API: one function handles every path that has no route of its own. The stage is throttled as
 * a whole and logs each request. No authoriser: the function checks API keys (hashed, per owner).
 */
import { CfnCondition, CfnOutput, Fn, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnApi,
  CfnApiMapping,
  CfnDomainName,
  type CfnStage,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { ProductFunction } from './product-function.ts';
import { removalOf } from './removal.ts';

export interface PublicHttpApiProps {
  readonly entry: string;
  readonly config: StackConfig;
  readonly alarms: Alarms;
  /** A custom domain and its certificate; both empty: use AWS's domain. */
  readonly domain: string;
  readonly certificateArn: string;
}

/** What opens without a key: the pages behind links in messages, and published files. */
const linkPaths = ['/l/{token}', '/p/{token}/{view}'];
/** A mail program posts to stop by one click. */
const linkMethods = [HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST];

/** Requests a second to one route, and their burst. */
export interface RouteLimit {
  readonly throttleRate: number;
  readonly throttleBurst: number;
}

export class PublicHttpApi extends Construct {
  readonly lambda: LambdaFunction;
  readonly live: Alias;
  /** URL of the API, without a trailing slash. */
  readonly url: string;
  readonly requests: Metric;
  readonly failures: Metric;
  readonly latency: Metric;
  readonly #api: HttpApi;
  readonly #stage: HttpStage;

  constructor(scope: Construct, id: string, props: PublicHttpApiProps) {
    super(scope, id);
    const { config } = props;
    const { lambda, live } = new ProductFunction(this, 'Handler', {
      ...props,
      name: 'api',
      size: config.api,
      reservedConcurrency: config.api.reservedConcurrency,
    });
    this.lambda = lambda;
    this.live = live;
    const integration = new HttpLambdaIntegration('Integration', live);
    const api = new HttpApi(this, 'Api', {
      createDefaultStage: false,
      defaultIntegration: integration,
    });
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'API keys are checked by the function: hashed, per owner, with scopes and limits',
    });
    this.#api = api;
    this.#stage = this.#openStage(api, config);
    this.#addLimited(linkPaths, linkMethods, integration, config.links);
    this.url = this.#ownDomain(api, this.#stage, props);
    this.requests = api.metricCount();
    this.failures = api.metricServerError();
    this.latency = api.metricLatency({ statistic: Stats.percentile(99) });
    this.#watch(props);
  }

  /** Gives paths a function of their own for GET and HEAD, each with this limit within the stage's. */
  addRoutes(paths: readonly string[], live: Alias, limit: RouteLimit): void {
    const integration = new HttpLambdaIntegration('RouteIntegration', live);
    this.#addLimited(paths, [HttpMethod.GET, HttpMethod.HEAD], integration, limit);
  }

  #addLimited(
    paths: readonly string[],
    methods: readonly HttpMethod[],
    integration: HttpLambdaIntegration,
    { throttleRate, throttleBurst }: RouteLimit,
  ): void {
    const limits = { ThrottlingRateLimit: throttleRate, ThrottlingBurstLimit: throttleBurst };
    const stage = this.#stage.node.defaultChild as CfnStage;
    for (const path of paths) {
      const routes = this.#api.addRoutes({ path, methods: [...methods], integration });
      stage.routeSettings = {
        ...stage.routeSettings,
        ...Object.fromEntries(methods.map((method) => [`${method} ${path}`, limits])),
      };
      // A stage refuses settings of a route that does not exist yet.
      for (const route of routes) stage.node.addDependency(route);
    }
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
    // One way in, so that what stands before the own domain can't be passed by.
    (api.node.defaultChild as CfnApi).disableExecuteApiEndpoint = Fn.conditionIf(
      condition.logicalId,
      true,
      false,
    );
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

  #openStage(api: HttpApi, config: StackConfig): HttpStage {
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: config.logRetentionDays,
      removalPolicy: removalOf(config.keepData),
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

/**
 * One line per request: its route, without path, headers, query and body, because these hold tokens of links, keys
 * and addresses. The function logs the operation of an API request.
 */
const accessLogFields = {
  request_id: '$context.requestId',
  requested_at: '$context.requestTime',
  source_ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_error: '$context.integrationErrorMessage',
};
