/**
 * Every resource type that the local run knows: its provisioner, or that it is inert here. An
 * unknown type is an error.
 */
import { LocalRunError } from '../errors.ts';
import type { Cloud, DeclaredResource, ProvisionedResource } from './cloud.ts';
import { arnOf, physicalName } from './cloud.ts';
import { provisionEventInvokeConfig } from './event-invoke-config.ts';
import { provisionEventSource } from './event-source-mapping.ts';
import {
  provisionHttpApi,
  provisionIntegration,
  provisionRoute,
  provisionStage,
} from './http-api.ts';
import { provisionAlias, provisionVersion } from './lambda-alias.ts';
import { provisionFunction } from './lambda-function.ts';
import type { Provisioner } from './provisioner.ts';
import { provisionQueue } from './queue.ts';
import { provisionRole, provisionRolePolicy } from './role.ts';
import { provisionSchedule } from './schedule.ts';
import { provisionSecret } from './secret.ts';
import { provisionTable } from './table.ts';

/** Types without effect on this machine: permissions, retention, alarms. */
const inert = 'inert';

const resourceTypes: Record<string, Provisioner | typeof inert> = {
  'AWS::ApiGatewayV2::Api': provisionHttpApi,
  'AWS::ApiGatewayV2::Integration': provisionIntegration,
  'AWS::ApiGatewayV2::Route': provisionRoute,
  'AWS::ApiGatewayV2::Stage': provisionStage,
  'AWS::CDK::Metadata': inert,
  'AWS::CloudWatch::Alarm': inert,
  'AWS::CloudWatch::CompositeAlarm': inert,
  'AWS::CloudWatch::Dashboard': inert,
  // Aliases are at their newest version at once.
  'AWS::CodeDeploy::Application': inert,
  'AWS::CodeDeploy::DeploymentGroup': inert,
  'AWS::DynamoDB::Table': provisionTable,
  // The mail emulator has no bounces, so the rule would get no events.
  'AWS::Events::Rule': inert,
  'AWS::IAM::Policy': provisionRolePolicy,
  'AWS::IAM::Role': provisionRole,
  'AWS::Lambda::Alias': provisionAlias,
  'AWS::Lambda::EventInvokeConfig': provisionEventInvokeConfig,
  'AWS::Lambda::EventSourceMapping': provisionEventSource,
  'AWS::Lambda::Function': provisionFunction,
  'AWS::Lambda::Permission': inert,
  'AWS::Lambda::Version': provisionVersion,
  'AWS::Logs::LogGroup': inert,
  'AWS::SES::ConfigurationSet': inert,
  'AWS::SES::ConfigurationSetEventDestination': inert,
  'AWS::SNS::Subscription': inert,
  'AWS::SNS::Topic': inert,
  'AWS::SNS::TopicPolicy': inert,
  'AWS::SQS::Queue': provisionQueue,
  'AWS::SQS::QueuePolicy': inert,
  'AWS::Scheduler::Schedule': provisionSchedule,
  'AWS::SecretsManager::Secret': provisionSecret,
};

/** Whether the properties of a type have no effect here. */
export function isInert(type: string): boolean {
  return resourceTypes[type] === inert;
}

/** @throws LocalRunError if the type is unknown or the resource can't be created */
export async function provisionResource(
  resource: DeclaredResource,
  cloud: Cloud,
): Promise<ProvisionedResource> {
  const provision = resourceTypes[resource.type];
  if (!provision) throw new LocalRunError("the local run can't run a resource of this type");
  return provision === inert ? inertResource(resource, cloud) : provision(resource, cloud);
}

/** A name and an ARN for references to it; the resource itself does not exist. */
function inertResource(resource: DeclaredResource, cloud: Cloud): ProvisionedResource {
  const name = physicalName(cloud, resource);
  const service = resource.type.split('::')[1]?.toLowerCase() ?? '';
  return { ref: name, attributes: { Arn: arnOf(cloud, service, name) } };
}
