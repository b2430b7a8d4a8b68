/**
 * The registry that a template's resources are provisioned into, where they find each other.
 * Resources add themselves one by one; only the stack starts and stops them.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Principal } from '../access/gatekeeper.ts';
import type { Statement } from '../access/policy.ts';
import type { ScheduleClock } from '../clock.ts';
import type { SecretStore } from '../emulators/secrets-manager.ts';
import { LocalRunError } from '../errors.ts';
import type { AsyncInvokeConfig } from '../lambda/async-invocation.ts';
import type { StartEnvironment } from '../lambda/execution-environment.ts';
import type { LocalFunction } from '../lambda/local-function.ts';
import type { InvocationError } from '../lambda/messages.ts';
import type { HttpGateway } from '../triggers/http-gateway.ts';
import type { HttpRoute } from '../triggers/route-table.ts';

/** Receives what happens in a running stack; decides what a person sees. */
export interface Observer {
  logLine(functionLabel: string, line: string): void;
  functionFailed(functionLabel: string, error: InvocationError): void;
  /** An operation that failed in the local run itself. */
  trouble(line: string): void;
}

export interface LocalTrigger {
  start(): void;
  stop(): Promise<void> | void;
}

export interface Queue {
  arn: string;
  url: string;
  /**
   * The function that an event source drains the queue into; absent for dead letters, which wait
   * for a person.
   */
  drainedBy?: LocalFunction;
}

export interface HttpApi {
  gateway: HttpGateway;
  url: string;
  routes: HttpRoute<LocalFunction>[];
}

export interface Cloud {
  stackName: string;
  region: string;
  accountId: string;
  assetPaths: ReadonlyMap<string, string>;
  dynamoDb: DynamoDBClient;
  sqs: SQSClient;
  sqsUrl: string;
  secrets: SecretStore;
  /** Role name → its statements. */
  roles: Map<string, Statement[]>;
  /** Roles with managed policies, which no function may take here, because its calls could not be checked. */
  managedRoles: Set<string>;
  /** Function name → the ARN of its role. */
  roleTakers: Map<string, string>;
  /** SQS clients that sign as a function. */
  sqsOfFunctions: Map<LocalFunction, SQSClient>;
  /** Variables that every function gets besides the template's: endpoints, credentials. */
  runtimeEnvironment: Record<string, string>;
  startEnvironment: StartEnvironment;
  apiPort: number;
  clock: ScheduleClock;
  /** Run time per template time of the schedules: 1 with a real clock, less with a shorter tick. */
  timeScale: number;
  observer: Observer;
  functions: LocalFunction[];
  asyncConfigs: Map<LocalFunction, AsyncInvokeConfig>;
  queues: Queue[];
  integrations: Map<string, LocalFunction>;
  httpApis: Map<string, HttpApi>;
  triggers: LocalTrigger[];
}

/** A resource as declared, its properties resolved. */
export interface DeclaredResource {
  logicalId: string;
  type: string;
  /** Path in the CDK app, such as `GetinDev/Poll/Queue/Resource`. */
  path: string | undefined;
  properties: unknown;
}

/** The Ref and GetAtt values of a resource. */
export interface ProvisionedResource {
  ref: string;
  attributes: Record<string, string>;
}

/** A name that is the same in every run, so that kept data is found again. */
export function physicalName(cloud: Cloud, { logicalId }: DeclaredResource): string {
  return `${cloud.stackName}-${logicalId}`.slice(0, 64);
}

export function arnOf(cloud: Cloud, service: string, resource: string): string {
  return `arn:aws:${service}:${cloud.region}:${cloud.accountId}:${resource}`;
}

/** An SQS client that signs as the function, for calls that Lambda makes on its behalf. */
export function sqsAs(cloud: Cloud, caller: LocalFunction): SQSClient {
  const { region, sqsUrl: endpoint, sqsOfFunctions } = cloud;
  const credentials = { accessKeyId: caller.accessKeyId, secretAccessKey: 'local' };
  const client = sqsOfFunctions.get(caller) ?? new SQSClient({ endpoint, region, credentials });
  sqsOfFunctions.set(caller, client);
  return client;
}

/** The identity of each function that has a role in the template. */
export function principalsOf({ accountId, roles, roleTakers }: Cloud): Principal[] {
  return [...roleTakers].map(([functionName, roleArn]) => {
    const role = roleArn.split('/').at(-1) ?? '';
    return {
      accessKeyId: functionName,
      arn: `arn:aws:sts::${accountId}:assumed-role/${role}/${functionName}`,
      statements: roles.get(role) ?? [],
    };
  });
}

/**
 * @param arnOrName may end in a version or an alias
 * @throws LocalRunError if no function of the template has this ARN or name
 */
export function functionNamed(cloud: Cloud, arnOrName: string): LocalFunction {
  const [name] = arnOrName.replace(/^arn:.*:function:/, '').split(':');
  const found = cloud.functions.find(({ arn }) => arn.endsWith(`:function:${name}`));
  if (!found) throw new LocalRunError(`there is no function ${arnOrName} in the template`);
  return found;
}

/** @throws LocalRunError if no queue of the template has this ARN */
export function queueNamed(cloud: Cloud, queueArn: string): Queue {
  const found = cloud.queues.find(({ arn }) => arn === queueArn);
  if (!found) throw new LocalRunError(`there is no queue ${queueArn} in the template`);
  return found;
}
