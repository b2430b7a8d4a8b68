/** AWS::ApiGatewayV2::* → one HTTP server whose routes invoke functions. */
import * as z from 'zod';
import { LocalRunError } from '../errors.ts';
import type { LocalFunction } from '../lambda/local-function.ts';
import { addressOf } from '../loopback.ts';
import { HttpGateway } from '../triggers/http-gateway.ts';
import type { HttpRoute } from '../triggers/route-table.ts';
import { type Cloud, functionNamed, type HttpApi } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const apiSchema = z.strictObject({
  Name: z.string(),
  ProtocolType: z.literal('HTTP'),
  DisableExecuteApiEndpoint: inertProperty,
  Description: inertProperty,
  Tags: inertProperty,
});

export const provisionHttpApi = provisioner(apiSchema, async (_, { logicalId }, cloud) => {
  if (cloud.httpApis.size > 0) throw new LocalRunError('the local run serves one HTTP API only');
  const routes: HttpRoute<LocalFunction>[] = [];
  const gateway = new HttpGateway({ apiId: logicalId, accountId: cloud.accountId, routes });
  const url = addressOf(await gateway.listen(cloud.apiPort));
  cloud.httpApis.set(logicalId, { gateway, routes, url });
  return { ref: logicalId, attributes: { ApiId: logicalId, ApiEndpoint: url } };
});

const integrationSchema = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  Description: inertProperty,
});

export const provisionIntegration = provisioner(
  integrationSchema,
  ({ IntegrationUri }, { logicalId }, cloud) => {
    cloud.integrations.set(logicalId, functionNamed(cloud, IntegrationUri));
    return { ref: logicalId, attributes: {} };
  },
);

const routeSchema = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z.literal('NONE').optional(),
});

export const provisionRoute = provisioner(
  routeSchema,
  ({ ApiId, RouteKey, Target }, { logicalId }, cloud) => {
    const target = cloud.integrations.get(Target.replace('integrations/', ''));
    if (!target) throw new LocalRunError(`there is no integration ${Target} in the template`);
    apiNamed(cloud, ApiId).routes.push({ routeKey: RouteKey, target });
    return { ref: logicalId, attributes: {} };
  },
);

const stageSchema = z.strictObject({
  ApiId: z.string(),
  // AWS puts the name of any other stage in front of every path.
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true),
  AccessLogSettings: inertProperty,
  DefaultRouteSettings: inertProperty,
  RouteSettings: inertProperty,
  Description: inertProperty,
  Tags: inertProperty,
});

export const provisionStage = provisioner(stageSchema, ({ ApiId, StageName }, _, cloud) => {
  apiNamed(cloud, ApiId);
  return { ref: StageName, attributes: {} };
});

function apiNamed(cloud: Cloud, apiId: string): HttpApi {
  const api = cloud.httpApis.get(apiId);
  if (!api) throw new LocalRunError(`there is no HTTP API ${apiId} in the template`);
  return api;
}
